internal import Hummingbird
internal import ServiceLifecycle
internal import TminusControl
internal import TminusCore
internal import TminusSystem
internal import TminusWatch

/// The routes for the daemon itself: status, reload and wait.
extension ControlAPI {
    /// The longest wait, in seconds.
    private static let longestWait = 3_600

    /// Registers the routes.
    func addStatus(to routes: inout ControlRoutes) {
        routes.add("/status", [.get: { try .json(await answer($0, $1)) }], level: .read)
        routes.add("/reload", [.post: { request, _ in try await reload(request) }], level: .control)
        routes.add("/wait", [.get: { request, _ in try await wait(request) }], level: .socket)
    }

    private func answer(_ request: Request, _ context: ControlContext) async throws -> StatusAnswer {
        let now = clock.now
        let standing = try? await store.standing()
        let isWhole = try request.flag("definitions")
        let rows = await definitionRows(standing, all: isWhole, now: now)
        let mute = await desk.generalMute().flatMap { $0.until > now ? $0 : nil }
        // The watching first: a file that is pending then may be in force a moment later, but never the other way round.
        let watch = status.watchStatus
        let (load, inForce) = (status.load, status.inForce)
        let zone = load.zoneProblem.map { ["the time zone of this machine is unknown, so UTC is used: \($0)"] } ?? []
        let answer = StatusAnswer(
            version: facts.version, processID: Int(MachinePaths.processID), now: now.rfc3339,
            started: facts.started.rfc3339, config: facts.config, store: facts.store,
            storeProblems: status.storeProblems, damagedRows: store.damagedRows,
            mute: mute.map { StatusAnswer.Mute($0) }, live: status.live,
            lastAttempt: load.lastAttempt?.rfc3339, lastSuccess: inForce.lastSuccess?.rfc3339,
            watching: StatusAnswer.Watching(watch.mode), zoneData: load.zoneVersion, profile: facts.profile,
            viewers: hub.viewerCount, listening: doors.urls,
            labels: status.labels.map(\.text).sorted(), followers: status.followers.map { StatusAnswer.Follower($0) },
            unplaced: UnplacedDeliveries(standing, machines: status.machines).messages,
            differentFollowers: status.differentFollowers,
            problems: load.problems.map(\.message) + zone, files: load.rows(watch),
            deliveries: standing.map { StatusDeliveries($0) }, definitions: rows)
        return context.access.seesAll ? answer : answer.forReaders
    }

    /// The definitions with deliveries that are retried or dead, or all, with their last outcomes.
    private func definitionRows(
        _ standing: DeliveryStanding?, all: Bool, now: Timestamp
    ) async -> [StatusDefinition] {
        let troubled = standing?.troubled ?? [:]
        var ids = Set(troubled.keys)
        if all { ids.formUnion(await desk.ids()) }
        let sorted = ids.sorted()
        let outcomes = (try? await store.lastOutcomes(of: sorted, now: now)) ?? [:]
        return sorted.map { StatusDefinition($0, troubled[$0], lastOutcome: outcomes[$0]) }
    }

    private func reload(_ request: Request) async throws -> Response {
        let isAwaited = try request.flag("wait")
        let mark = reloads.request()
        if isAwaited { try await reloads.end(of: mark) }
        return try .json(status.live)
    }

    private func wait(_ request: Request) async throws -> Response {
        let generation = try request.number("generation", in: 0...Int.max) ?? 1
        let limit = try request.number("timeout", in: 1...Self.longestWait) ?? Self.longestWait
        let status = status
        let isReached = try await cancelWhenGracefulShutdown {
            try await withThrowingTaskGroup(of: Bool.self) { group in
                group.addTask {
                    for await _ in status.changes where status.inForce.generation >= generation { return true }
                    throw CancellationError()
                }
                group.addTask {
                    try await Task.sleep(for: .seconds(limit))
                    return false
                }
                defer { group.cancelAll() }
                return try await group.next() ?? false
            }
        }
        guard isReached else {
            throw Problem(
                .unavailable,
                "generation \(generation) was not reached within \(limit) s; it is \(status.inForce.generation)")
        }
        return try .json(status.live)
    }
}

extension StatusAnswer.Follower {
    fileprivate init(_ machine: FleetMachine) {
        self.init(
            process: machine.process, version: machine.version, started: machine.started?.rfc3339,
            labels: machine.labels.map(\.text).sorted(), hash: machine.hash)
    }
}

extension StatusAnswer.Mute {
    fileprivate init(_ mute: Overrides.Mute) {
        self.init(
            until: mute.until.rfc3339, by: mute.origin.by, at: mute.origin.at.rfc3339, note: mute.origin.note)
    }
}
