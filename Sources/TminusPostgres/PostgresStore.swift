import Dispatch
package import TminusCore

/// The store in a schema of a PostgreSQL database, for one daemon.
///
/// It has one connection with its own queue, because libpq blocks. All statements of a transaction that need no answer go in
/// one trip with the next that does. Nothing belongs to the session of the connection, except prepared statements.
///
/// A verb that has started runs to its end, even if its task is cancelled: a lost settlement would cause a second
/// delivery.
///
/// A verb's result survives a crash of the server as far as the server's own settings let a commit survive one, except for
/// recent claims and settlements: these do not wait for the disk (`synchronous_commit`). Losing them only repeats
/// deliveries with the same id.
package final class PostgresStore: Store {
    /// What a daemon has to know of its database, beside the results of verbs.
    package enum Event: Sendable {
        /// The store waits for the lease of another daemon. The text says so.
        case waiting(String)
        /// Another daemon has taken the database over. This one can write no more.
        case takenOver(StoreError)
        /// The database does not answer. The store goes on asking.
        case unreachable
    }

    /// The address of the database, without a password.
    package let shownAddress: String
    /// The events since the store was opened, for one reader.
    package let events: AsyncStream<Event>
    private let queue = DispatchQueue(label: "tminus.store")
    // Only on the queue.
    private nonisolated(unsafe) let session: Session
    private let lease: Duration

    /// Opens the store, and creates its tables in the schema if there are none. Blocks meanwhile.
    ///
    /// - Parameters:
    ///   - machine: Names the place of the daemon's state, which only one running daemon has. It contains no space. A daemon that
    ///     starts there takes over at once from the one before; a daemon of another place waits until the lease is over.
    ///   - process: The host and the process, for messages.
    ///   - run: Tells the runs of one place apart. It contains no space.
    ///   - lease: How long another daemon waits for this one after a crash.
    /// - Throws: A ``StoreError`` if there is no connection, another daemon uses the database, or a newer tminus wrote it.
    package init(
        _ address: PostgresAddress, schema: SchemaName = .standard, machine: String, process: String,
        run: String = String(UInt64.random(in: 0 ... .max), radix: 36), lease: Duration = .seconds(10),
        waits: @escaping @Sendable (String) -> Void = { _ in }
    ) throws(StoreError) {
        shownAddress = address.shown
        self.lease = lease
        let holder = Fence.Holder(machine: machine, process: process, run: run)
        let (events, continuation) = AsyncStream.makeStream(of: Event.self, bufferingPolicy: .bufferingNewest(8))
        self.events = events
        let session = Session(address, schema: schema, holder: holder, lease: lease) { event in
            if case .waiting(let text) = event { waits(text) } else { continuation.yield(event) }
        }
        self.session = session
        let started: Result<Void, StoreError> = queue.sync {
            do throws(StoreError) { return .success(try session.start()) } catch { return .failure(error) }
        }
        try started.get()
        renewLater()
    }

    /// Opens the store as ``init(_:schema:machine:process:run:lease:waits:)`` does, without blocking the caller's thread.
    package static func opened(
        at address: String, machine: String, process: String, waits: @escaping @Sendable (String) -> Void
    ) async throws(StoreError) -> PostgresStore {
        let result: Result<PostgresStore, StoreError> = await withCheckedContinuation { continuation in
            DispatchQueue(label: "tminus.store.opening").async {
                let result: Result<PostgresStore, StoreError>
                do throws(StoreError) {
                    result = .success(
                        try PostgresStore(PostgresAddress(address), machine: machine, process: process, waits: waits))
                } catch {
                    result = .failure(error)
                }
                continuation.resume(returning: result)
            }
        }
        return try result.get()
    }

    /// What keeps a daemon from using the database at an address; nil if nothing does. Changes nothing, and blocks meanwhile.
    package static func problem(at address: String) -> StoreError? {
        do throws(StoreError) {
            try Session.look(at: PostgresAddress(address))
            return nil
        } catch {
            return error
        }
    }

    /// Renews the lease at every third of it, as long as the store exists.
    private func renewLater() {
        queue.asyncAfter(deadline: .now() + .milliseconds(Int(clamping: lease.milliseconds / 3))) { [weak self] in
            guard let self else { return }
            session.renew()
            renewLater()
        }
    }

    package func snapshot() async throws(StoreError) -> StoreSnapshot { try await read { try $0.snapshot() } }

    package func commit(_ commit: Commit, now: Timestamp) async throws(StoreError) -> Committed {
        guard !commit.isEmpty else { return Committed() }
        return try await perform { session throws(StoreError) in try session.commit(commit, now: now) }
    }

    package func releaseClaims(
        _ which: ClaimRelease, owner: String, now: Timestamp
    ) async throws(StoreError) -> ReleasedClaims {
        try await write { try $0.release(which, owner: owner, now: now) }
    }

    package func releaseFutureWaits(now: Timestamp) async throws(StoreError) {
        try await write { try $0.releaseFutureWaits(now: now) }
    }

    package func deliveries(_ filter: DeliveryFilter) async throws(StoreError) -> [DeliveryRecord] {
        guard let ids = filter.ids else { return try await read { try $0.deliveries(filter, numbers: nil) } }
        var search = DeliverySearch(ids)
        var isMore = true
        while isMore {
            let current = search
            (search, isMore) = try await read { transaction in
                var next = current
                let isMore = try next.step(transaction, PruneBudget(PruneBudget.standard))
                return (next, isMore)
            }
        }
        let numbers = search.numbers
        return try await read { try $0.deliveries(filter, numbers: numbers) }
    }

    package func deliveryIDs(beginningWith digits: String, limit: Int) async throws(StoreError) -> [DeliveryID] {
        var search = DeliveryIDSearch(beginningWith: digits, limit: limit)
        var isMore = true
        while isMore {
            let current = search
            (search, isMore) = try await read { transaction in
                var next = current
                let isMore = try next.step(transaction, PruneBudget(PruneBudget.standard))
                return (next, isMore)
            }
        }
        return search.ids
    }

    package func retry(_ ids: [DeliveryID], now: Timestamp) async throws(StoreError) -> Int {
        try await write { try $0.retry(ids, now: now) }
    }

    package func discard(_ filter: DeliveryFilter, now: Timestamp) async throws(StoreError) -> Discarded {
        try await write { try $0.discard(filter, now: now) }
    }

    package func history(
        of definition: DefinitionID, before instant: Timestamp, limit: Int
    ) async throws(StoreError) -> [HistoryEntry] {
        try await read { try $0.history(of: definition, before: instant, limit: limit) }
    }

    package func recentHistory(before instant: Timestamp, limit: Int) async throws(StoreError) -> [RecentEntry] {
        try await read { try $0.recentHistory(before: instant, limit: limit) }
    }

    /// Runs many short transactions, so that commits get their turn between them.
    package func lastOutcomes(
        of definitions: [DefinitionID], now: Timestamp
    ) async throws(StoreError) -> [DefinitionID: HistoryEntry] {
        let page = 200
        var outcomes: [DefinitionID: HistoryEntry] = [:]
        for start in stride(from: 0, to: definitions.count, by: page) {
            let ids = definitions[start..<min(start + page, definitions.count)]
            outcomes.merge(try await read { try $0.lastOutcomes(of: ids, now: now) }) { $1 }
        }
        return outcomes
    }

    package func standing() async throws(StoreError) -> DeliveryStanding {
        try await read { try $0.standing() }
    }

    package func controls(
        of definition: DefinitionID?, before instant: Timestamp, limit: Int
    ) async throws(StoreError) -> [ControlRecord] {
        try await read { try $0.controls(of: definition, before: instant, limit: limit) }
    }

    package func keptFiles(root: String) async throws(StoreError) -> KeptFiles {
        try await read { try $0.keptFiles(root: root) }
    }

    package func keep(
        _ changed: [KeptFile], forget: [String], root: String, now: Timestamp
    ) async throws(StoreError) {
        guard !changed.isEmpty || !forget.isEmpty else { return }
        try await write { try $0.keep(changed, forget: forget, root: root, now: now) }
    }

    package func adHocDefinitions() async throws(StoreError) -> [AdHocDefinition] {
        try await read { try $0.adHocDefinitions() }
    }

    package func add(_ definition: AdHocDefinition) async throws(StoreError) {
        try await write { try $0.write(definition) }
    }

    package func removeAdHoc(_ ids: [DefinitionID]) async throws(StoreError) -> Int {
        try await write { try $0.removeAdHoc(ids) }
    }

    package func sessions() async throws(StoreError) -> [WebSession] {
        try await read { try $0.sessions() }
    }

    package func keep(_ session: WebSession) async throws(StoreError) {
        try await write { try $0.write(session) }
    }

    package func endSessions(_ digests: [String]) async throws(StoreError) -> Int {
        try await write { try $0.removeSessions(digests) }
    }

    /// Runs many short transactions without waiting for the disk. The next pruning removes what a crash restores.
    package func prune(_ retention: Retention, now: Timestamp) async throws(StoreError) {
        let budget = PruneBudget.standard
        let history = now.advanced(by: .zero - retention.history)
        let removed = now.advanced(by: .zero - retention.removedSchedules)
        try await step(PruneCursor()) { try $0.step($1, before: history, PruneBudget(budget)) }
        if retention.firingsOfOne < .max {
            try await step(SurplusCursor()) { try $0.step($1, keeping: retention.firingsOfOne, PruneBudget(budget)) }
        }
        while try await write(as: .writingOrdered, { try $0.pruneOmissions(before: history) }) {}
        try await write(as: .writingOrdered) { transaction in
            try transaction.pruneSchedulesAndSinks(removedBefore: removed)
            try transaction.pruneControls(before: history)
        }
    }

    /// Runs steps with a cursor, each in its own transaction, until one returns false.
    private func step<Cursor: Sendable>(
        _ cursor: Cursor, _ work: @escaping @Sendable (inout Cursor, Transaction) throws -> Bool
    ) async throws(StoreError) {
        var cursor = cursor
        var isMore = true
        while isMore {
            let current = cursor
            (cursor, isMore) = try await write(as: .writingOrdered) { transaction in
                var next = current
                let isMore = try work(&next, transaction)
                return (next, isMore)
            }
        }
    }

    /// Ends the lease and closes the connection. Closing again has no effect.
    package func close() async throws(StoreError) {
        await withCheckedContinuation { continuation in
            queue.async {
                self.session.end()
                continuation.resume()
            }
        }
    }

    /// Runs a verb that only reads. It sees one consistent state of the store.
    private func read<Value: Sendable>(
        _ verb: @escaping @Sendable (Transaction) throws -> Value
    ) async throws(StoreError) -> Value {
        try await perform { session throws(StoreError) in try session.run(.reading, verb) }
    }

    /// Runs a verb that writes.
    private func write<Value: Sendable>(
        as access: Session.Access = .writing, _ verb: @escaping @Sendable (Transaction) throws -> Value
    ) async throws(StoreError) -> Value {
        try await perform { session throws(StoreError) in try session.run(access, verb) }
    }

    /// Runs `work` to its end on the queue of the connection.
    private func perform<Value: Sendable>(
        _ work: @escaping @Sendable (Session) throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        let result: Result<Value, StoreError> = await withCheckedContinuation { continuation in
            queue.async {
                let result: Result<Value, StoreError>
                do throws(StoreError) {
                    result = .success(try work(self.session))
                } catch {
                    result = .failure(error)
                }
                continuation.resume(returning: result)
            }
        }
        return try result.get()
    }
}
