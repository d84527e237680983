import Synchronization
public import TminusCore

/// A store that forgets everything at the end of the process: for tests, with the rules of the real ones.
public final class MemoryStore: Store {
    private struct State: Sendable {
        var outbox = MemoryOutbox()
        var trouble: StoreError?
        var isClosed = false
    }

    private let state = Watched(State())

    /// An empty store.
    public init() {}

    /// Every delivery, in the order in which it was written.
    public var deliveries: [MemoryDelivery] { state.value.outbox.allDeliveries }

    /// Every omission, in the order in which it was written.
    public var omissions: [Omission] { Array(state.value.outbox.omissions.all) }

    /// Makes every verb throw `error` and change nothing, until it is called with nil.
    public func fail(with error: StoreError?) {
        state.update { $0.trouble = error }
    }

    /// Waits until the deliveries are as asked; false if they were not within `limit` of steady time.
    public func wait(
        upTo limit: Duration = .seconds(10), until isSatisfied: @escaping @Sendable ([MemoryDelivery]) -> Bool
    ) async -> Bool {
        await state.wait(upTo: limit) { isSatisfied($0.outbox.allDeliveries) }
    }

    public func snapshot() async throws(StoreError) -> StoreSnapshot {
        try perform { $0.snapshot() }
    }

    @discardableResult
    public func advance(_ advance: Advance, now: Timestamp) async throws(StoreError) -> [EndedExpiry] {
        try perform { $0.advance(advance, now: now) }
    }

    public func advance(
        _ advance: Advance, andClaim request: ClaimRequest?, now: Timestamp
    ) async throws(StoreError) -> (ended: [EndedExpiry], claimed: [ClaimedDelivery]) {
        // One after the other: whoever waits for the lock waits half as long. What cannot be claimed any more waits.
        let ended = try perform { $0.advance(advance, now: now) }
        guard let request else { return (ended, []) }
        return (ended, (try? perform { $0.claim(request, now: now) }) ?? [])
    }

    public func claim(_ request: ClaimRequest, now: Timestamp) async throws(StoreError) -> [ClaimedDelivery] {
        try perform { $0.claim(request, now: now) }
    }

    public func settle(_ settlements: [Settlement], now: Timestamp) async throws(StoreError) -> [EndedExpiry] {
        try perform { $0.settle(settlements, now: now) }
    }

    public func settle(
        _ settlements: [Settlement], andClaim request: ClaimRequest, now: Timestamp
    ) async throws(StoreError) -> (ended: [EndedExpiry], claimed: [ClaimedDelivery], next: Timestamp?) {
        try perform {
            ($0.settle(settlements, now: now), $0.claim(request, now: now), $0.nextAttempt(after: now))
        }
    }

    public func releaseClaims(
        _ which: ClaimRelease, owner: String, now: Timestamp
    ) async throws(StoreError) -> ReleasedClaims {
        try perform { $0.release(which, owner: owner, now: now) }
    }

    public func clockWasSet(by step: Duration, now: Timestamp) async throws(StoreError) {
        try perform { $0.clockWasSet(by: step, now: now) }
    }

    public func replacedClaims(owner: String) async throws(StoreError) -> [String] {
        try perform { $0.replacedClaims(owner: owner) }
    }

    public func deliveries(_ filter: DeliveryFilter) async throws(StoreError) -> [DeliveryRecord] {
        try perform { $0.deliveries(filter) }
    }

    public func retry(_ ids: [DeliveryID], now: Timestamp) async throws(StoreError) -> Int {
        try perform { $0.retry(ids, now: now) }
    }

    public func discard(_ ids: [DeliveryID], now: Timestamp) async throws(StoreError) -> Int {
        try perform { $0.discard(ids) }
    }

    public func history(
        of definition: DefinitionID, before instant: Timestamp, limit: Int
    ) async throws(StoreError) -> [HistoryEntry] {
        try perform { $0.history(of: definition, before: instant, limit: limit) }
    }

    public func nextAttempt(after instant: Timestamp) async throws(StoreError) -> Timestamp? {
        try perform { $0.nextAttempt(after: instant) }
    }

    public func sink(_ key: SinkKey) async throws(StoreError) -> SinkSpec? {
        try perform { $0.sink(key) }
    }

    public func keptFiles(root: String) async throws(StoreError) -> KeptFiles {
        try perform { $0.keptFiles(root: root) }
    }

    public func keep(
        _ changed: [KeptFile], forget: [String], root: String, now: Timestamp
    ) async throws(StoreError) {
        try perform { $0.keep(changed, forget: forget, root: root) }
    }

    public func adHocDefinitions() async throws(StoreError) -> [AdHocDefinition] {
        try perform { $0.adHoc.values.sorted { $0.id < $1.id } }
    }

    public func add(_ definition: AdHocDefinition) async throws(StoreError) {
        try perform { $0.adHoc[definition.id] = definition }
    }

    public func removeAdHoc(_ ids: [DefinitionID]) async throws(StoreError) -> Int {
        try perform { outbox in ids.count { outbox.adHoc.removeValue(forKey: $0) != nil } }
    }

    public func prune(_ retention: Retention, now: Timestamp) async throws(StoreError) {
        try perform { $0.prune(retention, now: now) }
    }

    public func close() async throws(StoreError) {
        state.update { $0.isClosed = true }
    }

    private func perform<Value: Sendable>(_ verb: (inout MemoryOutbox) -> Value) throws(StoreError) -> Value {
        let result: Result<Value, StoreError> = state.update { state in
            if state.isClosed { return .failure(StoreError(.other, "memory: the store is closed")) }
            if let trouble = state.trouble { return .failure(trouble) }
            return .success(verb(&state.outbox))
        }
        return try result.get()
    }
}
