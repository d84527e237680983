import TminusCore

/// A store in the hands of a check, with short forms of its verbs. Instants are seconds after the epoch of the fixtures.
struct StoreUnderTest: Sendable {
    let store: any Store
    let reopen: (@Sendable (any Store) async throws -> any Store)?

    /// The store as it is found after a crash.
    func reopened() async throws -> StoreUnderTest {
        guard let reopen else { return self }
        return StoreUnderTest(store: try await reopen(store), reopen: reopen)
    }

    /// Discards single deliveries, and says how many.
    func discard(_ ids: [DeliveryID], at now: Int64) async throws -> Int {
        try await store.discard(DeliveryFilter(ids: ids), now: .fixture(now)).deliveries.count
    }

    /// Commits at `now`.
    @discardableResult
    func commit(_ commit: Commit, at now: Int64 = 100) async throws -> Committed {
        try await store.commit(commit, now: .fixture(now))
    }

    /// Writes firings and schedules at `now`.
    /// `schedules`: nil for one of each definition, which waits for the end of its last firing.
    @discardableResult
    func advance(
        _ firings: [Firing], schedules: [ScheduleState]? = nil, at now: Int64 = 100
    ) async throws -> Committed {
        let waiting = Dictionary(
            firings.map { ($0.definition, ScheduleState.fixture(waitingFor: $0)) }, uniquingKeysWith: { $1 })
        return try await commit(Commit(schedules: schedules ?? Array(waiting.values), firings: firings), at: now)
    }

    /// Claims what is due at `now`; the claims end 60 s later.
    func claim(
        at now: Int64 = 100, limit: Int = 100, room: [SinkKey: Int] = [:], otherRoom: Int = 100, owner: String = "me"
    ) async throws -> [Delivery] {
        let request = ClaimRequest.fixture(at: now, limit: limit, room: room, otherRoom: otherRoom, owner: owner)
        return try await commit(Commit(claim: request), at: now).claimed
    }

    /// The only delivery that can be claimed at `now`.
    func claimOne(at now: Int64 = 100, owner: String = "me") async throws -> Delivery {
        let claimed = try await claim(at: now, owner: owner)
        try expectEqual(claimed.count, 1, "deliveries claimed at \(now)")
        return try require(claimed.first, "nothing could be claimed at \(now)")
    }

    /// The next attempt of what waits longer than until `now`, without a claim.
    func nextAttempt(after now: Int64 = 0) async throws -> Timestamp? {
        try await commit(Commit(claim: .fixture(at: now, limit: 1, otherRoom: 0)), at: now).nextAttempt
    }

    /// The tokens of `owner`'s claims that are to give way, without a claim.
    func replaced(owner: String = "me", at now: Int64 = 100) async throws -> [String] {
        try await commit(Commit(claim: .fixture(at: now, limit: 0, owner: owner)), at: now).replaced
    }

    /// Settles claims.
    @discardableResult
    func settle(_ settlements: [Settlement], at now: Int64 = 100) async throws -> [EndedExpiry] {
        try await commit(Commit(settlements: settlements), at: now).endedExpiries
    }

    /// Settles one claim.
    @discardableResult
    func settle(
        _ claimed: Delivery, _ outcome: Outcome, report: DeliveryReport? = .empty, telling firings: [Firing] = [],
        at now: Int64 = 100
    ) async throws -> [EndedExpiry] {
        try await settle([.fixture(claimed, outcome, report: report, telling: firings)], at: now)
    }

    /// The only delivery to `sink`, however it stands.
    func record(to sink: String = "chat") async throws -> DeliveryRecord {
        let records = try await store.deliveries(DeliveryFilter(sink: SinkKey(sink)))
        try expectEqual(records.count, 1, "deliveries to \(sink)")
        return try require(records.first, "no delivery to \(sink)")
    }

    /// Where the deliveries of a definition stand, in the order in which they were written.
    func states(of id: String = "tea") async throws -> [DeliveryState] {
        try await store.deliveries(DeliveryFilter(definition: .fixture(id))).reversed().map(\.state)
    }
}
