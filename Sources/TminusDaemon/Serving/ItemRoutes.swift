internal import HTTPTypes
internal import Hummingbird
internal import TminusControl
internal import TminusCore

/// The routes that read items and apply controls.
extension ControlAPI {
    /// Registers the routes.
    func addItems(to routes: inout ControlRoutes) {
        routes.add("/items", [.get: { try await list($0, $1) }], level: .read)
        routes.add("/items/:id", [.get: { try await show($0, $1) }], level: .read)
        for verb in [Control.Verb.mute, .unmute] {
            routes.add("/\(verb.rawValue)", [.post: { try await performAll(verb, $0, $1) }], level: .control)
        }
        for verb in Control.Verb.allCases {
            routes.add("/items/:id/\(verb.rawValue)", [.post: { try await perform(verb, $0, $1) }], level: .control)
        }
    }

    /// Answers with a page of items, and where the next one is (RFC 8288).
    private func list(_ request: Request, _ context: ControlContext) async throws -> Response {
        let start = try request.number("from", in: 0...Int(UInt32.max)) ?? 0
        let limit = try request.number("limit", in: 1...SchedulePage.size) ?? SchedulePage.size
        let outcomes = try request.flag("outcomes")
        // Before the items, so that a stream from there has all that changes after them.
        let position = try request.flag("events") ? try await hub.position() : nil
        let (items, next) = await cache.page(from: UInt32(start), limit: limit, outcomes: outcomes, now: clock.now)
        if items.count > MemoryUpkeep.much { upkeep.worked() }
        var response = Response.json(context.access.view(of: items))
        if let next, let link = HTTPField.Name("link") {
            response.headers[link] = "</items?from=\(next)&limit=\(limit)&outcomes=\(outcomes)>; rel=\"next\""
        }
        if let position, let name = HTTPField.Name("Tminus-Event") { response.headers[name] = position }
        return response
    }

    /// Answers with one item and, if asked, with its details.
    private func show(_ request: Request, _ context: ControlContext) async throws -> Response {
        let id = try context.itemID()
        let now = clock.now
        guard let item = await cache.item(id, now: now) else { throw await unknown(id) }
        guard try request.flag("details"), let entry = await desk.entry(id) else {
            return .json(context.access.view(of: item))
        }
        return .json(try await detailed(item, entry, context.access, now: now) + [UInt8(ascii: "\n")])
    }

    /// The most deliveries, and the most controls, in the details of an item.
    private static let shownRecords = 5

    /// Below level control without deliveries, whose outputs can have secrets, without controls, and without the titles of sinks, which
    /// have words of commands and paths.
    private func detailed(
        _ item: Item, _ entry: ScheduleEntry, _ access: Access, now: Timestamp
    ) async throws -> [UInt8] {
        let definition = entry.definition
        let outlook = Outlook(entry, now: now)
        var item = item
        item.lastOutcome = try await store.lastOutcomes(of: [definition.id], now: now)[definition.id].map { .init($0) }
        // Of a stopwatch each alert is an occurrence of its own.
        let before = outlook.occurrence?.advanced(by: .nanoseconds(1)) ?? .distantFuture
        let occurrences = definition.kind == .stopwatch ? 100 : 1
        let history = try await store.history(of: definition.id, before: before, limit: occurrences)
        var (deliveries, controls) = ([DeliveryRecord](), [ControlRecord]())
        if access.seesAll {
            deliveries = try await store.deliveries(
                DeliveryFilter(definition: definition.id, limit: Self.shownRecords))
            controls = try await store.controls(of: definition.id, before: .distantFuture, limit: Self.shownRecords)
        }
        let details = ItemDetails(
            definition, leads: LeadStanding.all(of: entry, outlook, history: history, now: now),
            titles: access.seesAll ? await desk.sinkTitles(definition.allSinks) : [:], deliveries: deliveries,
            controls: controls)
        return try access.view(of: item).json(with: details)
    }

    private func perform(
        _ verb: Control.Verb, _ request: Request, _ context: ControlContext
    ) async throws -> Response {
        let id = try context.itemID()
        let body = try await request.decoded(as: ControlBody.self)
        let control = try Control(verb, body, now: clock.now)
        let asked = ControlRequest(id: id, control: control, by: context.user, door: context.door, note: body.note)
        do throws(ControlRefusal) {
            let entry = try await desk.perform(asked)
            return .json(Item(entry, now: clock.now))
        } catch .unknown {
            throw await unknown(id)
        } catch {
            throw Problem(error, id)
        }
    }

    private func performAll(
        _ verb: Control.Verb, _ request: Request, _ context: ControlContext
    ) async throws -> Response {
        let body = try await request.decoded(as: ControlBody.self)
        let action: GeneralControl.Action =
            if case .mute(let until) = try Control(verb, body, now: clock.now) { .mute(until: until) } else { .unmute }
        let asked = GeneralControl(action, by: context.user, door: context.door, note: body.note)
        do throws(ControlRefusal) {
            let now = clock.now
            return .json(Item.json(try await desk.perform(asked).map { Item($0, now: now) }))
        } catch {
            throw Problem(error)
        }
    }

    /// Returns the problem for an unknown id, with similar ids as suggestions.
    func unknown(_ id: DefinitionID) async -> Problem {
        if status.inForce.generation == 0 {
            return Problem(
                .unavailable, "\(id): the daemon is still starting; run 'tminus wait' to wait for its definitions")
        }
        // The nearest of each page, then the nearest of those.
        var near: [String] = []
        await desk.forEachPage { entries in
            near += Suggestion.near(to: id.rawValue, in: entries.map(\.definition.id.rawValue).sorted(), limit: 3)
        }
        // The definition may have been added since the look-up. It must not be suggested for itself.
        near.removeAll { $0 == id.rawValue }
        return .unknown(id, near: Suggestion.near(to: id.rawValue, in: near.sorted(), limit: 3))
    }
}

extension ControlContext {
    /// The id in the request's path.
    func itemID() throws -> DefinitionID {
        let text = parameters.get("id") ?? ""
        guard let id = DefinitionID(text) else {
            throw Problem(
                .notFound, "'\(text.prefix(80))' is not an id: \(DefinitionID.rule(brokenBy: text))",
                near: [])
        }
        return id
    }
}

extension Problem {
    /// Creates the problem for an unknown id, with similar ids as suggestions.
    static func unknown(_ id: DefinitionID, near names: [String]) -> Problem {
        let hint =
            names.isEmpty
            ? "; 'tminus list' shows all ids"
            : ", did you mean \(names.map { "'\($0)'" }.joined(separator: " or "))?"
        return Problem(.notFound, "there is no '\(id)'\(hint)", near: names)
    }

    /// Creates the problem for a refused control of one item.
    init(_ refusal: ControlRefusal, _ id: DefinitionID) {
        if case .unknown = refusal { self = .unknown(id, near: []) } else { self.init(refusal, of: "\(id): ") }
    }

    /// Creates the problem for a refused control of all items.
    fileprivate init(_ refusal: ControlRefusal) { self.init(refusal, of: "") }

    private init(_ refusal: ControlRefusal, of subject: String) {
        switch refusal {
        case .unknown: self.init(.notFound, "\(subject)not found")
        case .unfit(let reason, let fitting):
            let verbs = fitting.map(\.rawValue)
            let hint = verbs.isEmpty ? "" : "; allowed: \(verbs.joined(separator: ", "))"
            self.init(.unfit, "\(subject)\(reason)\(hint)", fitting: verbs)
        case .unwritten(let reason):
            self.init(.unavailable, "\(subject)not done, because the store cannot be written: \(reason)")
        }
    }
}
