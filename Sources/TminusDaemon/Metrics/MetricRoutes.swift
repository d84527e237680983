internal import HTTPTypes
internal import Hummingbird
internal import Logging
internal import NIOCore
internal import TminusControl
internal import TminusCore
internal import TminusTooling

/// The routes of the metrics, for Prometheus and what reads its formats.
extension ControlAPI {
    /// How long the engine, and then the store, may take to give fresh figures. Then the former ones are written.
    private static let patience = Duration.seconds(1)
    /// The most definitions of an answer, unless another number is asked for.
    private static let definitionLimit = 10_000

    /// Registers the routes.
    func addMetrics(to routes: inout ControlRoutes) {
        routes.addReadable("/metrics", .read) { request, _ in .metrics(await metrics(), to: request) }
        routes.addReadable("/metrics/definitions", .read) { request, _ in
            .metrics(try await definitionMetrics(request), to: request)
        }
    }

    private func metrics() async -> MetricPage {
        let begun = ContinuousClock.now
        await probes.health.freshFigures(within: Self.patience)
        await board.readStanding(of: store, within: Self.patience)
        var page = MetricPage(MetricFamily.all)
        addDaemon(to: &page)
        page.add(status.inForce, last: status.load, watch: status.watchStatus, loads: board.loads)
        page.add(board.engine, now: clock.now)
        if let standing = board.standing { page.add(standing, now: clock.now) }
        page.add(board.store, sizeOf: facts.store)
        page.add(web.counts)
        page.add(.httpConnections, ["socket"], .whole(socketConnections.count))
        page.add(.httpConnections, ["tcp"], .whole(doors.connections))
        page.add(.followers, .whole(status.followers.count))
        let unplaced = UnplacedDeliveries(board.standing, machines: status.machines)
        page.add(.unplacedSinks, .whole(unplaced.sinks.count))
        if let clock = board.fleetClock { page.add(.clockDistance, .seconds(clock.machineAhead)) }
        for door in Door.allCases { page.add(.viewers, [door.rawValue], .whole(hub.viewerCount(at: door))) }
        page.add(.eventsSent, .count(hub.eventsSent))
        page.add(.viewersDropped, .count(hub.viewersDropped))
        page.add(sessions: admission.sessions.all)
        if let expiry = doors.certificateExpiry { page.add(.certificateExpiry, .instant(expiry)) }
        let lines = board.log.all
        for level in LogFigures.levels { page.add(.logMessages, [level.rawValue], .count(lines[level] ?? 0)) }
        page.addProcess(started: facts.started)
        page.add(.scrapeDuration, .seconds(begun.duration(to: .now)))
        return page
    }

    private func addDaemon(to page: inout MetricPage) {
        let store = StoreLocation.isDatabase(facts.store) ? "postgresql" : "sqlite"
        page.add(.buildInfo, [facts.version, SwiftVersion.text, store], .count(1))
        page.add(.ready, .flag(probes.readiness.missing.isEmpty))
    }

    private func definitionMetrics(_ request: Request) async throws -> MetricPage {
        let limit = try request.number("limit", in: 1...1_000_000) ?? Self.definitionLimit
        let label = try request.label("label")
        let now = clock.now
        var items: [Item] = []
        var next: UInt32? = 0
        var isTruncated = false
        while let start = next, !isTruncated {
            let part = await cache.page(from: start, limit: 1_000, outcomes: true, now: now)
            for item in part.items where label.map({ item.labels[$0.name] == $0.value }) ?? true {
                guard items.count < limit else {
                    isTruncated = true
                    break
                }
                items.append(item)
            }
            next = part.next
        }
        if items.count >= MemoryUpkeep.much { upkeep.worked() }
        var page = MetricPage(MetricFamily.ofDefinitions)
        for item in items.sorted(by: { $0.id < $1.id }) { page.add(item, now: now) }
        page.add(.definitionsTruncated, .flag(isTruncated))
        return page
    }
}

extension Request {
    /// Reads a query parameter of the form `name:value`, nil if absent.
    fileprivate func label(_ name: String) throws(Problem) -> (name: String, value: String)? {
        guard let text = parameter(name) else { return nil }
        guard let colon = text.firstIndex(of: ":"), colon > text.startIndex else {
            throw Problem(.badRequest, "'\(name)': expected the name and the value of a label, such as team:web")
        }
        return (String(text[..<colon]), String(text[text.index(after: colon)...]))
    }
}

extension Response {
    /// Answers with metrics in the format that the client prefers.
    fileprivate static func metrics(_ page: MetricPage, to request: Request) -> Response {
        let format = MetricFormat(accept: request.headers[.accept])
        return Response(
            status: .ok,
            headers: [.contentType: format.contentType, .vary: "Accept", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: page.text(format))))
    }
}
