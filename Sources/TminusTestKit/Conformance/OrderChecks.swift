import TminusCore

extension StoreConformance {
    static let orderChecks: [Check] = [
        Check("of one definition to one sink one delivery runs at a time, in the order of the writing") { subject in
            try await subject.advance([try .fixture(at: 90), try .fixture(at: 95)])
            let first = try await subject.claimOne()
            try expectEqual(first.due, .fixture(90), "due")
            try expectEqual(try await subject.states(), [.claimed, .queued], "states")
            try await subject.settle(first, .delivered)
            try expectEqual(try await subject.claimOne().due, .fixture(95), "due")
        },
        Check("a settlement lets the same commit claim the next delivery of its chain") { subject in
            try await subject.advance(
                [try .fixture(at: 90), try .fixture(at: 95)], schedules: [.fixture(phase: .acting, deadline: 90)])
            let first = try await subject.claimOne()
            let commit = Commit(settlements: [.fixture(first, .delivered)], claim: .fixture())
            let both = try await subject.commit(commit)
            try expectEqual(
                both.endedExpiries, [EndedExpiry(definition: try .fixture("tea"), occurrence: .fixture(90))], "ended")
            try expectEqual(both.claimed.map(\.due), [.fixture(95)], "due")
            let again = try await subject.commit(commit)
            try expectEqual(again, Committed(), "what followed from the same again")
        },
        Check("a delivery that a settlement makes pending counts for the next attempt") { subject in
            var later = try Firing.fixture(at: 95)
            later.notBefore = .fixture(500)
            try await subject.advance([try .fixture(at: 90), later, try .fixture("other", at: 99)])
            let claims = try await subject.claim()
            let first = try require(claims.first { $0.definition == (try? .fixture("tea")) }, "the first is claimed")
            let both = try await subject.commit(
                Commit(settlements: [.fixture(first, .delivered)], claim: .fixture()))
            try expectEqual(both.claimed, [], "claimed")
            try expectEqual(both.nextAttempt, .fixture(500), "next attempt")
        },
        Check("a later delivery does not overtake one that waits for a retry, also after a restart") { subject in
            try await subject.advance([try .fixture(at: 90), try .fixture(at: 95), try .fixture("other", at: 99)])
            for claim in try await subject.claim() where claim.definition == (try .fixture("tea")) {
                try await subject.settle(claim, .retry(at: .fixture(500), reason: "busy"))
            }
            let later = try await subject.reopened()
            try expectEqual(try await later.claim(at: 400), [], "claimed")
            try expectEqual(try await later.nextAttempt(after: 400), .fixture(500), "next attempt")
            try expectEqual(try await later.claimOne(at: 500).due, .fixture(90), "due")
        },
        Check("a queued delivery delays no other sink and no other definition") { subject in
            try await subject.advance([try .fixture("a", to: ["x"])])
            _ = try await subject.claimOne()
            try await subject.advance([
                try .fixture("a", at: 110, to: ["x", "y"]), try .fixture("b", at: 120, to: ["x"]),
            ])
            let claimed = try await subject.claim(at: 130)
            try expectEqual(claimed.map { "\($0.definition) \($0.sink)" }, ["a y", "b x"], "claimed")
        },
        Check("a delivery that ends without success makes the next one pending") { subject in
            for (number, outcome) in [
                Outcome.dead(reason: "no"), .expired(reason: "late"), .skipped(reason: "later one"),
            ].enumerated() {
                let id = "t\(number)"
                try await subject.advance([try .fixture(id, at: 1), try .fixture(id, at: 2)])
                try await subject.settle(try await subject.claimOne(), outcome)
                try await subject.settle(try await subject.claimOne(), .delivered)
            }
        },
    ]

