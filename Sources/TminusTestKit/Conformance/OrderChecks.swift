import TminusCore

extension StoreConformance {
    static let orderChecks: [Check] = [
        Check("of one definition to one sink one delivery runs at a time, in the order of the writing") { store in
            try await store.write(.fixture(at: 90), .fixture(at: 95))
            let first = try await store.claimOne()
            try expectEqual(first.due, .fixture(90), "due")
            try await store.expectStates(.claimed, .queued)
            try await store.settle(first)
            try expectEqual(try await store.claimOne().due, .fixture(95), "due")
        },
        Check("a settlement lets the same commit claim the next delivery of its chain") { store in
            try await store.write([.fixture(at: 90), .fixture(at: 95)], schedules: [.fixture(waitingFor: 90)])
            let commit = Commit(settlements: [.fixture(try await store.claimOne())], claim: .fixture())
            let both = try await store.commit(commit)
            try expectEqual(both.endedExpiries, [.fixture(at: 90)], "ended")
            try expectEqual(both.claimed.map(\.due), [.fixture(95)], "due")
            try expectEqual(try await store.commit(commit), Committed(), "what followed from the same again")
        },
        Check("a delivery that a settlement makes pending counts for the next attempt") { store in
            try await store.write(
                .fixture(at: 90), .fixture(at: 95, notBefore: 500), .fixture("other", at: 99))
            let claims = try await store.expectClaims("tea", "other")
            let both = try await store.commit(Commit(settlements: [.fixture(claims[0])], claim: .fixture()))
            try expectEqual(both.claimed, [], "claimed")
            try expectEqual(both.nextAttempt, .fixture(500), "next attempt")
        },
        Check("a later delivery does not overtake one that waits for a retry, also after a restart") { store in
            try await store.write(.fixture(at: 90), .fixture(at: 95), .fixture("other", at: 99))
            try await store.settle(try await store.expectClaims("tea", "other")[0], .busy(until: 500))
            let later = try await store.reopened()
            try await later.expectNoClaims(at: 400)
            try expectEqual(try await later.nextAttempt(after: 400), .fixture(500), "next attempt")
            try expectEqual(try await later.claimOne(at: 500).due, .fixture(90), "due")
        },
        Check("a queued delivery delays no other sink and no other definition") { store in
            _ = try await store.claimed(.fixture("a", to: ["x"]))
            try await store.write(.fixture("a", at: 110, to: ["x", "y"]), .fixture("b", at: 120, to: ["x"]))
            let claimed = try await store.claim(at: 130)
            try expectEqual(claimed.map { "\($0.definition) \($0.sink)" }, ["a y", "b x"], "claimed")
        },
        Check("a delivery that ends without success makes the next one pending") { store in
            for outcome in [Outcome.dead(reason: "no"), .expired(reason: "late"), .skipped(reason: "later one")] {
                let id = "t-\(outcome.end.state)"
                try await store.write(.fixture(id, at: 1), .fixture(id, at: 2))
                try await store.settle(try await store.claimOne(), outcome)
                try await store.settle(try await store.claimOne())
            }
        },
    ]

