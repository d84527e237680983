internal import Hummingbird
internal import TminusControl
internal import TminusCore

/// The routes for history and deliveries.
extension ControlAPI {
    /// The most entries in an answer.
    private static let entryLimit = 1_000

    /// The most deliveries that one transaction retries or discards.
    private static let step = 10_000

    /// The fewest digits that stand for an id.
    private static let fewestDigits = 6

    /// Registers the routes.
    func addOutbox(to routes: inout ControlRoutes) {
        routes.add("/history", [.get: { request, _ in try await history(request) }], level: .control)
        routes.add("/items/:id/history", [.get: { try await history($0, $1) }], level: .control)
        routes.add("/deliveries", [.get: { request, _ in try await deliveries(request) }], level: .control)
        routes.add("/deliveries/retry", [.post: { request, _ in try await retryAll(request) }], level: .control)
        routes.add("/deliveries/discard", [.post: { request, _ in try await discardAll(request) }], level: .control)
        routes.add("/deliveries/:id/retry", [.post: { _, context in try await retry(context) }], level: .control)
        routes.add("/deliveries/:id/discard", [.post: { _, context in try await discard(context) }], level: .control)
    }

    private func history(_ request: Request, _ context: ControlContext) async throws -> Response {
        let id = try context.itemID()
        let (limit, before) = try page(of: request)
        let definition = await desk.entry(id)?.definition
        let now = clock.now
        // An occurrence that was edited away and is back is to come.
        let entries = try await store.history(of: id, before: before, limit: limit).filter { entry in
            guard case .skipped = entry.end, entry.due > now else { return true }
            return definition?.hasOccurrence(at: entry.occurrence) != true
        }
        let controls = try await store.controls(of: id, before: before, limit: limit)
        if entries.isEmpty, controls.allSatisfy({ $0.definition == nil }), definition == nil {
            throw await unknown(id)
        }
        // Older controls belong to occurrences that the answer does not have.
        let isCut = Set(entries.map(\.occurrence)).count >= limit
        let oldest = isCut ? entries.map(\.due).min() ?? .distantPast : .distantPast
        return try .json(
            HistoryAnswer.merged(entries.map { HistoryAnswer($0) }, controls.filter { $0.at >= oldest }))
    }

    /// The history of all definitions.
    private func history(_ request: Request) async throws -> Response {
        let (limit, before) = try page(of: request)
        let entries = try await store.recentHistory(before: before, limit: limit).map { HistoryAnswer($0) }
        let controls = try await store.controls(of: nil, before: before, limit: limit)
        return try .json(Array(HistoryAnswer.merged(entries, controls).prefix(limit)))
    }

    /// The length of an answer, and the instant before which its entries are.
    private func page(of request: Request) throws -> (limit: Int, before: Timestamp) {
        let limit = try request.number("limit", in: 1...Self.entryLimit) ?? 50
        guard let text = request.parameter("before") else { return (limit, .distantFuture) }
        guard let instant = Timestamp(rfc3339: text) else {
            throw Problem(.badRequest, "'before': expected an instant such as 2026-12-01T09:00:00Z")
        }
        return (limit, instant)
    }

    private func deliveries(_ request: Request) async throws -> Response {
        let limit = try request.number("limit", in: 1...Self.entryLimit) ?? 100
        let filter = try await filter(request, limit: limit)
        let records = try await store.deliveries(filter)
        if records.isEmpty { try await refuseUnknown(filter) }
        return try .json(records.map { DeliveryAnswer($0) })
    }

    /// The deliveries that a request is about.
    private func filter(_ request: Request, limit: Int) async throws -> DeliveryFilter {
        var filter = DeliveryFilter(limit: limit)
        if let text = request.parameter("state") {
            filter.states = Set(
                try text.split(separator: ",", omittingEmptySubsequences: false).map { word in
                    guard let state = DeliveryState(rawValue: String(word)) else {
                        let known = DeliveryState.allCases.map(\.rawValue).joined(separator: ", ")
                        throw Problem(
                            .badRequest, "'state': unknown state '\(word.prefix(80))'; expected one of \(known)")
                    }
                    return state
                })
        }
        if let text = request.parameter("definition") {
            guard let id = DefinitionID(text) else { throw Problem(.badRequest, "'definition': is not an id") }
            filter.definition = id
        }
        if let text = request.parameter("sink") { filter.sink = SinkKey(text) }
        if let text = request.parameter("id") { filter.ids = [try await deliveryID(text)] }
        return filter
    }

    /// Throws if the filter names a delivery that does not exist, or a definition that does not exist and has no
    /// history.
    private func refuseUnknown(_ filter: DeliveryFilter) async throws {
        if let id = filter.ids?.first {
            let found = try await store.deliveries(DeliveryFilter(ids: [id]))
            if found.isEmpty { throw Problem.unknown(id.rawValue) }
        }
        guard let id = filter.definition, await desk.entry(id) == nil else { return }
        let past = try await store.history(of: id, before: .distantFuture, limit: 1)
        if past.isEmpty { throw await unknown(id) }
    }

