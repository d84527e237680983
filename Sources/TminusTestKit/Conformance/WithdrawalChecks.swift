import TminusCore

/// What is withdrawn while it waits: the rows of the table of ``Withdrawal``.
extension StoreConformance {
    private static let all: Set = ["reminder", "expiry", "snoozed", "elapsed", "missed"]

    static let withdrawalChecks: [Check] = [
        Check("removing a definition withdraws its reminders and nothing else") { store in
            try await store.expectWithdrawn(["reminder"], by: .removed, "the definition was removed")
        },
        Check("disabling a definition withdraws all its actions") { store in
            try await store.expectWithdrawn(all, by: .disabled, "the definition was disabled")
        },
        Check("muting a definition withdraws all its actions") { store in
            try await store.expectWithdrawn(all, by: .muted, "it was muted")
        },
        Check("skipping an occurrence withdraws its reminders") { store in
            try await store.expectWithdrawn(["reminder"], by: .skipped(.fixture(90)), "its occurrence was skipped")
        },
        Check("skipping an occurrence leaves the reminders of others") { store in
            try await store.expectWithdrawn([], by: .skipped(.fixture(91)))
        },
        Check("moving a timer withdraws the reminders of the end that it no longer has") { store in
            let standing = Withdrawal.Standing.timer(deadline: .fixture(500), now: .fixture(80))
            try await store.expectWithdrawn(["reminder"], by: .moved(standing), "its occurrence was moved")
        },
        Check("moving a timer leaves the reminders of its present end, and of those that are past") { store in
            try await store.expectWithdrawn([], by: .moved(.timer(deadline: .fixture(90), now: .fixture(80))))
            try await store.expectWithdrawn([], by: .moved(.timer(deadline: nil, now: .fixture(90))))
        },
        Check("a withdrawal covers its definition and no other") { store in
            try await store.write(.fixture(), .fixture("other"))
            _ = try await store.withdraw(.disabled)
            try await store.expectStates(.skipped, .pending, of: "tea", "other")
        },
        Check("the general mute withdraws the deliveries of all definitions") { store in
            try await store.write(.fixture("a"), .fixture("b", to: ["x", "y"]))
            try await store.muteAll(owner: nil)
            for sink in ["chat", "x", "y"] {
                try await store.expectRecord(to: sink, .skipped, "it was muted", settled: 100)
            }
            try await store.expectNoClaims()
        },
        Check("a withdrawn delivery stays skipped") { store in
            let claim = try await store.settled(.fixture(), .busy(until: 150))
            _ = try await store.withdraw(.disabled, at: 120)
            try await store.commit(Commit(withdrawals: [Withdrawal(nil, .muted)]), at: 130)
            let later = try await store.reopened()
            try await later.expectRecord(.skipped, "the definition was disabled", settled: 120, attempts: [.retry])
            try await later.expectNoClaims(at: 10_000)
            try expectEqual(try await later.retry(claim.id, at: 200), 0, "tried again")
        },
        Check("a withdrawn delivery is not revived when its firing is written again") { store in
            try await store.write(.fixture())
            _ = try await store.withdraw(.disabled)
            try await store.write(.fixture())
            try await store.expectStates(.skipped)
        },
        Check("a queued delivery is withdrawn as well, and one that stays gets its turn") { store in
            try await store.write(
                .fixture(at: 80, .early), .fixture(at: 90, .early), .fixture(at: 95), .fixture(at: 99, .early))
            try await store.expectStates(.pending, .queued, .queued, .queued)
            _ = try await store.withdraw(.removed)
            try await store.expectStates(.skipped, .skipped, .pending, .skipped)
            try expectEqual(try await store.claimOne().due, .fixture(95), "due")
        },
        Check("a withdrawal reports the end of the expiry that it ends") { store in
            try await store.write(.fixture(to: ["a", "b"]))
            try expectEqual(try await store.withdraw(.muted).endedExpiries, [.fixture(at: 100)], "ended")
            try expectEqual(try await store.openExpiries(), [], "open expiries")
        },
        Check("a commit withdraws after its settlements and its firings, and before its claims") { store in
            let claim = try await store.claimed(.fixture(at: 80))
            let committed = try await store.commit(
                Commit(
                    settlements: [.fixture(claim)], firings: [.fixture(at: 90)],
                    withdrawals: [Withdrawal(nil, .muted)], claim: .fixture()))
            try expectEqual(committed.claimed, [], "claimed")
            try await store.expectStates(.delivered, .skipped)
        },
    ]