    static let overlapChecks: [Check] = [
        Check("overlap allow: several deliveries run at the same time") { subject in
            try await subject.advance([
                try .fixture(at: 90, overlap: .allow), try .fixture(at: 95, overlap: .allow),
            ])
            try expectEqual(try await subject.claim().count, 2, "claimed")
        },
        Check("overlap skip: a delivery is recorded as skipped while an earlier occurrence runs") { subject in
            try await subject.advance([try .fixture(at: 90, overlap: .skip, isCatchUp: false)])
            let running = try await subject.claimOne()
            let committed = try await subject.commit(
                Commit(
                    schedules: [.fixture(phase: .acting, deadline: 110)],
                    firings: [try .fixture(at: 110, overlap: .skip, isCatchUp: false)]), at: 110)
            try expectEqual(
                committed.endedExpiries, [EndedExpiry(definition: try .fixture("tea"), occurrence: .fixture(110))],
                "ended")
            try expectEqual(try await subject.states(), [.claimed, .skipped], "states")
            try await subject.settle(running, .delivered)
            try await subject.advance([try .fixture(at: 130, overlap: .skip, isCatchUp: false)], at: 130)
            try expectEqual(try await subject.claimOne(at: 130).due, .fixture(130), "due")
            let reason = try await subject.store.deliveries(DeliveryFilter(states: [.skipped])).first?.reason
            try expectEqual(reason, Overlap.skippedReason, "reason")
        },
        Check("overlap skip: an expired or released claim does not count as running") { subject in
            try await subject.advance([try .fixture(at: 90, overlap: .skip, isCatchUp: false)])
            _ = try await subject.claimOne(owner: "killed")
            try await subject.advance([try .fixture(at: 160, overlap: .skip, isCatchUp: false)], at: 160)
            try expectEqual(try await subject.states(), [.claimed, .queued], "states")
            let later = try await subject.reopened()
            _ = try await later.store.releaseClaims(.ofFormerOwners, owner: "me", now: .fixture(161))
            try await later.advance([try .fixture(at: 170, overlap: .skip, isCatchUp: false)], at: 170)
            for due: Int64 in [90, 160, 170] {
                let claim = try await later.claimOne(at: 200)
                try expectEqual(claim.due, .fixture(due), "due")
                try await later.settle(claim, .delivered)
            }
        },
        Check("overlap skip: actions of the same occurrence and catch-up firings are queued instead") { subject in
            let reminder = FiringAction.reminder(CalendarSpan(nanoseconds: 5), .before)
            try await subject.advance([try .fixture(at: 90, reminder, overlap: .skip, isCatchUp: false)])
            _ = try await subject.claimOne()
            try await subject.advance([
                try .fixture(at: 90, overlap: .skip, isCatchUp: false), try .fixture(at: 95, overlap: .skip),
            ])
            try expectEqual(try await subject.states(), [.claimed, .queued, .queued], "states")
        },
        Check("overlap replace: what waits is skipped, what runs is reported, and the new one follows") { subject in
            try await subject.advance([
                try .fixture(at: 90, overlap: .replace), try .fixture("calm", at: 90, to: ["x"], overlap: .replace),
            ])
            let claims = try await subject.claim()
            try expectEqual(try await subject.replaced(), [], "replaced before there is another")
            try await subject.advance([try .fixture(at: 110, overlap: .replace)], at: 110)
            try await subject.advance([try .fixture(at: 120, overlap: .replace)], at: 120)
            try expectEqual(try await subject.states(), [.claimed, .skipped, .queued], "states")
            let running = try require(claims.first { $0.definition.rawValue == "tea" }, "tea must be claimed")
            try expectEqual(try await subject.replaced(), [running.claim.token], "replaced")
            try expectEqual(try await subject.replaced(owner: "other"), [], "replaced of others")
            try await subject.settle(running, .skipped(reason: Overlap.replacedReason), at: 120)
            try expectEqual(try await subject.claimOne(at: 120).due, .fixture(120), "due")
        },
        Check("overlap replace: the commit that writes the later occurrence reports the replaced claim") { subject in
            try await subject.advance([try .fixture(at: 90, overlap: .replace)])
            let running = try await subject.claimOne()
            let committed = try await subject.commit(
                Commit(firings: [try .fixture(at: 110, overlap: .replace)], claim: .fixture(limit: 0)), at: 110)
            try expectEqual(committed.replaced, [running.claim.token], "replaced")
            let without = try await subject.commit(
                Commit(firings: [try .fixture(at: 120, overlap: .replace)]), at: 120)
            try expectEqual(without.replaced, [], "replaced without a claim request")
        },
        Check("overlap replace: a delivery that was written with another overlap is not replaced") { subject in
            try await subject.advance([try .fixture(at: 90, overlap: .queue)])
            let running = try await subject.claimOne()
            try await subject.advance([try .fixture(at: 110, overlap: .replace)], at: 110)
            try expectEqual(try await subject.replaced(), [], "replaced")
            try await subject.settle(running, .delivered, at: 120)
            try expectEqual(try await subject.claimOne(at: 120).due, .fixture(110), "due")
        },
        Check("overlap replace: a firing that is written again replaces nothing later") { subject in
            let first = try Firing.fixture(at: 90, overlap: .replace)
            try await subject.advance([first])
            try await subject.advance([try .fixture(at: 110, overlap: .replace)], at: 110)
            try await subject.advance([first], at: 120)
            try expectEqual(try await subject.states(), [.skipped, .pending], "states")
        },
    ]
}