    private func retry(_ context: ControlContext) async throws -> Response {
        let id = try await deliveryID(context.parameters.get("id") ?? "")
        let count = try await retry(DeliveryFilter(ids: [id]), now: clock.now)
        guard count > 0 else {
            throw try await unmoved(
                id, "only deliveries that wait for a retry, or are dead, expired or discarded, can be retried")
        }
        return try .json(CountAnswer(count: count))
    }

    /// Retries all deliveries of a definition, to a sink, or both, that are dead, expired or wait for a retry.
    private func retryAll(_ request: Request) async throws -> Response {
        let now = clock.now
        return try await all(request) { try await retry($0, now: now) }
    }

    /// Retries deliveries, notifies the engine, and returns how many there were.
    private func retry(_ filter: DeliveryFilter, now: Timestamp) async throws -> Int {
        let count = try await store.retry(filter, now: now)
        if count > 0 {
            engine.send(.hint)
            hub.inbox.send(.changed(nil))
        }
        return count
    }

    private func discard(_ context: ControlContext) async throws -> Response {
        let id = try await deliveryID(context.parameters.get("id") ?? "")
        let count = try await discard(DeliveryFilter(ids: [id]))
        guard count > 0 else { throw try await unmoved(id, "it cannot be discarded any more") }
        return try .json(CountAnswer(count: count))
    }

    /// Discards all undelivered deliveries of a definition, to a sink, or both.
    private func discardAll(_ request: Request) async throws -> Response {
        try await all(request) { try await discard($0) }
    }

    /// Does something with all deliveries of a definition, to a sink, or both, until there are no more.
    ///
    /// It takes several transactions, because the engine waits for the store during each of them.
    private func all(_ request: Request, _ work: (DeliveryFilter) async throws -> Int) async throws -> Response {
        // With a name that was misspelt it would act on more than was meant.
        let names = request.uri.queryParameters.map(\.key)
        if let name = names.first(where: { !["definition", "sink", "state"].contains($0) }) {
            throw Problem(.badRequest, "unknown parameter '\(name.prefix(80))'; expected 'definition' or 'sink'")
        }
        let filter = try await filter(request, limit: Self.step)
        guard filter.definition != nil || filter.sink != nil else {
            throw Problem(.badRequest, "expected 'definition' or 'sink'")
        }
        var (count, last) = (0, 0)
        repeat {
            last = try await work(filter)
            count += last
        } while last == Self.step
        if count == 0 { try await refuseUnknown(filter) }
        return try .json(CountAnswer(count: count))
    }

    /// Discards deliveries, notifies the engine, and returns how many there were.
    func discard(_ filter: DeliveryFilter) async throws -> Int {
        let now = clock.now
        let discarded = try await store.discard(filter, now: now)
        if !discarded.deliveries.isEmpty {
            engine.send(.discarded(discarded))
            hub.inbox.send(.changed(nil))
        }
        return discarded.deliveries.count
    }

    /// Returns the reason why a delivery could not be retried or discarded.
    private func unmoved(_ id: DeliveryID, _ rule: String) async throws -> Problem {
        let found = try await store.deliveries(DeliveryFilter(ids: [id]))
        guard let record = found.first else { return .unknown(id.rawValue) }
        return Problem(.unfit, "\(id) is \(record.state.rawValue): \(rule)", fitting: [])
    }

    /// The delivery with an id, or with the only id that begins with the given digits, at least ``fewestDigits``.
    private func deliveryID(_ text: String) async throws -> DeliveryID {
        if let id = DeliveryID(text) { return id }
        let digits = text.lowercased()
        let isHexadecimal = digits.utf8.allSatisfy { "0123456789abcdef".utf8.contains($0) }
        guard isHexadecimal, digits.utf8.count < DeliveryID.digits else { throw Problem.unknown(text) }
        guard digits.utf8.count >= Self.fewestDigits else {
            throw Problem(.notFound, "'\(text)': give at least \(Self.fewestDigits) digits of the delivery's id")
        }
        let found = try await store.deliveryIDs(beginningWith: digits, limit: 2)
        guard let id = found.first else { throw Problem.unknown(text) }
        guard found.count == 1 else {
            let ids = found.map(\.rawValue).joined(separator: " and ")
            throw Problem(
                .unfit, "several deliveries have ids that begin with '\(digits)', such as \(ids)", fitting: [])
        }
        return id
    }
}

extension Problem {
    fileprivate static func unknown(_ id: String) -> Problem {
        Problem(.notFound, "there is no delivery '\(id.prefix(80))'; 'tminus deliveries' lists them")
    }
}
