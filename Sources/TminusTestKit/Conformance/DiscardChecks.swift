import TminusCore

extension StoreConformance {
    private static let byPerson = "discarded by a user"

    static let discardChecks: [Check] = [
        Check("a delivery that waits for a retry is tried at once when a user wants that") { store in
            let claim = try await store.claimed()
            try await store.settle(claim, .busy(until: 5_000))
            try await store.expectNoClaims(at: 200)
            try expectEqual(try await store.retry(claim.id, at: 200), 1, "hastened")
            try expectEqual(try await store.retry(claim.id, at: 200), 1, "due already")
            let again = try await store.claim(at: 200)
            try expectEqual(again.map(\.attempt), [2], "attempt")
            try expectEqual(try await store.retry(claim.id, at: 200), 0, "running")
        },
        Check("a dead delivery that is discarded keeps its reason and its end, and can be tried again") { store in
            let claim = try await store.settled(.fixture(), .dead(reason: "410"))
            try expectEqual(try await store.discard(claim.id), 1, "discarded")
            try expectEqual(try await store.records(.dead), [], "dead deliveries")
            try await store.reopened().expectRecord(.discarded, "410", settled: 100, attempts: [.dead])
            try expectEqual(try await store.retry(claim.id, at: 300), 1, "tried again")
            try expectEqual(try await store.claimOne(at: 300).id, claim.id, "claimed")
        },
        Check("what expired can be discarded, and keeps its reason") { store in
            let claim = try await store.settled(.fixture(), .expired(reason: "late"))
            try expectEqual(try await store.discard(claim.id), 1, "discarded")
            let record = try await store.record()
            try expectEqual([record.state.rawValue, record.reason], ["discarded", "late"], "state and reason")
        },
        Check("a pending delivery that is discarded is over, and the next gets its turn") { store in
            let first = Firing.fixture(at: 90)
            try await store.write(first, .fixture(at: 95))
            try expectEqual(try await store.discard(first.ids[0], at: 120), 1, "discarded")
            let later = try await store.reopened()
            try await later.expectStates(.discarded, .pending)
            try await later.expectRecord(id: first.ids[0], .discarded, byPerson, settled: 120)
            try expectEqual(try await later.claimOne(at: 120).due, .fixture(95), "due")
        },
        Check("a discarded delivery keeps the reason of its last failed attempt") { store in
            let claim = try await store.settled(.fixture(), .busy(until: 500))
            try expectEqual(try await store.discard(claim.id), 1, "discarded")
            try await store.expectRecord(.discarded, "busy", settled: 200, attempts: [.retry])
            try await store.expectNoClaims(at: 500)
            try expectEqual(try await store.nextAttempt(after: 200), nil, "next attempt")
        },
        Check("discarding by sink takes all its undelivered deliveries at once, and nothing else") { store in
            try await store.write(
                .fixture("a", to: ["chat", "mail"]), .fixture("b", at: 90), .fixture("b", at: 95), .fixture("c"),
                .fixture("d"))
            let claims = try await store.claim()
            for (id, outcome) in [("c", Outcome.delivered), ("d", .dead(reason: "410"))] {
                try await store.settle(claims.filter { $0.definition == .fixture(id) }.map { .fixture($0, outcome) })
            }
            let limited = try await store.discard(DeliveryFilter(sink: SinkKey("chat"), limit: 2))
            try expectEqual(limited.deliveries.count, 2, "discarded, no more than the limit")
            try expectEqual(limited.sinks, [SinkKey("chat"): 2], "by sink")
            let rest = try await store.discard(DeliveryFilter(sink: SinkKey("chat")))
            try expectEqual(rest.deliveries.count, 2, "the rest")
            let later = try await store.reopened()
            try await later.expectStates(
                .discarded, .claimed, .discarded, .discarded, .delivered, .discarded, of: "a", "b", "c", "d")
            try await later.expectRecord(to: "mail", .claimed)
        },
        Check("discarding by definition and state takes its undelivered deliveries in that state") { store in
            try await store.write(.fixture("a", at: 90), .fixture("a", at: 95), .fixture("b"))
            let discarded = try await store.discard(DeliveryFilter(states: [.queued], definition: .fixture("a")))
            try expectEqual(discarded.deliveries, Firing.fixture("a", at: 95).ids, "queued")
            try await store.expectStates(.pending, .discarded, .pending, of: "a", "b")
        },
        Check("an expiry ends with its last delivery when that is discarded") { store in
            let firing = Firing.fixture(to: ["chat", "mail"])
            try await store.write(firing)
            for (id, ended) in zip(firing.ids, [[], [EndedExpiry.fixture(at: 100)]]) {
                try expectEqual(try await store.discard(DeliveryFilter(ids: [id])).endedExpiries, ended, "ended")
            }
        },
        Check("the history says that a delivery was discarded, and after what") { store in
            let claim = try await store.settled(.fixture(), .busy(until: 500))
            try expectEqual(try await store.discard(claim.id), 1, "discarded")
            try expectEqual(
                try await store.history().map(\.end), [.failed(reason: "discarded after: busy")], "history")
        },
        Check("a queued delivery that is discarded leaves the others of its chain alone") { store in
            try await store.write(.fixture(at: 90), .fixture(at: 95), .fixture(at: 99))
            let first = try await store.claimOne()
            try expectEqual(try await store.discard(Firing.fixture(at: 95).ids[0]), 1, "discarded")
            try await store.expectStates(.claimed, .discarded, .queued)
            try await store.settle(first)
            try expectEqual(try await store.claimOne().due, .fixture(99), "due")
        },
        Check("the claim of a discarded delivery is void: a late settlement is ignored") { store in
            try await store.write(.fixture(at: 90), .fixture(at: 95))
            let claim = try await store.claimOne()
            try expectEqual(try await store.discard(claim.id, at: 120), 1, "discarded")
            try await store.expectStates(.discarded, .pending)
            let later = try await store.reopened()
            for outcome in [Outcome.delivered, .busy(until: 130), .dead(reason: "no")] {
                let ended = try await later.settle(claim, outcome, telling: [.fixture("told")], at: 130)
                try expectEqual(ended, [], "ended")
            }
            try await later.expectStates(.discarded, .pending, of: "tea", "told")
            try await later.expectRecord(id: claim.id, .discarded, byPerson, settled: 120, begun: 1)
            try expectEqual(try await later.release(owner: "new", at: 500).count, 0, "released")
        },
        Check("a discarded delivery that a person wants after all is claimed under a new token") { store in
            let old = try await store.claimed()
            try expectEqual(try await store.discard(old.id, at: 120), 1, "discarded")
            try expectEqual(try await store.retry(old.id, at: 130), 1, "tried again")
            let new = try await store.claimOne(at: 130)
            try expectEqual([new.attempt, new.claim.tries], [2, 1], "attempt")
            try expectEqual(try await store.settle(old, .dead(reason: "no"), at: 140), [], "ended by the old token")
            try expectEqual(try await store.settle(new, at: 140).count, 1, "ended by the new token")
        },
        Check("discarding counts only deliveries that are open, dead or expired") { store in
            for (id, outcome) in [
                ("a", Outcome.delivered), ("b", .skipped(reason: "later one")), ("c", .dead(reason: "no")),
            ] { try await store.settled(.fixture(id), outcome) }
            let ids = ["a", "b", "c", "unknown"].flatMap { Firing.fixture($0).ids }
            for count in [1, 0] {
                let discarded = try await store.discard(DeliveryFilter(ids: ids)).deliveries
                try expectEqual(discarded.count, count, "discarded")
            }
            try await store.expectStates(.delivered, .skipped, .discarded, of: "a", "b", "c")
        },
        Check("a discarded expiry is not open any more") { store in
            let firing = Firing.fixture(to: ["a", "b"])
            try await store.write(firing)
            let discarded = try await store.discard(DeliveryFilter(ids: firing.ids)).deliveries
            try expectEqual(discarded.count, 2, "discarded")
            try expectEqual(try await store.reopened().openExpiries(), [], "open expiries")
        },
    ]
}