    static let heldWithdrawalChecks: [Check] = [
        Check("a withdrawn claim is reported to its owner, and may still be delivered") { store in
            let claim = try await store.claimed()
            try expectEqual(try await store.muteAll(), [claim.claim.token], "withdrawn")
            try await store.expectStates(.claimed)
            try expectEqual(try await store.settle(claim, at: 120), [.fixture(at: 100)], "ended")
            try await store.expectRecord(.delivered, settled: 120, attempts: [.delivered])
        },
        Check("a withdrawn claim is not reported to others, or without a claim request") { store in
            try await store.write(.fixture("a"), .fixture("b"))
            try await store.expectClaims("a", limit: 1, owner: "me")
            let other = try await store.expectClaims("b", limit: 1, owner: "other")[0]
            try expectEqual(try await store.muteAll(owner: nil), [], "without a request")
            try expectEqual(try await store.muteAll(owner: "third"), [], "of a third")
            try expectEqual(try await store.muteAll(owner: "other"), [other.claim.token], "of the other")
        },
        Check("a claim that two withdrawals cover is reported once, and the first reason counts") { store in
            let claim = try await store.claimed()
            let both = [Withdrawal(.fixture("tea"), .disabled), Withdrawal(nil, .muted)]
            let committed = try await store.commit(Commit(withdrawals: both, claim: .fixture(limit: 0)))
            try expectEqual(committed.withdrawn, [claim.claim.token], "withdrawn")
            try await store.settle(claim, .busy(until: 150))
            try await store.expectRecord(.skipped, "the definition was disabled", settled: 100, attempts: [.retry])
        },
        Check("a claimed delivery that was withdrawn is not tried again") { store in
            try await store.write([.fixture(at: 90), .fixture(at: 95)], schedules: [.fixture(waitingFor: 90)])
            let claim = try await store.claimOne()
            _ = try await store.withdraw(.muted)
            try await store.write([.fixture(at: 99)], schedules: [])
            try await store.expectStates(.claimed, .skipped, .queued)
            let later = try await store.reopened()
            let report = DeliveryReport(exitStatus: 75)
            let ended = try await later.settle(claim, .busy(until: 150), report: report, at: 120)
            try expectEqual(ended, [.fixture(at: 90)], "ended")
            try await later.expectStates(.skipped, .skipped, .pending)
            try await later.expectRecord(id: claim.id, .skipped, "it was muted", settled: 120, attempts: [.retry])
            let attempt = try await later.record(id: claim.id).log[0]
            try expectEqual(attempt.reason, "busy", "reason of the attempt")
            try expectEqual(attempt.report, report, "report of the attempt")
        },
        Check("a withdrawn claim without an attempt is skipped, and no attempt is logged") { store in
            let claim = try await store.claimed()
            try await store.muteAll()
            try await store.settle(claim, .retry(at: .fixture(150), reason: "no room"), report: nil)
            try await store.expectRecord(.skipped, "it was muted", settled: 100)
        },
        Check("a withdrawn delivery whose attempt fails for good is dead") { store in
            let claim = try await store.claimed()
            try await store.muteAll()
            try await store.settle(claim, .dead(reason: "410"))
            try await store.expectRecord(.dead, "410", settled: 100, attempts: [.dead])
            try expectEqual(try await store.retry(claim.id, at: 200), 1, "tried again")
            try await store.settle(try await store.claimOne(at: 200), .busy(until: 200), at: 200)
            // A person wanted it.
            try await store.expectRecord(.pending, "busy", attempts: [.dead, .retry])
        },
        Check("a withdrawn claim of a process that ended is skipped when it is released") { store in
            let claim = try await store.claimed(.fixture(at: 90), owner: "killed")
            try await store.muteAll()
            try await store.write(.fixture(at: 95))
            let later = try await store.reopened()
            try expectEqual(try await later.release(at: 120).count, 1, "released")
            try await later.expectStates(.skipped, .pending)
            try await later.expectRecord(
                id: claim.id, .skipped, "it was muted", settled: 120, attempts: [.interrupted])
        },
        Check("a released delivery is withdrawn like any other pending one") { store in
            _ = try await store.claimed(owner: "killed")
            _ = try await store.release(at: 120)
            try expectEqual(try await store.muteAll(owner: "killed"), [], "withdrawn")
            try await store.expectStates(.skipped)
        },
        Check("tests and notices of failures are never withdrawn, waiting or claimed") { store in
            for id in ["waiting", "claimed"] {
                try await store.write(
                    .fixture(id, at: 90, .failure(of: Firing.fixture(id).ids[0], attempt: 1), overlap: .allow),
                    .fixture(id, at: 91, .test(of: .expiry, at: .fixture(91)), overlap: .allow),
                    .fixture(id, at: 92, .test(of: .reminder, at: .fixture(92)), overlap: .allow))
                let claims = try await store.claim(limit: id == "claimed" ? 100 : 0)
                let causes: [Withdrawal.Cause] = [.muted, .disabled, .removed, .skipped(.fixture(92))]
                let withdrawals = causes.map { Withdrawal(.fixture(id), $0) } + [Withdrawal(nil, .muted)]
                let committed = try await store.commit(Commit(withdrawals: withdrawals, claim: .fixture(limit: 0)))
                try expectEqual(committed.withdrawn, [], "withdrawn")
                try await store.settle(claims.map { .fixture($0, .busy(until: 200)) })
                try await store.expectStates(.pending, .pending, .pending, of: id)
                try await store.settle(try await store.expectClaims(id, id, id, at: 200).map { .fixture($0) }, at: 200)
            }
        },
    ]
}

