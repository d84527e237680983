import TminusCore

/// What is withdrawn while it waits: the rows of the table of ``Withdrawal``.
extension StoreConformance {
    static let withdrawalChecks: [Check] = [
        Check("removing a definition withdraws its reminders and nothing else") { subject in
            try await subject.withdraw(.removed, withdrawing: ["reminder"], because: "the definition was removed")
        },
        Check("disabling a definition withdraws all its actions") { subject in
            try await subject.withdraw(
                .disabled, withdrawing: ["reminder", "expiry", "snoozed", "elapsed", "missed"],
                because: "the definition was disabled")
        },
        Check("muting a definition withdraws all its actions") { subject in
            try await subject.withdraw(
                .muted, withdrawing: ["reminder", "expiry", "snoozed", "elapsed", "missed"], because: "it was muted")
        },
        Check("skipping an occurrence withdraws its reminders") { subject in
            try await subject.withdraw(
                .skipped(.fixture(90)), withdrawing: ["reminder"], because: "its occurrence was skipped")
        },
        Check("skipping an occurrence leaves the reminders of others") { subject in
            try await subject.withdraw(.skipped(.fixture(91)), withdrawing: [], because: nil)
        },
        Check("moving a timer withdraws the reminders of the end that it no longer has") { subject in
            let standing = Withdrawal.Standing.timer(deadline: .fixture(500), now: .fixture(80))
            try await subject.withdraw(
                .moved(standing), withdrawing: ["reminder"], because: "its occurrence was moved")
        },
        Check("moving a timer leaves the reminders of its present end, and of those that are past") { subject in
            for standing in [
                Withdrawal.Standing.timer(deadline: .fixture(90), now: .fixture(80)),
                .timer(deadline: nil, now: .fixture(90)),
            ] {
                try await subject.withdraw(.moved(standing), withdrawing: [], because: nil)
            }
        },
        Check("a withdrawal covers its definition and no other") { subject in
            try await subject.advance([try .fixture("a"), try .fixture("b")])
            try await subject.commit(Commit(withdrawals: [Withdrawal(try .fixture("a"), .disabled)]))
            let states = try await subject.states(of: "a") + subject.states(of: "b")
            try expectEqual(states, [.skipped, .pending], "states")
        },
        Check("the general mute withdraws the deliveries of all definitions") { subject in
            try await subject.advance([try .fixture("a"), try .fixture("b", to: ["x", "y"])])
            try await subject.commit(Commit(withdrawals: [Withdrawal(nil, .muted)]))
            let records = try await subject.store.deliveries(DeliveryFilter())
            try expectEqual(records.map(\.state), [.skipped, .skipped, .skipped], "states")
            try expectEqual(Set(records.map(\.reason)), ["it was muted"], "reasons")
            try expectEqual(try await subject.claim(), [], "claimed")
        },
        Check("a withdrawn delivery stays skipped") { subject in
            try await subject.advance([try .fixture()])
            try await subject.settle(try await subject.claimOne(), .retry(at: .fixture(150), reason: "busy"))
            try await subject.commit(Commit(withdrawals: [Withdrawal(try .fixture("tea"), .disabled)]), at: 120)
            try await subject.commit(Commit(withdrawals: [Withdrawal(nil, .muted)]), at: 130)
            let later = try await subject.reopened()
            let record = try await later.record()
            try expectEqual(record.state, .skipped, "state")
            try expectEqual(record.reason, "the definition was disabled", "reason")
            try expectEqual(record.settled, .fixture(120), "settled")
            try expectEqual(record.log.map(\.outcome), [.retry], "attempts")
            try expectEqual(try await later.claim(at: 10_000), [], "claimed")
            try expectEqual(try await later.store.retry([record.id], now: .fixture(200)), 0, "tried again")
        },
        Check("a withdrawn delivery is not revived when its firing is written again") { subject in
            let firing = try Firing.fixture(at: 90)
            try await subject.advance([firing])
            try await subject.commit(Commit(withdrawals: [Withdrawal(try .fixture("tea"), .disabled)]))
            try await subject.advance([firing])
            try expectEqual(try await subject.states(), [.skipped], "states")
        },
        Check("a queued delivery is withdrawn as well, and one that stays gets its turn") { subject in
            let reminder = FiringAction.reminder(CalendarSpan(nanoseconds: 5), .before)
            try await subject.advance([
                try .fixture(at: 80, reminder), try .fixture(at: 90, reminder), try .fixture(at: 95),
                try .fixture(at: 99, reminder),
            ])
            try expectEqual(try await subject.states(), [.pending, .queued, .queued, .queued], "states before")
            try await subject.commit(Commit(withdrawals: [Withdrawal(try .fixture("tea"), .removed)]))
            try expectEqual(try await subject.states(), [.skipped, .skipped, .pending, .skipped], "states")
            try expectEqual(try await subject.claimOne().due, .fixture(95), "due")
        },
        Check("a withdrawal reports the end of the expiry that it ends") { subject in
            try await subject.advance([try .fixture(to: ["a", "b"])])
            let committed = try await subject.commit(
                Commit(withdrawals: [Withdrawal(try .fixture("tea"), .muted)]))
            let expiry = EndedExpiry(definition: try .fixture("tea"), occurrence: .fixture(100))
            try expectEqual(committed.endedExpiries, [expiry], "ended")
            try expectEqual(try await subject.store.snapshot().openExpiries, [], "open expiries")
        },
        Check("a commit withdraws after its settlements and its firings, and before its claims") { subject in
            try await subject.advance([try .fixture("a", at: 80)])
            let claim = try await subject.claimOne()
            let committed = try await subject.commit(
                Commit(
                    settlements: [.fixture(claim, .delivered)], firings: [try .fixture("a", at: 90)],
                    withdrawals: [Withdrawal(nil, .muted)],
                    claim: ClaimRequest(owner: "me", limit: 9, otherRoom: 9, until: .fixture(160))))
            try expectEqual(committed.claimed, [], "claimed")
            try expectEqual(try await subject.states(of: "a"), [.delivered, .skipped], "states")
        },
    ]

