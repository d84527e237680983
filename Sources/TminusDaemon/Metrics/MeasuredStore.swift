internal import Synchronization
internal import TminusCore

/// A store that counts how long each verb takes and how often it fails.
final class MeasuredStore: Store {
    private typealias Verb = StoreFigures.Verb

    private let store: any Store
    private let figures: StoreFigures
    private let underWay = Mutex(0)

    private static let commit = Verb.commit.place
    private static let snapshot = Verb.snapshot.place
    private static let recover = Verb.recover.place
    private static let read = Verb.read.place
    private static let retry = Verb.retry.place
    private static let discard = Verb.discard.place
    private static let keep = Verb.keep.place
    private static let add = Verb.add.place
    private static let remove = Verb.remove.place
    private static let prune = Verb.prune.place

    /// The same store; several may count into the same figures.
    init(_ store: any Store, into figures: StoreFigures) {
        self.store = store
        self.figures = figures
    }

    /// Whether somebody waits for a verb that was asked of this value.
    var isBusy: Bool { underWay.withLock(\.self) > 0 }

    private func measured<Answer: Sendable>(
        _ verb: Int, _ body: () async throws(StoreError) -> Answer
    ) async throws(StoreError) -> Answer {
        underWay.withLock { $0 += 1 }
        let begun = ContinuousClock.now
        do throws(StoreError) {
            let answer = try await body()
            ended(verb, since: begun, failed: false)
            return answer
        } catch {
            ended(verb, since: begun, failed: true)
            throw error
        }
    }

    private func ended(_ verb: Int, since begun: ContinuousClock.Instant, failed: Bool) {
        underWay.withLock { $0 -= 1 }
        figures.ended(verb, after: begun.duration(to: .now), failed: failed)
    }

    var damagedRows: Int { store.damagedRows }

    func setAsideDamaged(now: Timestamp) async throws(StoreError) -> [DamagedRow] {
        try await measured(Self.recover) { () async throws(StoreError) in try await store.setAsideDamaged(now: now) }
    }

    func snapshot() async throws(StoreError) -> StoreSnapshot {
        try await measured(Self.snapshot) { () async throws(StoreError) in try await store.snapshot() }
    }

    func commit(_ commit: Commit, now: Timestamp) async throws(StoreError) -> Committed {
        try await measured(Self.commit) { () async throws(StoreError) in try await store.commit(commit, now: now) }
    }

    func releaseClaims(
        _ which: ClaimRelease, owner: String, now: Timestamp
    ) async throws(StoreError) -> ReleasedClaims {
        try await measured(Self.recover) { () async throws(StoreError) in
            try await store.releaseClaims(which, owner: owner, now: now)
        }
    }

    func releaseFutureWaits(now: Timestamp) async throws(StoreError) {
        try await measured(Self.recover) { () async throws(StoreError) in
            try await store.releaseFutureWaits(now: now)
        }
    }

    func deliveries(_ filter: DeliveryFilter) async throws(StoreError) -> [DeliveryRecord] {
        try await measured(Self.read) { () async throws(StoreError) in try await store.deliveries(filter) }
    }

    func deliveryIDs(beginningWith digits: String, limit: Int) async throws(StoreError) -> [DeliveryID] {
        try await measured(Self.read) { () async throws(StoreError) in
            try await store.deliveryIDs(beginningWith: digits, limit: limit)
        }
    }

    func retry(_ filter: DeliveryFilter, now: Timestamp) async throws(StoreError) -> Int {
        try await measured(Self.retry) { () async throws(StoreError) in try await store.retry(filter, now: now) }
    }

    func discard(_ filter: DeliveryFilter, now: Timestamp) async throws(StoreError) -> Discarded {
        try await measured(Self.discard) { () async throws(StoreError) in try await store.discard(filter, now: now) }
    }

    func history(
        of definition: DefinitionID, before instant: Timestamp, limit: Int
    ) async throws(StoreError) -> [HistoryEntry] {
        try await measured(Self.read) { () async throws(StoreError) in
            try await store.history(of: definition, before: instant, limit: limit)
        }
    }

    func recentHistory(before instant: Timestamp, limit: Int) async throws(StoreError) -> [RecentEntry] {
        try await measured(Self.read) { () async throws(StoreError) in
            try await store.recentHistory(before: instant, limit: limit)
        }
    }

    func lastOutcomes(
        of definitions: [DefinitionID], now: Timestamp
    ) async throws(StoreError) -> [DefinitionID: HistoryEntry] {
        try await measured(Self.read) { () async throws(StoreError) in
            try await store.lastOutcomes(of: definitions, now: now)
        }
    }

    func standing() async throws(StoreError) -> DeliveryStanding {
        try await measured(Self.read) { () async throws(StoreError) in try await store.standing() }
    }

    func troubled(_ definition: DefinitionID?) async throws(StoreError) -> [DefinitionID: UndeliveredCount] {
        try await measured(Self.read) { () async throws(StoreError) in try await store.troubled(definition) }
    }

    func controls(
        of definition: DefinitionID?, before instant: Timestamp, limit: Int
    ) async throws(StoreError) -> [ControlRecord] {
        try await measured(Self.read) { () async throws(StoreError) in
            try await store.controls(of: definition, before: instant, limit: limit)
        }
    }

    func keptFiles(root: String) async throws(StoreError) -> KeptFiles {
        try await measured(Self.read) { () async throws(StoreError) in try await store.keptFiles(root: root) }
    }

    func keep(_ changed: [KeptFile], forget: [String], root: String, now: Timestamp) async throws(StoreError) {
        try await measured(Self.keep) { () async throws(StoreError) in
            try await store.keep(changed, forget: forget, root: root, now: now)
        }
    }

    func adHocDefinitions() async throws(StoreError) -> [AdHocDefinition] {
        try await measured(Self.read) { () async throws(StoreError) in try await store.adHocDefinitions() }
    }

    func add(_ definition: AdHocDefinition) async throws(StoreError) {
        try await measured(Self.add) { () async throws(StoreError) in try await store.add(definition) }
    }

    func removeAdHoc(_ ids: [DefinitionID]) async throws(StoreError) -> Int {
        try await measured(Self.remove) { () async throws(StoreError) in try await store.removeAdHoc(ids) }
    }

    func sessions() async throws(StoreError) -> [WebSession] {
        try await measured(Self.read) { () async throws(StoreError) in try await store.sessions() }
    }

    func keep(_ session: WebSession) async throws(StoreError) {
        try await measured(Self.keep) { () async throws(StoreError) in try await store.keep(session) }
    }

    func endSessions(_ digests: [String]) async throws(StoreError) -> Int {
        try await measured(Self.remove) { () async throws(StoreError) in try await store.endSessions(digests) }
    }

    func prune(_ retention: Retention, now: Timestamp) async throws(StoreError) {
        try await measured(Self.prune) { () async throws(StoreError) in try await store.prune(retention, now: now) }
    }

    func close() async throws(StoreError) { try await store.close() }
}
