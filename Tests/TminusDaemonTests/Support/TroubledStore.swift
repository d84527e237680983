import TminusCore
import TminusTestKit

/// A memory store of which single verbs can be made to refuse.
final class TroubledStore: Store {
    enum Verb: Sendable, Hashable {
        case snapshot, advance, claim, settle, release, nextAttempt, sink, prune, keptFiles, keep, adHocDefinitions,
            addAdHoc
    }

    private struct State: Sendable {
        var refused: Set<Verb> = []
        var calls: [Verb: Int] = [:]
        var unreadable: Set<DefinitionID> = []
        var unreadableSchedules = 0
        var afterClaim: @Sendable () -> Void = {}
        var beforeAdvance: @Sendable (Advance) -> Void = { _ in }
    }

    static let trouble = StoreError(.full, "memory: no room")

    let memory = MemoryStore()
    private let state = Watched(State())

    func refuse(_ verbs: Verb...) { state.update { $0.refused.formUnion(verbs) } }
    func work() { state.update { $0.refused = [] } }
    /// Makes the payloads of a definition unreadable.
    func spoil(_ id: DefinitionID) { state.update { _ = $0.unreadable.insert(id) } }
    /// Has something happen right after every claim.
    func afterClaim(_ event: @escaping @Sendable () -> Void) { state.update { $0.afterClaim = event } }
    /// Has something happen right before every advance.
    func beforeAdvance(_ event: @escaping @Sendable (Advance) -> Void) { state.update { $0.beforeAdvance = event } }
    func spoilSchedules(_ count: Int) { state.update { $0.unreadableSchedules = count } }

    func calls(_ verb: Verb) -> Int { state.value.calls[verb, default: 0] }

    func waitForCalls(_ verb: Verb, _ count: Int) async throws {
        guard await state.wait(upTo: .seconds(30), until: { $0.calls[verb, default: 0] >= count }) else {
            throw ConformanceFailure("\(calls(verb)) of \(count) calls of \(verb)")
        }
    }

    private func check(_ verb: Verb) throws(StoreError) {
        let isRefused = state.update { state in
            state.calls[verb, default: 0] += 1
            return state.refused.contains(verb)
        }
        if isRefused { throw Self.trouble }
    }

    func snapshot() async throws(StoreError) -> StoreSnapshot {
        try check(.snapshot)
        var snapshot = try await memory.snapshot()
        snapshot.unreadable = state.value.unreadableSchedules
        return snapshot
    }

    func advance(_ advance: Advance, now: Timestamp) async throws(StoreError) -> [EndedExpiry] {
        try check(.advance)
        return try await memory.advance(advance, now: now)
    }

    func advance(
        _ advance: Advance, andClaim request: ClaimRequest?, now: Timestamp
    ) async throws(StoreError) -> (ended: [EndedExpiry], claimed: [ClaimedDelivery]) {
        try check(.advance)
        state.value.beforeAdvance(advance)
        let (ended, claimed) = try await memory.advance(advance, andClaim: request, now: now)
        return (ended, claimed.isEmpty ? [] : handOut(claimed))
    }

    func claim(_ request: ClaimRequest, now: Timestamp) async throws(StoreError) -> [ClaimedDelivery] {
        try check(.claim)
        return handOut(try await memory.claim(request, now: now))
    }

    private func handOut(_ claimed: [ClaimedDelivery]) -> [ClaimedDelivery] {
        let (unreadable, afterClaim) = (state.value.unreadable, state.value.afterClaim)
        defer { afterClaim() }
        return claimed.map { unreadable.contains($0.definition) ? $0.withoutPayload : $0 }
    }

    func settle(_ settlements: [Settlement], now: Timestamp) async throws(StoreError) -> [EndedExpiry] {
        try check(.settle)
        return try await memory.settle(settlements, now: now)
    }

    func settle(
        _ settlements: [Settlement], andClaim request: ClaimRequest, now: Timestamp
    ) async throws(StoreError) -> (ended: [EndedExpiry], claimed: [ClaimedDelivery], next: Timestamp?) {
        if !settlements.isEmpty { try check(.settle) }
        try check(.claim)
        try check(.nextAttempt)
        let (ended, claimed, next) = try await memory.settle(settlements, andClaim: request, now: now)
        return (ended, handOut(claimed), next)
    }

    func releaseClaims(_ which: ClaimRelease, owner: String, now: Timestamp) async throws(StoreError) -> ReleasedClaims
    {
        try check(.release)
        return try await memory.releaseClaims(which, owner: owner, now: now)
    }

    func clockWasSet(by step: Duration, now: Timestamp) async throws(StoreError) {
        try await memory.clockWasSet(by: step, now: now)
    }

    func replacedClaims(owner: String) async throws(StoreError) -> [String] {
        try await memory.replacedClaims(owner: owner)
    }

    func deliveries(_ filter: DeliveryFilter) async throws(StoreError) -> [DeliveryRecord] {
        try await memory.deliveries(filter)
    }

    func retry(_ ids: [DeliveryID], now: Timestamp) async throws(StoreError) -> Int {
        try await memory.retry(ids, now: now)
    }

    func discard(_ ids: [DeliveryID], now: Timestamp) async throws(StoreError) -> Int {
        try await memory.discard(ids, now: now)
    }

    func history(
        of definition: DefinitionID, before instant: Timestamp, limit: Int
    ) async throws(StoreError) -> [HistoryEntry] {
        try await memory.history(of: definition, before: instant, limit: limit)
    }

    func nextAttempt(after instant: Timestamp) async throws(StoreError) -> Timestamp? {
        try check(.nextAttempt)
        return try await memory.nextAttempt(after: instant)
    }

    func sink(_ key: SinkKey) async throws(StoreError) -> SinkSpec? {
        try check(.sink)
        return try await memory.sink(key)
    }

    func keptFiles(root: String) async throws(StoreError) -> KeptFiles {
        try check(.keptFiles)
        return try await memory.keptFiles(root: root)
    }

    func keep(_ changed: [KeptFile], forget: [String], root: String, now: Timestamp) async throws(StoreError) {
        try check(.keep)
        try await memory.keep(changed, forget: forget, root: root, now: now)
    }

    func adHocDefinitions() async throws(StoreError) -> [AdHocDefinition] {
        try check(.adHocDefinitions)
        return try await memory.adHocDefinitions()
    }

    func add(_ definition: AdHocDefinition) async throws(StoreError) {
        try check(.addAdHoc)
        try await memory.add(definition)
    }

    func removeAdHoc(_ ids: [DefinitionID]) async throws(StoreError) -> Int {
        try check(.addAdHoc)
        return try await memory.removeAdHoc(ids)
    }

    func prune(_ retention: Retention, now: Timestamp) async throws(StoreError) {
        try check(.prune)
        try await memory.prune(retention, now: now)
    }

    func close() async throws(StoreError) { try await memory.close() }
}