    static let heldWithdrawalChecks: [Check] = [
        Check("a withdrawn claim is reported to its owner, and may still be delivered") { subject in
            try await subject.advance([try .fixture()])
            let claim = try await subject.claimOne()
            let withdrawn = try await subject.commit(.muting()).withdrawn
            try expectEqual(withdrawn, [claim.claim.token], "withdrawn")
            try expectEqual(try await subject.states(), [.claimed], "states while it is attempted")
            let ended = try await subject.settle(claim, .delivered, at: 120)
            try expectEqual(ended.count, 1, "ended")
            let record = try await subject.record()
            try expectEqual(record.state, .delivered, "state")
            try expectEqual(record.reason, nil, "reason")
        },
        Check("a withdrawn claim is not reported to others, or without a claim request") { subject in
            try await subject.advance([try .fixture("a"), try .fixture("b")])
            let claims = try await subject.claim(limit: 1, owner: "me") + subject.claim(limit: 1, owner: "other")
            try expectEqual(claims.count, 2, "claimed")
            try expectEqual(try await subject.commit(.muting(owner: nil)).withdrawn, [], "without a request")
            try expectEqual(try await subject.commit(.muting(owner: "third")).withdrawn, [], "of a third")
            try expectEqual(
                try await subject.commit(.muting(owner: "other")).withdrawn, [claims[1].claim.token], "of the other")
        },
        Check("a claim that two withdrawals cover is reported once, and the first reason counts") { subject in
            try await subject.advance([try .fixture()])
            let claim = try await subject.claimOne()
            var commit = Commit.muting()
            commit.withdrawals.insert(Withdrawal(try .fixture("tea"), .disabled), at: 0)
            try expectEqual(try await subject.commit(commit).withdrawn, [claim.claim.token], "withdrawn")
            try await subject.settle(claim, .retry(at: .fixture(150), reason: "busy"))
            try expectEqual(try await subject.record().reason, "the definition was disabled", "reason")
        },
        Check("a claimed delivery that was withdrawn is not tried again") { subject in
            try await subject.advance([try .fixture(at: 90), try .fixture(at: 95)], schedules: [.fixture(waiting: 90)])
            let claim = try await subject.claimOne()
            let withdrawal = Withdrawal(try .fixture("tea"), .muted)
            try await subject.commit(Commit(withdrawals: [withdrawal]))
            try await subject.advance([try .fixture(at: 99)], schedules: [])
            try expectEqual(try await subject.states(), [.claimed, .skipped, .queued], "states before")
            let later = try await subject.reopened()
            let ended = try await later.settle(
                claim, .retry(at: .fixture(150), reason: "busy"), report: DeliveryReport(exitStatus: 75), at: 120)
            try expectEqual(ended.map(\.occurrence), [.fixture(90)], "ended")
            try expectEqual(try await later.states(), [.skipped, .skipped, .pending], "states")
            let record = try await later.store.deliveries(DeliveryFilter(ids: [claim.id])).first
            try expectEqual(record?.reason, "it was muted", "reason")
            try expectEqual(record?.settled, .fixture(120), "settled")
            try expectEqual(record?.attempts, 1, "attempts")
            try expectEqual(record?.log.map(\.outcome), [.retry], "outcomes")
            try expectEqual(record?.log.map(\.reason), ["busy"], "reasons of the attempts")
            try expectEqual(record?.log.map(\.report), [DeliveryReport(exitStatus: 75)], "reports")
        },
        Check("a withdrawn claim without an attempt is skipped, and no attempt is logged") { subject in
            try await subject.advance([try .fixture()])
            let claim = try await subject.claimOne()
            try await subject.commit(.muting())
            try await subject.settle(claim, .retry(at: .fixture(150), reason: "no room"), report: nil)
            let record = try await subject.record()
            try expectEqual(record.state, .skipped, "state")
            try expectEqual(record.attempts, 0, "attempts")
            try expectEqual(record.log, [], "log")
        },
        Check("a withdrawn delivery that fails for good is a dead letter") { subject in
            try await subject.advance([try .fixture()])
            let claim = try await subject.claimOne()
            try await subject.commit(.muting())
            try await subject.settle(claim, .dead(reason: "410"))
            let record = try await subject.record()
            try expectEqual([record.state.rawValue, record.reason], ["dead", "410"], "state and reason")
            try expectEqual(try await subject.store.retry([record.id], now: .fixture(200)), 1, "tried again")
            try await subject.settle(
                try await subject.claimOne(at: 200), .retry(at: .fixture(200), reason: "busy"), at: 200)
            try expectEqual(try await subject.record().state, .pending, "state after a person wanted it")
        },
        Check("a withdrawn claim of a process that ended is skipped when it is released") { subject in
            try await subject.advance([try .fixture(at: 90)])
            _ = try await subject.claimOne(owner: "killed")
            try await subject.commit(.muting())
            try await subject.advance([try .fixture(at: 95)])
            let later = try await subject.reopened()
            let released = try await later.store.releaseClaims(.ofFormerOwners, owner: "me", now: .fixture(120)).count
            try expectEqual(released, 1, "released")
            try expectEqual(try await later.states(), [.skipped, .pending], "states")
            let record = try await later.store.deliveries(DeliveryFilter(states: [.skipped])).first
            try expectEqual(record?.reason, "it was muted", "reason")
            try expectEqual(record?.settled, .fixture(120), "settled")
            try expectEqual(record?.log.map(\.outcome), [.interrupted], "attempts")
        },
        Check("a released delivery is withdrawn like any other pending one") { subject in
            try await subject.advance([try .fixture()])
            _ = try await subject.claimOne(owner: "killed")
            _ = try await subject.store.releaseClaims(.ofFormerOwners, owner: "me", now: .fixture(120))
            try expectEqual(try await subject.commit(.muting(owner: "killed")).withdrawn, [], "withdrawn")
            try expectEqual(try await subject.states(), [.skipped], "states")
        },
        Check("tests and notices of failures are never withdrawn, waiting or claimed") { subject in
            for owner in ["waiting", "claimed"] {
                let failed = try Firing.fixture(owner)
                let failure = FiringAction.failure(of: failed.targets[0].delivery, attempt: 1)
                try await subject.advance([
                    try .fixture(owner, at: 90, failure, overlap: .allow),
                    try .fixture(owner, at: 91, .test(of: .expiry, at: .fixture(91)), overlap: .allow),
                    try .fixture(owner, at: 92, .test(of: .reminder, at: .fixture(92)), overlap: .allow),
                ])
                let claims = try await subject.claim(limit: owner == "claimed" ? 100 : 0)
                var commit = Commit.muting()
                commit.withdrawals += [
                    Withdrawal(try .fixture(owner), .disabled), Withdrawal(try .fixture(owner), .removed),
                    Withdrawal(try .fixture(owner), .skipped(.fixture(92))),
                ]
                try expectEqual(try await subject.commit(commit).withdrawn, [], "withdrawn")
                for claim in claims { try await subject.settle(claim, .retry(at: .fixture(200), reason: "busy")) }
                try expectEqual(try await subject.states(of: owner), [.pending, .pending, .pending], "states")
                for claim in try await subject.claim(at: 200) { try await subject.settle(claim, .delivered, at: 200) }
            }
        },
    ]
}

