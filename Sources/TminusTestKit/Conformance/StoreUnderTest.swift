import TminusCore

/// A store in the hands of a check, with short forms of its verbs. Instants are seconds after the epoch of the fixtures; without
/// one, it is 100.
struct StoreUnderTest: Sendable {
    let backend: any Store
    let reopen: (@Sendable (any Store) async throws -> any Store)?

    /// The store as it is found after a crash.
    func reopened() async throws -> StoreUnderTest {
        guard let reopen else { return self }
        return StoreUnderTest(backend: try await reopen(backend), reopen: reopen)
    }

    // MARK: Commits

    /// Commits at `now`.
    @discardableResult
    func commit(_ commit: Commit, at now: Int64 = 100) async throws -> Committed {
        try await backend.commit(commit, now: .fixture(now))
    }

    /// Writes firings, each with a schedule that waits for the end of the last one of its definition.
    @discardableResult
    func write(_ firings: Firing..., at now: Int64 = 100) async throws -> Committed {
        try await write(firings, at: now)
    }

    /// Writes firings and schedules.
    /// `schedules`: nil for one of each definition, which waits for the end of its last firing.
    @discardableResult
    func write(
        _ firings: [Firing], schedules: [ScheduleState]? = nil, at now: Int64 = 100
    ) async throws -> Committed {
        let waiting = Dictionary(
            firings.map { ($0.definition, ScheduleState.fixture(waitingFor: $0)) }, uniquingKeysWith: { $1 })
        return try await commit(Commit(schedules: schedules ?? Array(waiting.values), firings: firings), at: now)
    }

    /// Writes schedules.
    func write(schedules: ScheduleState...) async throws { try await commit(Commit(schedules: schedules)) }

    /// Withdraws from `tea` what `cause` covers.
    func withdraw(_ cause: Withdrawal.Cause, at now: Int64 = 100) async throws -> Committed {
        try await commit(Commit(withdrawals: [Withdrawal(.fixture("tea"), cause)]), at: now)
    }

    // MARK: Claims

    /// Claims what is due; the claims end 60 s later.
    func claim(
        at now: Int64 = 100, limit: Int = 100, room: [String: Int] = [:], otherRoom: Int = 100, owner: String = "me"
    ) async throws -> [Delivery] {
        let request = ClaimRequest.fixture(at: now, limit: limit, room: room, otherRoom: otherRoom, owner: owner)
        return try await commit(Commit(claim: request), at: now).claimed
    }

    /// The only delivery that can be claimed.
    func claimOne(
        at now: Int64 = 100, owner: String = "me", file: String = #fileID, line: Int = #line
    ) async throws -> Delivery {
        let claimed = try await claim(at: now, owner: owner)
        try expectEqual(claimed.count, 1, "deliveries claimed at \(now)", file: file, line: line)
        return claimed[0]
    }

    /// Writes a firing and claims its only delivery.
    func claimed(
        _ firing: Firing = .fixture(), owner: String = "me", file: String = #fileID, line: Int = #line
    ) async throws -> Delivery {
        try await write(firing)
        return try await claimOne(owner: owner, file: file, line: line)
    }

    /// Expects the deliveries that can be claimed, in their order, and claims them.
    @discardableResult
    func expectClaims(
        _ definitions: String..., at now: Int64 = 100, limit: Int = 100, room: [String: Int] = [:],
        otherRoom: Int = 100, owner: String = "me", file: String = #fileID, line: Int = #line
    ) async throws -> [Delivery] {
        let claimed = try await claim(at: now, limit: limit, room: room, otherRoom: otherRoom, owner: owner)
        try expectEqual(claimed.map(\.definition.rawValue), definitions, "claimed", file: file, line: line)
        return claimed
    }

    /// Expects that nothing can be claimed.
    func expectNoClaims(
        at now: Int64 = 100, owner: String = "me", file: String = #fileID, line: Int = #line
    ) async throws {
        try await expectClaims(at: now, owner: owner, file: file, line: line)
    }

    /// The next attempt of what waits longer than until `now`, without a claim.
    func nextAttempt(after now: Int64 = 0) async throws -> Timestamp? {
        try await commit(Commit(claim: .fixture(at: now, limit: 1, otherRoom: 0)), at: now).nextAttempt
    }

    /// The tokens of `owner`'s claims that are to give way, without a claim.
    func replaced(owner: String = "me") async throws -> [String] {
        try await commit(Commit(claim: .fixture(limit: 0, owner: owner))).replaced
    }

    /// Releases what other owners had claimed.
    func release(
        _ which: ClaimRelease = .ofFormerOwners, owner: String = "me", at now: Int64 = 100
    ) async throws -> ReleasedClaims {
        try await backend.releaseClaims(which, owner: owner, now: .fixture(now))
    }

    // MARK: Ends

    /// Settles claims.
    @discardableResult
    func settle(_ settlements: [Settlement], at now: Int64 = 100) async throws -> [EndedExpiry] {
        try await commit(Commit(settlements: settlements), at: now).endedExpiries
    }

