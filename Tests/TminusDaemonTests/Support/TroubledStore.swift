import TminusCore
import TminusTestKit

/// A memory store that can refuse single verbs, and commits by what they carry.
final class TroubledStore: Store {
    enum Verb: Sendable, Hashable {
        case snapshot, commit, release, prune, keptFiles, keep, adHocDefinitions, addAdHoc, standing, sessions
    }

    /// What a commit carries.
    enum Part: Sendable, Hashable {
        case any, schedules, firings, settlements, claims
    }

    private struct State: Sendable {
        var refused: Set<Verb> = []
        var refusedParts: Set<Part> = []
        var calls: [Verb: Int] = [:]
        var commits: [Part: Int] = [:]
        var unreadable: [DeliveryID] = []
        var unreadableSchedules = 0
        var beforeCommit: @Sendable (Commit) async -> Void = { _ in }
        var afterCommit: @Sendable (Commit) -> Void = { _ in }
    }

    static let trouble = StoreError(.full, "memory: no room")

    let memory = MemoryStore()
    private let state = Watched(State())

    /// Refuses verbs from now on.
    func refuse(_ verbs: Verb...) { state.update { $0.refused.formUnion(verbs) } }
    /// Refuses commits that carry one of `parts` from now on.
    func refuse(_ parts: Part...) { state.update { $0.refusedParts.formUnion(parts) } }
    /// Refuses nothing from now on.
    func work() {
        state.update { state in
            state.refused = []
            state.refusedParts = []
        }
    }

    /// Calls `look` with every commit before it is made or refused.
    func beforeCommit(_ look: @escaping @Sendable (Commit) async -> Void) { state.update { $0.beforeCommit = look } }
    /// Calls `look` with every commit that was made, before the engine gets the answer.
    func afterCommit(_ look: @escaping @Sendable (Commit) -> Void) { state.update { $0.afterCommit = look } }
    /// Reports a delivery as unreadable with the next commit.
    func spoil(_ id: DeliveryID) { state.update { $0.unreadable.append(id) } }
    /// Reports so many unreadable schedules with the snapshot.
    func spoilSchedules(_ count: Int) { state.update { $0.unreadableSchedules = count } }

    /// How often a verb was called, refused calls included.
    func calls(_ verb: Verb) -> Int { state.value.calls[verb, default: 0] }

    /// How many commits carried `part`, refused ones included.
    func commits(_ part: Part) -> Int { state.value.commits[part, default: 0] }

    func waitForCalls(_ verb: Verb, _ count: Int) async throws {
        guard await state.wait(upTo: Bounded.limit, until: { $0.calls[verb, default: 0] >= count }) else {
            throw ConformanceFailure("\(calls(verb)) of \(count) calls of \(verb)")
        }
    }

    func waitForCommits(_ part: Part, _ count: Int) async throws {
        guard await state.wait(upTo: Bounded.limit, until: { $0.commits[part, default: 0] >= count }) else {
            throw ConformanceFailure("\(commits(part)) of \(count) commits with \(part)")
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

    @discardableResult
    func commit(_ commit: Commit, now: Timestamp) async throws(StoreError) -> Committed {
        await state.value.beforeCommit(commit)
        try check(.commit)
        let parts = commit.testParts
        let isRefused = state.update { state in
            for part in parts { state.commits[part, default: 0] += 1 }
            return !state.refusedParts.isDisjoint(with: parts)
        }
        if isRefused { throw Self.trouble }
        var committed = try await memory.commit(commit, now: now)
        committed.unreadable += state.update { state in
            defer { state.unreadable = [] }
            return state.unreadable
        }
        state.value.afterCommit(commit)
        return committed
    }

    func releaseClaims(_ which: ClaimRelease, owner: String, now: Timestamp) async throws(StoreError) -> ReleasedClaims
    {
        try check(.release)
        return try await memory.releaseClaims(which, owner: owner, now: now)
    }

    func releaseFutureWaits(now: Timestamp) async throws(StoreError) {
        try await memory.releaseFutureWaits(now: now)
    }

    func deliveries(_ filter: DeliveryFilter) async throws(StoreError) -> [DeliveryRecord] {
        try await memory.deliveries(filter)
    }

    func deliveryIDs(beginningWith digits: String, limit: Int) async throws(StoreError) -> [DeliveryID] {
        try await memory.deliveryIDs(beginningWith: digits, limit: limit)
    }

    func retry(_ filter: DeliveryFilter, now: Timestamp) async throws(StoreError) -> Int {
        try await memory.retry(filter, now: now)
    }

    func discard(_ filter: DeliveryFilter, now: Timestamp) async throws(StoreError) -> Discarded {
        try await memory.discard(filter, now: now)
    }

    func history(
        of definition: DefinitionID, before instant: Timestamp, limit: Int
    ) async throws(StoreError) -> [HistoryEntry] {
        try await memory.history(of: definition, before: instant, limit: limit)
    }

    func recentHistory(before instant: Timestamp, limit: Int) async throws(StoreError) -> [RecentEntry] {
        try await memory.recentHistory(before: instant, limit: limit)
    }

    func lastOutcomes(
        of definitions: [DefinitionID], now: Timestamp
    ) async throws(StoreError) -> [DefinitionID: HistoryEntry] {
        try await memory.lastOutcomes(of: definitions, now: now)
    }

    func standing() async throws(StoreError) -> DeliveryStanding {
        try check(.standing)
        return try await memory.standing()
    }

    func troubled(_ definition: DefinitionID?) async throws(StoreError) -> [DefinitionID: UndeliveredCount] {
        try check(.standing)
        return try await memory.troubled(definition)
    }

    func controls(
        of definition: DefinitionID?, before instant: Timestamp, limit: Int
    ) async throws(StoreError) -> [ControlRecord] {
        try await memory.controls(of: definition, before: instant, limit: limit)
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

    func sessions() async throws(StoreError) -> [WebSession] {
        try check(.sessions)
        return try await memory.sessions()
    }

    func keep(_ session: WebSession) async throws(StoreError) {
        try check(.sessions)
        try await memory.keep(session)
    }

    func endSessions(_ digests: [String]) async throws(StoreError) -> Int {
        try check(.sessions)
        return try await memory.endSessions(digests)
    }

    func prune(_ retention: Retention, now: Timestamp) async throws(StoreError) {
        try check(.prune)
        try await memory.prune(retention, now: now)
    }

    func close() async throws(StoreError) { try await memory.close() }
}

extension Commit {
    /// The parts by which a test refuses and counts it.
    var testParts: Set<TroubledStore.Part> {
        var parts: Set<TroubledStore.Part> = [.any]
        if !schedules.isEmpty { parts.insert(.schedules) }
        if !firings.isEmpty { parts.insert(.firings) }
        if !settlements.isEmpty { parts.insert(.settlements) }
        if claim != nil { parts.insert(.claims) }
        return parts
    }
}