extension StoreUnderTest {
    /// Mutes everything; returns which claims of `owner` that covers.
    @discardableResult
    fileprivate func muteAll(owner: String? = "me") async throws -> [String] {
        let request = owner.map { ClaimRequest.fixture(limit: 0, owner: $0) }
        return try await commit(Commit(withdrawals: [Withdrawal(nil, .muted)], claim: request)).withdrawn
    }

    /// Writes one delivery of each action for the occurrence 90, each to a sink of its name, withdraws, and expects what is left.
    fileprivate func expectWithdrawn(
        _ expected: Set<String>, by cause: Withdrawal.Cause, _ reason: String? = nil, file: String = #fileID,
        line: Int = #line
    ) async throws {
        let actions: [String: FiringAction] = [
            "reminder": .early, "expiry": .expiry, "snoozed": .snoozed(until: .fixture(95)),
            "elapsed": .elapsed(.seconds(60)), "missed": .missed(.tooLate),
            "failure": .failure(of: Firing.fixture(at: 90).ids[0], attempt: 1),
            "test": .test(of: .reminder, at: .fixture(90)),
        ]
        try await write(actions.map { .fixture(at: 90, $0.value, to: [$0.key]) })
        _ = try await withdraw(cause)
        let later = try await reopened()
        try expectEqual(try await later.records().count, actions.count, "deliveries", file: file, line: line)
        for sink in actions.keys {
            if expected.contains(sink) {
                try await later.expectRecord(to: sink, .skipped, reason, settled: 100, file: file, line: line)
            } else {
                try await later.expectRecord(to: sink, .pending, file: file, line: line)
            }
        }
    }
}
