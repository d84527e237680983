package import TminusCore

/// A store whose verbs are transactions of statements. The verbs that all such stores have in common are here; how a transaction
/// is run is the matter of each.
package protocol SQLStore: Store {
    /// Runs a verb that only reads. It sees one consistent state of the store.
    func read<Value: Sendable>(
        _ verb: @escaping @Sendable (Transaction) throws -> Value
    ) async throws(StoreError) -> Value

    /// Runs a verb that writes.
    func write<Value: Sendable>(
        as durability: Durability, _ verb: @escaping @Sendable (Transaction) throws -> Value
    ) async throws(StoreError) -> Value
}

extension SQLStore {
    package func releaseClaims(
        _ which: ClaimRelease, owner: String, now: Timestamp
    ) async throws(StoreError) -> ReleasedClaims {
        let statements: ReleaseStatements =
            switch which {
            case .expired: .expired
            case .ofFormerOwners: .ofOthers
            }
        return try await write(as: .flushed) { try $0.release(statements, owner: owner, now: now) }
    }

    package func releaseFutureWaits(now: Timestamp) async throws(StoreError) {
        try await write(as: .flushed) { try $0.releaseFutureWaits(now: now) }
    }

    package func deliveries(_ filter: DeliveryFilter) async throws(StoreError) -> [DeliveryRecord] {
        guard let ids = filter.ids else { return try await read { try $0.deliveries(filter, numbers: nil) } }
        let search = try await steps(DeliverySearch(ids)) { try $0.step($1, PruneBudget(PruneBudget.standard)) }
        return try await read { try $0.deliveries(filter, numbers: search.numbers) }
    }

    package func deliveryIDs(beginningWith digits: String, limit: Int) async throws(StoreError) -> [DeliveryID] {
        try await steps(DeliveryIDSearch(beginningWith: digits, limit: limit)) {
            try $0.step($1, PruneBudget(PruneBudget.standard))
        }.ids
    }

    package func retry(_ filter: DeliveryFilter, now: Timestamp) async throws(StoreError) -> Int {
        try await write(as: .flushed) { try $0.retry(filter, now: now) }
    }

    package func discard(_ filter: DeliveryFilter, now: Timestamp) async throws(StoreError) -> Discarded {
        try await write(as: .flushed) { try $0.discard(filter, now: now) }
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
            let ids = Array(definitions[start..<min(start + page, definitions.count)])
            outcomes.merge(try await read { try $0.lastOutcomes(of: ids, now: now) }) { $1 }
        }
        return outcomes
    }

    package func standing() async throws(StoreError) -> DeliveryStanding {
        try await read { try $0.standing() }
    }

    package func troubled(_ definition: DefinitionID?) async throws(StoreError) -> [DefinitionID: UndeliveredCount] {
        try await read { try $0.troubled(definition) }
    }

    package func controls(
        of definition: DefinitionID?, before instant: Timestamp, limit: Int
    ) async throws(StoreError) -> [ControlRecord] {
        try await read { try $0.controls(of: definition, before: instant, limit: limit) }
    }

    package func keptFiles(root: String) async throws(StoreError) -> KeptFiles {
        try await read { try $0.keptFiles(root: root) }
    }

    /// The absolute paths of the config directories that have kept files, sorted.
    package func keptRoots() async throws(StoreError) -> [String] {
        try await read { try $0.keptRoots() }
    }

    package func keep(
        _ changed: [KeptFile], forget: [String], root: String, now: Timestamp
    ) async throws(StoreError) {
        guard !changed.isEmpty || !forget.isEmpty else { return }
        try await write(as: .flushed) { try $0.keep(changed, forget: forget, root: root, now: now) }
    }

    package func adHocDefinitions() async throws(StoreError) -> [AdHocDefinition] {
        try await read { try $0.adHocDefinitions() }
    }

    package func add(_ definition: AdHocDefinition) async throws(StoreError) {
        try await write(as: .flushed) { try $0.write(definition) }
    }

    package func removeAdHoc(_ ids: [DefinitionID]) async throws(StoreError) -> Int {
        try await write(as: .flushed) { try $0.removeAdHoc(ids) }
    }

    package func sessions() async throws(StoreError) -> [WebSession] {
        try await read { try $0.sessions() }
    }

    package func keep(_ session: WebSession) async throws(StoreError) {
        try await write(as: .flushed) { try $0.write(session) }
    }

    package func endSessions(_ digests: [String]) async throws(StoreError) -> Int {
        try await write(as: .flushed) { try $0.removeSessions(digests) }
    }

    /// Runs many short transactions without waiting for the disk. The next pruning removes what a power cut restores.
    package func prune(_ retention: Retention, now: Timestamp) async throws(StoreError) {
        try await prune(retention, now: now, budget: PruneBudget.standard)
    }

    /// `budget` limits the time of one transaction.
    package func prune(_ retention: Retention, now: Timestamp, budget: Duration) async throws(StoreError) {
        let history = now.advanced(by: .zero - retention.history)
        let removed = now.advanced(by: .zero - retention.removedSchedules)
        _ = try await steps(PruneCursor(), as: .ordered) { try $0.step($1, before: history, PruneBudget(budget)) }
        if retention.firingsOfOne < .max {
            _ = try await steps(SurplusCursor(), as: .ordered) {
                try $0.step($1, keeping: retention.firingsOfOne, PruneBudget(budget))
            }
        }
        while try await write(as: .ordered, { try $0.pruneOmissions(before: history) }) {}
        try await write(as: .ordered) { transaction in
            try transaction.pruneSchedulesAndSinks(removedBefore: removed)
            try transaction.pruneControls(before: history)
        }
    }

    /// Runs steps from a state on, each in its own transaction, until one returns false. Without a durability they only read.
    private func steps<State: Sendable>(
        _ state: State, as durability: Durability? = nil,
        _ step: @escaping @Sendable (inout State, Transaction) throws -> Bool
    ) async throws(StoreError) -> State {
        var (state, isMore) = (state, true)
        while isMore {
            let current = state
            let verb: @Sendable (Transaction) throws -> (State, Bool) = { transaction in
                var next = current
                let isMore = try step(&next, transaction)
                return (next, isMore)
            }
            if let durability {
                (state, isMore) = try await write(as: durability, verb)
            } else {
                (state, isMore) = try await read(verb)
            }
        }
        return state
    }
}