extension Commit {
    /// The general mute, by `owner`, who claims nothing.
    fileprivate static func muting(owner: String? = "me") -> Commit {
        Commit(
            withdrawals: [Withdrawal(nil, .muted)],
            claim: owner.map { ClaimRequest.fixture(limit: 0, owner: $0) })
    }
}

extension ScheduleState {
    fileprivate static func fixture(waiting occurrence: Int64) throws -> ScheduleState {
        try .fixture(phase: .acting, deadline: occurrence)
    }
}

extension StoreUnderTest {
    /// Writes one delivery of each action for the occurrence 90, withdraws, and expects what is left.
    fileprivate func withdraw(
        _ cause: Withdrawal.Cause, withdrawing expected: Set<String>, because reason: String?
    ) async throws {
        let failed = try Firing.fixture(at: 90).targets[0].delivery
        let actions: [String: FiringAction] = [
            "reminder": .reminder(CalendarSpan(nanoseconds: 5), .before), "expiry": .expiry,
            "snoozed": .snoozed(until: .fixture(95)), "elapsed": .elapsed(.seconds(60)),
            "missed": .missed(.tooLate), "failure": .failure(of: failed, attempt: 1),
            "test": .test(of: .reminder, at: .fixture(90)),
        ]
        let firings = try actions.map { try Firing.fixture(at: 90, $0.value, to: [$0.key]) }
        try await advance(firings)
        try await commit(Commit(withdrawals: [Withdrawal(try .fixture("tea"), cause)]))
        let records = try await reopened().store.deliveries(DeliveryFilter())
        try expectEqual(records.count, actions.count, "deliveries")
        for record in records {
            let isExpected = expected.contains(record.sink.rawValue)
            try expectEqual(record.state, isExpected ? .skipped : .pending, "state of the \(record.sink)")
            try expectEqual(record.reason, isExpected ? reason : nil, "reason of the \(record.sink)")
        }
    }
}
