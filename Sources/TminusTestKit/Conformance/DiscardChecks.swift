import TminusCore

extension StoreConformance {
    private static let byPerson = "discarded by a person"

    static let discardChecks: [Check] = [
        Check("a dead letter that is discarded keeps its reason and its end, and can be tried again") { subject in
            try await subject.advance([try .fixture()])
            let claim = try await subject.claimOne()
            try await subject.settle(claim, .dead(reason: "410"))
            try expectEqual(try await subject.store.discard([claim.id], now: .fixture(200)), 1, "discarded")
            try expectEqual(try await subject.store.deliveries(.deadLetters), [], "dead letters")
            let record = try await subject.reopened().record()
            try expectEqual(record.state, .discarded, "state")
            try expectEqual(record.reason, "410", "reason")
            try expectEqual(record.settled, .fixture(100), "settled")
            try expectEqual(try await subject.store.retry([claim.id], now: .fixture(300)), 1, "tried again")
            try expectEqual(try await subject.claimOne(at: 300).id, claim.id, "claimed")
        },
        Check("what expired can be discarded, and keeps its reason") { subject in
            try await subject.advance([try .fixture()])
            let claim = try await subject.claimOne()
            try await subject.settle(claim, .expired(reason: "late"))
            try expectEqual(try await subject.store.discard([claim.id], now: .fixture(200)), 1, "discarded")
            let record = try await subject.record()
            try expectEqual([record.state.rawValue, record.reason], ["discarded", "late"], "state and reason")
        },
        Check("a pending delivery that is discarded is over, and the next gets its turn") { subject in
            try await subject.advance([try .fixture(at: 90), try .fixture(at: 95)])
            let first = try Firing.fixture(at: 90).targets[0].delivery
            try expectEqual(try await subject.store.discard([first], now: .fixture(120)), 1, "discarded")
            let later = try await subject.reopened()
            try expectEqual(try await later.states(), [.discarded, .pending], "states")
            let record = try await later.store.deliveries(DeliveryFilter(ids: [first])).first
            try expectEqual(record?.reason, byPerson, "reason")
            try expectEqual(record?.settled, .fixture(120), "settled")
            try expectEqual(record?.nextAttempt, nil, "next attempt")
            try expectEqual(try await later.claimOne(at: 120).due, .fixture(95), "due")
        },
        Check("a discarded delivery keeps the reason of its last failed attempt") { subject in
            try await subject.advance([try .fixture()])
            let claim = try await subject.claimOne()
            try await subject.settle(claim, .retry(at: .fixture(500), reason: "busy"))
            try expectEqual(try await subject.store.discard([claim.id], now: .fixture(200)), 1, "discarded")
            try expectEqual(try await subject.record().reason, "busy", "reason")
            try expectEqual(try await subject.claim(at: 500), [], "claimed")
            try expectEqual(try await subject.nextAttempt(after: 200), nil, "next attempt")
        },
        Check("a queued delivery that is discarded leaves the others of its chain alone") { subject in
            try await subject.advance([try .fixture(at: 90), try .fixture(at: 95), try .fixture(at: 99)])
            let first = try await subject.claimOne()
            let second = try Firing.fixture(at: 95).targets[0].delivery
            try expectEqual(try await subject.store.discard([second], now: .fixture(120)), 1, "discarded")
            try expectEqual(try await subject.states(), [.claimed, .discarded, .queued], "states")
            try await subject.settle(first, .delivered)
            try expectEqual(try await subject.claimOne().due, .fixture(99), "due")
        },
        Check("the claim of a discarded delivery is void: a late settlement is ignored") { subject in
            try await subject.advance([try .fixture(at: 90), try .fixture(at: 95)])
            let claim = try await subject.claimOne()
            try expectEqual(try await subject.store.discard([claim.id], now: .fixture(120)), 1, "discarded")
            try expectEqual(try await subject.states(), [.discarded, .pending], "states")
            let later = try await subject.reopened()
            let told = try Firing.fixture("told")
            for outcome in [Outcome.delivered, .retry(at: .fixture(130), reason: "busy"), .dead(reason: "no")] {
                try expectEqual(try await later.settle(claim, outcome, telling: [told], at: 130), [], "ended")
            }
            try expectEqual(try await later.states(), [.discarded, .pending], "states after a late settlement")
            try expectEqual(try await later.states(of: "told"), [], "what was to be told")
            let record = try await later.store.deliveries(DeliveryFilter(ids: [claim.id])).first
            try expectEqual(record?.reason, byPerson, "reason")
            try expectEqual(record?.settled, .fixture(120), "settled")
            try expectEqual(
                try await later.store.releaseClaims(.ofFormerOwners, owner: "new", now: .fixture(500)).count, 0,
                "released")
        },
        Check("a discarded delivery that a person wants after all is claimed under a new token") { subject in
            try await subject.advance([try .fixture()])
            let old = try await subject.claimOne()
            try expectEqual(try await subject.store.discard([old.id], now: .fixture(120)), 1, "discarded")
            try expectEqual(try await subject.store.retry([old.id], now: .fixture(130)), 1, "tried again")
            let new = try await subject.claimOne(at: 130)
            try expectEqual([new.attempt, new.claim.tries], [2, 1], "attempt")
            try expectEqual(try await subject.settle(old, .dead(reason: "no"), at: 140), [], "ended by the old token")
            try expectEqual(try await subject.settle(new, .delivered, at: 140).count, 1, "ended by the new token")
        },
        Check("discarding counts only deliveries that are open, dead or expired") { subject in
            try await subject.advance([try .fixture("a"), try .fixture("b"), try .fixture("c")])
            let claims = try await subject.claim()
            for (claim, outcome) in zip(
                claims, [Outcome.delivered, .skipped(reason: "later one"), .dead(reason: "no")])
            {
                try await subject.settle(claim, outcome)
            }
            let unknown = try Firing.fixture("unknown").targets[0].delivery
            let ids = claims.map(\.id) + [unknown]
            try expectEqual(try await subject.store.discard(ids, now: .fixture(200)), 1, "discarded")
            try expectEqual(try await subject.store.discard(ids, now: .fixture(300)), 0, "discarded again")
            let states = try await subject.states(of: "a") + subject.states(of: "b") + subject.states(of: "c")
            try expectEqual(states, [.delivered, .skipped, .discarded], "states")
        },
        Check("a discarded expiry is not open any more") { subject in
            try await subject.advance([try .fixture(to: ["a", "b"])])
            let ids = try await subject.store.deliveries(DeliveryFilter()).map(\.id)
            try expectEqual(try await subject.store.discard(ids, now: .fixture(120)), 2, "discarded")
            try expectEqual(try await subject.reopened().store.snapshot().openExpiries, [], "open expiries")
        },
    ]
}
