public import TminusCore

/// The rules that every ``Store`` keeps, each a named check.
///
///     @Test(arguments: StoreConformance.checks)
///     func conforms(_ check: StoreConformance.Check) async throws {
///         try await check.run { try MyStore(...) }
///     }
///
/// Every check asks for a new, empty store. It needs no particular testing library.
public enum StoreConformance {
    /// One rule.
    public struct Check: Sendable, CustomStringConvertible {
        /// The rule as a sentence.
        public let name: String
        let body: @Sendable (StoreUnderTest) async throws -> Void

        init(_ name: String, _ body: @escaping @Sendable (StoreUnderTest) async throws -> Void) {
            self.name = name
            self.body = body
        }

        public var description: String { name }

        /// Checks the rule; throws a ``ConformanceFailure`` if it is not kept.
        ///
        /// `reopen` opens the content of a store again as after a crash: the handed one is not closed before. Without it
        /// the rules about what survives are checked on the same instance.
        public func run(
            on make: @Sendable () async throws -> any Store,
            reopen: (@Sendable (any Store) async throws -> any Store)? = nil
        ) async throws {
            let subject = StoreUnderTest(store: try await make(), reopen: reopen)
            try await body(subject)
            try await subject.store.close()
        }
    }

    /// Every rule.
    public static let checks: [Check] =
        advanceChecks + claimChecks + writingClaimChecks + settleChecks + expiryChecks + releaseChecks + sinkChecks
        + interruptionChecks + keepChecks + orderChecks + overlapChecks + attemptChecks + deadLetterChecks
        + historyChecks + clockChecks + pruneChecks
        + surplusChecks + lifetimeChecks + controlChecks + adHocChecks
}

/// A store in the hands of a check, with short forms of its verbs.
struct StoreUnderTest: Sendable {
    let store: any Store
    let reopen: (@Sendable (any Store) async throws -> any Store)?

    /// The store as it is found after a crash.
    func reopened() async throws -> StoreUnderTest {
        guard let reopen else { return self }
        return StoreUnderTest(store: try await reopen(store), reopen: reopen)
    }

    /// Writes firings and schedules at `now`, seconds after the epoch of the fixtures.
    /// `schedules`: nil for one of each definition, which waits for the end of its last firing.
    func advance(_ firings: [Firing], schedules: [ScheduleState]? = nil, at now: Int64 = 100) async throws {
        let waiting = Dictionary(
            firings.map { ($0.definition, ScheduleState.fixture(waitingFor: $0)) }, uniquingKeysWith: { $1 })
        try await store.advance(
            Advance(schedules: schedules ?? Array(waiting.values), firings: firings), now: .fixture(now))
    }

    /// Claims what is due at `now`; the claims end 60 s later.
    func claim(
        at now: Int64 = 100, limit: Int = 100, room: [SinkKey: Int] = [:], otherRoom: Int = 100, owner: String = "me"
    ) async throws -> [ClaimedDelivery] {
        let request = ClaimRequest(
            owner: owner, limit: limit, room: room, otherRoom: otherRoom, until: .fixture(now + 60))
        return try await store.claim(request, now: .fixture(now))
    }

    /// The only delivery that can be claimed at `now`.
    func claimOne(at now: Int64 = 100, owner: String = "me") async throws -> ClaimedDelivery {
        let claimed = try await claim(at: now, owner: owner)
        try expectEqual(claimed.count, 1, "deliveries claimed at \(now)")
        return try require(claimed.first, "nothing could be claimed at \(now)")
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

    /// Settles one claim.
    @discardableResult
    func settle(
        _ claim: ClaimedDelivery, _ outcome: Outcome, report: DeliveryReport? = .empty, telling firings: [Firing] = [],
        at now: Int64 = 100
    ) async throws -> [EndedExpiry] {
        let settlement = Settlement(
            token: claim.token, id: claim.id, outcome: outcome, report: report, firings: firings)
        return try await store.settle([settlement], now: .fixture(now))
    }
}
