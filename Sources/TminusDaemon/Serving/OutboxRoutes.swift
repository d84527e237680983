internal import Hummingbird
internal import TminusControl
internal import TminusCore

/// The routes for history and deliveries.
struct OutboxRoutes: Sendable {
    /// The store with deliveries and history.
    let store: any Store
    let engine: Mailbox<EngineInput>
    let items: ItemRoutes
    /// The wall clock.
    let clock: any WallClock

    /// The most entries in an answer.
    static let limit = 1_000

    /// Registers the routes.
    func add(to routes: inout ControlRoutes) {
        routes.add("/items/:id/history", [.get: { try await history($0, $1) }])
        routes.add("/deliveries", [.get: { request, _ in try await deliveries(request) }])
        routes.add("/deliveries/:id/retry", [.post: { _, context in try await move(context, retry: true) }])
        routes.add("/deliveries/:id/discard", [.post: { _, context in try await move(context, retry: false) }])
    }

    private func history(_ request: Request, _ context: ControlContext) async throws -> Response {
        let id = try context.itemID()
        let limit = try request.limit(usually: 50)
        var before = Timestamp.distantFuture
        if let text = request.parameter("before") {
            guard let instant = Timestamp(rfc3339: text) else {
                throw Problem(.badRequest, "'before': expected an instant such as 2026-12-01T09:00:00Z")
            }
            before = instant
        }
        let entries = try await asked { () throws(StoreError) in
            try await store.history(of: id, before: before, limit: limit)
        }
        if entries.isEmpty, await items.desk.entry(id) == nil { throw await items.unknown(id) }
        return try .json(entries.map { HistoryAnswer($0) })
    }

    private func deliveries(_ request: Request) async throws -> Response {
        var filter = DeliveryFilter(limit: try request.limit(usually: 100))
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
        if let text = request.parameter("id") { filter.ids = [try deliveryID(text)] }
        let wanted = filter
        let records = try await asked { () throws(StoreError) in try await store.deliveries(wanted) }
        if records.isEmpty { try await refuseUnknown(wanted) }
        return try .json(records.map { DeliveryAnswer($0) })
    }

    /// Throws if the filter names a delivery that does not exist, or a definition that does not exist and has no
    /// history.
    private func refuseUnknown(_ filter: DeliveryFilter) async throws {
        if let id = filter.ids?.first {
            let found = try await asked { () throws(StoreError) in
                try await store.deliveries(DeliveryFilter(ids: [id]))
            }
            if found.isEmpty { throw Problem.unknown(id.rawValue) }
        }
        guard let id = filter.definition, await items.desk.entry(id) == nil else { return }
        let past = try await asked { () throws(StoreError) in
            try await store.history(of: id, before: .distantFuture, limit: 1)
        }
        if past.isEmpty { throw await items.unknown(id) }
    }

    private func move(_ context: ControlContext, retry: Bool) async throws -> Response {
        let id = try deliveryID(context.parameters.get("id") ?? "")
        let now = clock.now
        let count = try await asked { () throws(StoreError) in
            retry ? try await store.retry([id], now: now) : try await store.discard([id], now: now)
        }
        guard count > 0 else { throw try await unmoved(id, retry: retry) }
        engine.send(retry ? .hint : .discarded([id]))
        return try .json(CountAnswer(count: count))
    }

    /// Returns the reason why a delivery could not be retried or discarded.
    private func unmoved(_ id: DeliveryID, retry: Bool) async throws -> Problem {
        let found = try await asked { () throws(StoreError) in try await store.deliveries(DeliveryFilter(ids: [id])) }
        guard let record = found.first else { return .unknown(id.rawValue) }
        let fits =
            retry
            ? "only dead, expired or discarded deliveries can be retried" : "only dead deliveries can be discarded"
        return Problem(.unfit, "\(id) is \(record.state.rawValue): \(fits)", fitting: [])
    }

    private func deliveryID(_ text: String) throws(Problem) -> DeliveryID {
        guard let id = DeliveryID(text) else { throw .unknown(text) }
        return id
    }

    private func asked<Value: Sendable>(
        _ verb: () async throws(StoreError) -> Value
    ) async throws(Problem) -> Value {
        do throws(StoreError) {
            return try await verb()
        } catch {
            throw Problem(.unavailable, "the store cannot be read: \(error.message); try again later")
        }
    }
}

extension Problem {
    fileprivate static func unknown(_ id: String) -> Problem {
        Problem(.notFound, "there is no delivery '\(id.prefix(80))'; 'tminus deliveries' lists them")
    }
}

extension Request {
    /// Returns a query parameter.
    func parameter(_ name: String) -> String? {
        uri.queryParameters[name[...]].map { String($0) }
    }

    /// Returns the requested number of entries, `count` by default.
    func limit(usually count: Int) throws(Problem) -> Int {
        guard let text = parameter("limit") else { return count }
        guard let limit = Int(text), (1...OutboxRoutes.limit).contains(limit) else {
            throw Problem(.badRequest, "'limit': expected a number from 1 to \(OutboxRoutes.limit)")
        }
        return limit
    }
}