    static let overlapChecks: [Check] = [
        Check("overlap allow: several deliveries run at the same time") { store in
            try await store.write(.fixture(at: 90, overlap: .allow), .fixture(at: 95, overlap: .allow))
            try await store.expectClaims("tea", "tea")
        },
        Check("overlap allow: a delivery, such as a test, holds up, skips and replaces no other") { store in
            _ = try await store.claimed(.fixture(at: 90, overlap: .allow))
            for (occurrence, overlap) in [(95, Overlap.queue), (110, .skip), (130, .replace)] {
                let due = Int64(occurrence)
                try await store.write(.fixture(at: due, overlap: overlap, isCatchUp: false), at: due)
                let delivery = try await store.claimOne(at: due)
                try expectEqual(delivery.due, .fixture(due), "due")
                try await store.settle(delivery)
            }
        },
        Check("overlap skip: a delivery is recorded as skipped while an earlier occurrence runs") { store in
            let running = try await store.claimed(.timely(at: 90))
            let committed = try await store.write(.timely(at: 110), at: 110)
            try expectEqual(committed.endedExpiries, [.fixture(at: 110)], "ended")
            try await store.expectStates(.claimed, .skipped)
            try await store.settle(running)
            try await store.write(.timely(at: 130), at: 130)
            try expectEqual(try await store.claimOne(at: 130).due, .fixture(130), "due")
            try await store.expectRecord(
                id: Firing.timely(at: 110).ids[0], .skipped, Overlap.skippedReason, settled: 110)
        },
        Check("overlap skip: an expired or released claim does not count as running") { store in
            _ = try await store.claimed(.timely(at: 90), owner: "killed")
            try await store.write(.timely(at: 160), at: 160)
            try await store.expectStates(.claimed, .queued)
            let later = try await store.reopened()
            _ = try await later.release(at: 161)
            try await later.write(.timely(at: 170), at: 170)
            for due: Int64 in [90, 160, 170] {
                let claim = try await later.claimOne(at: 200)
                try expectEqual(claim.due, .fixture(due), "due")
                try await later.settle(claim)
            }
        },
        Check("overlap skip: actions of the same occurrence and catch-up firings are queued instead") { store in
            _ = try await store.claimed(.timely(at: 90, .early))
            try await store.write(.timely(at: 90), .fixture(at: 95, overlap: .skip))
            try await store.expectStates(.claimed, .queued, .queued)
        },
        Check("overlap replace: what waits is skipped, what runs is reported, and the new one follows") { store in
            try await store.write(
                .fixture(at: 90, overlap: .replace), .fixture("calm", at: 90, to: ["x"], overlap: .replace))
            let running = try await store.expectClaims("tea", "calm")[0]
            try expectEqual(try await store.replaced(), [], "replaced before there is another")
            try await store.write(.fixture(at: 110, overlap: .replace), at: 110)
            try await store.write(.fixture(at: 120, overlap: .replace), at: 120)
            try await store.expectStates(.claimed, .skipped, .queued)
            try expectEqual(try await store.replaced(), [running.claim.token], "replaced")
            try expectEqual(try await store.replaced(owner: "other"), [], "replaced of others")
            try await store.settle(running, .skipped(reason: Overlap.replacedReason), at: 120)
            try expectEqual(try await store.claimOne(at: 120).due, .fixture(120), "due")
        },
        Check("overlap replace: the commit that writes the later occurrence reports the replaced claim") { store in
            let running = try await store.claimed(.fixture(at: 90, overlap: .replace))
            let committed = try await store.commit(
                Commit(firings: [.fixture(at: 110, overlap: .replace)], claim: .fixture(limit: 0)), at: 110)
            try expectEqual(committed.replaced, [running.claim.token], "replaced")
            let without = try await store.write(.fixture(at: 120, overlap: .replace), at: 120)
            try expectEqual(without.replaced, [], "replaced without a claim request")
        },
        Check("overlap replace: a delivery that was written with another overlap is not replaced") { store in
            let running = try await store.claimed(.fixture(at: 90, overlap: .queue))
            try await store.write(.fixture(at: 110, overlap: .replace), at: 110)
            try expectEqual(try await store.replaced(), [], "replaced")
            try await store.settle(running, at: 120)
            try expectEqual(try await store.claimOne(at: 120).due, .fixture(110), "due")
            try await store.write(.fixture(at: 130, overlap: .queue), at: 130)
            try expectEqual(try await store.replaced(), [], "replaced by one that waits its turn")
        },
        Check("overlap replace: actions of the same occurrence stay") { store in
            _ = try await store.claimed(.fixture(at: 90, overlap: .replace))
            try await store.write(.fixture(at: 110, .early, overlap: .replace), .fixture(at: 110, overlap: .replace))
            try await store.expectStates(.claimed, .queued, .queued)
        },
        Check("overlap replace: a firing that is written again replaces nothing later") { store in
            try await store.write(.fixture(at: 90, overlap: .replace))
            try await store.write(.fixture(at: 110, overlap: .replace), at: 110)
            try await store.write(.fixture(at: 90, overlap: .replace), at: 120)
            try await store.expectStates(.skipped, .pending)
        },
    ]
}

extension Firing {
    /// One that is on time, so that `overlap: skip` applies to it.
    fileprivate static func timely(at due: Int64, _ action: FiringAction = .expiry) -> Firing {
        .fixture(at: due, action, overlap: .skip, isCatchUp: false)
    }
}