    /// Settles one claim.
    @discardableResult
    func settle(
        _ claimed: Delivery, _ outcome: Outcome = .delivered, report: DeliveryReport? = .empty,
        telling firings: [Firing] = [], at now: Int64 = 100
    ) async throws -> [EndedExpiry] {
        try await settle([.fixture(claimed, outcome, report: report, telling: firings)], at: now)
    }

    /// Writes a firing, and settles the claim of its only delivery.
    @discardableResult
    func settled(_ firing: Firing = .fixture(), _ outcome: Outcome = .delivered) async throws -> Delivery {
        let claim = try await claimed(firing)
        try await settle(claim, outcome)
        return claim
    }

    /// Discards deliveries.
    func discard(_ filter: DeliveryFilter, at now: Int64 = 200) async throws -> Discarded {
        try await backend.discard(filter, now: .fixture(now))
    }

    /// Discards single deliveries, and says how many.
    func discard(_ ids: DeliveryID..., at now: Int64 = 200) async throws -> Int {
        try await discard(DeliveryFilter(ids: ids), at: now).deliveries.count
    }

    /// Has deliveries tried again, and says how many.
    func retry(_ ids: DeliveryID..., at now: Int64 = 100) async throws -> Int {
        try await retry(DeliveryFilter(ids: ids), at: now)
    }

    /// Has the selected deliveries tried again, and says how many.
    func retry(_ filter: DeliveryFilter, at now: Int64 = 100) async throws -> Int {
        try await backend.retry(filter, now: .fixture(now))
    }

    /// Removes what is past its retention.
    func prune(_ retention: Retention, at now: Int64) async throws {
        try await backend.prune(retention, now: .fixture(now))
    }

    // MARK: What is stored

    /// Deliveries, in the order in which they were written, without the machines that only a shared store adds.
    func records(_ filter: DeliveryFilter = DeliveryFilter()) async throws -> [DeliveryRecord] {
        var records = try await backend.deliveries(filter)
        for record in records.indices {
            for attempt in records[record].log.indices { records[record].log[attempt].report.machine = nil }
        }
        return records.reversed()
    }

    /// The only delivery to `sink`, or the one with that id.
    func record(
        to sink: String = "chat", id: DeliveryID? = nil, file: String = #fileID, line: Int = #line
    ) async throws -> DeliveryRecord {
        let found = try await records(id.map { DeliveryFilter(ids: [$0]) } ?? DeliveryFilter(sink: SinkKey(sink)))
        try expectEqual(found.count, 1, "deliveries to \(sink)", file: file, line: line)
        return found[0]
    }

    /// Expects where a delivery stands: why, since when it is over, and how its attempts ended.
    /// `begun`: how many attempts have begun; nil for those that ended and the one of a claim.
    func expectRecord(
        to sink: String = "chat", id: DeliveryID? = nil, _ state: DeliveryState, _ reason: String? = nil,
        settled: Int64? = nil, attempts: [AttemptRecord.Outcome] = [], begun: Int? = nil, file: String = #fileID,
        line: Int = #line
    ) async throws {
        let record = try await record(to: sink, id: id, file: file, line: line)
        try expectEqual(record.state, state, "state", file: file, line: line)
        try expectEqual(record.reason, reason, "reason", file: file, line: line)
        try expectEqual(record.settled, settled.map(Timestamp.fixture), "settled", file: file, line: line)
        try expectEqual(record.log.map(\.outcome), attempts, "attempts", file: file, line: line)
        let begun = begun ?? attempts.count + (state == .claimed ? 1 : 0)
        try expectEqual(record.attempts, begun, "number of attempts", file: file, line: line)
        if !state.isOpen { try expectEqual(record.nextAttempt, nil, "next attempt", file: file, line: line) }
    }

    /// Expects where the deliveries of definitions stand, in the order in which they were written.
    func expectStates(
        _ states: DeliveryState..., of ids: String..., file: String = #fileID, line: Int = #line
    ) async throws {
        var found: [DeliveryState] = []
        for id in ids.isEmpty ? ["tea"] : ids {
            found += try await records(DeliveryFilter(definition: .fixture(id))).map(\.state)
        }
        try expectEqual(found, states, "states of \(ids)", file: file, line: line)
    }

    /// The schedules, by id.
    func schedules() async throws -> [ScheduleState] {
        try await backend.snapshot().schedules.sorted { $0.id < $1.id }
    }

    /// The expiries that schedules wait for.
    func openExpiries() async throws -> Set<EndedExpiry> { try await backend.snapshot().openExpiries }

    /// What became of the newest occurrences of a definition.
    func history(of id: String = "tea", before instant: Timestamp = .distantFuture, limit: Int = 10) async throws
        -> [HistoryEntry]
    {
        try await backend.history(of: .fixture(id), before: instant, limit: limit)
    }
}
