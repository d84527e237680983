import TminusCore

/// Commits with several parts: they are applied in their order, and the claim covers what the commit itself writes.
extension StoreConformance {
    static let commitChecks: [Check] = [
        Check("a commit claims what it writes, as a claim that follows would") { store in
            let firing = Firing.fixture(
                at: 90, to: ["chat", "mail"], expires: 500, overlap: .allow, onFailure: ["alarm"])
            let claimed = try await store.commit(Commit(firings: [firing], claim: .fixture())).claimed
            let expected = firing.targets.map { target in
                var delivery = Delivery(firing, to: target)
                delivery.claim = Delivery.Claim(
                    since: .fixture(100), expires: .fixture(500), overlap: .allow, onFailure: firing.onFailure)
                return delivery
            }
            try expectEqual(claimed.map(\.withoutToken).sorted { $0.sink < $1.sink }, expected, "claimed")
            try expectEqual(Set(claimed.map(\.claim.token)).count, 2, "tokens")
            try await store.expectNoClaims()
        },
        Check("a commit claims no more than the limit and the room allow, and the rest waits") { store in
            let firings = (0..<8).map { Firing.fixture("t\($0)", at: 90 + $0, to: [$0 % 2 == 0 ? "a" : "b"]) }
            let request = ClaimRequest.fixture(limit: 3, room: ["a": 1, "b": 3], otherRoom: 0)
            let claimed = try await store.commit(Commit(firings: firings, claim: request)).claimed
            try expectEqual(claimed.map(\.definition.rawValue), ["t0", "t1", "t3"], "claimed")
            try await store.expectClaims("t2", "t4", "t5", "t6", "t7")
        },
        Check("deliveries that wait for a sink go before those that the commit writes") { store in
            try await store.write(.fixture("old", at: 50), .fixture("older", at: 40))
            let committed = try await store.commit(
                Commit(firings: [.fixture("new", at: 99)], claim: .fixture(room: ["chat": 1])))
            try expectEqual(committed.claimed.map(\.definition.rawValue), ["older"], "claimed")
            try await store.expectClaims("old", "new")
        },
        Check("a delivery that is queued or not yet due is not claimed by the commit that writes it") { store in
            let firings: [Firing] = [
                .fixture("later", at: 10, notBefore: 150), .fixture("twice", at: 90), .fixture("twice", at: 95),
            ]
            let committed = try await store.commit(Commit(firings: firings, claim: .fixture()))
            try expectEqual(committed.claimed.map(\.occurrence), [.fixture(90)], "claimed")
            try expectEqual(committed.nextAttempt, .fixture(150), "next attempt")
            try await store.settle(committed.claimed.map { .fixture($0) })
            let next = try await store.claim(at: 150).map(\.occurrence)
            try expectEqual(next.sorted(), [.fixture(10), .fixture(95)], "claimed later")
        },
        Check("repeating a commit with a claim claims nothing again, and leaves the claim alone") { store in
            let commit = Commit(firings: [.fixture()], claim: .fixture())
            let claimed = try await store.commit(commit).claimed
            try expectEqual(claimed.count, 1, "claimed")
            try expectEqual(try await store.commit(commit, at: 110), Committed(), "what followed again")
            try await store.settle(claimed.map { .fixture($0) }, at: 120)
            try await store.expectStates(.delivered)
        },
        Check("repeating a commit with every part but a claim changes nothing") { store in
            try await store.write(.fixture("a"), .fixture("b"))
            let claims = try await store.expectClaims("a", "b")
            let commit = Commit(
                sinks: [.fixture()],
                settlements: [
                    .fixture(claims[0]),
                    .fixture(claims[1], .dead(reason: "no"), telling: [.fixture("told", to: ["alarm"])]),
                ],
                schedules: [.fixture("c")], firings: [.fixture("c", to: ["x", "y"])], omissions: [.fixture(at: 1)],
                mute: .until(.fixture(until: 900)), withdrawals: [Withdrawal(.fixture("b"), .removed)])
            try await store.commit(commit)
            let before = try await store.reopened().everything()
            try expectEqual(try await store.commit(commit, at: 200), Committed(), "what followed again")
            try expectEqual(try await store.everything(), before, "what is stored")
        },
        Check("settlements, firings and a claim go together: the settled one makes room for the next") { store in
            try await store.write(.fixture(at: 80), .fixture(at: 85), .fixture("other", at: 90))
            let claims = try await store.expectClaims("tea", "other")
            let committed = try await store.commit(
                Commit(
                    settlements: [.fixture(claims[0]), .fixture(claims[1], .busy(until: 300))],
                    schedules: [.fixture("other", waitingFor: 90)],
                    firings: [.fixture("new", at: 99), .fixture("other", at: 100)], claim: .fixture()))
            try expectEqual(committed.claimed.map(\.occurrence), [.fixture(85), .fixture(99)], "claimed")
            try expectEqual(committed.nextAttempt, .fixture(300), "next attempt")
            try await store.expectStates(.pending, .queued, of: "other")
        },
        Check("the firings of a settlement can be claimed by the same commit") { store in
            let end = Settlement.fixture(
                try await store.claimed(), .dead(reason: "no"), telling: [.fixture("told", to: ["alarm"])])
            let committed = try await store.commit(Commit(settlements: [end], claim: .fixture()))
            try expectEqual(committed.claimed.map(\.sink), [SinkKey("alarm")], "claimed")
        },
        Check("whether an expiry is awaited depends on the schedule that the same commit writes") { store in
            let claim = try await store.claimed(.fixture(at: 90))
            let committed = try await store.commit(
                Commit(settlements: [.fixture(claim)], schedules: [.fixture(deadline: 200)]))
            try expectEqual(committed.endedExpiries, [], "ended")
        },
        Check("an expiry stays open when the same commit sends it to another sink") { store in
            let claim = try await store.claimed(.fixture(at: 90, to: ["a"]))
            let committed = try await store.commit(
                Commit(settlements: [.fixture(claim)], firings: [.fixture(at: 90, to: ["a", "b"])]))
            try expectEqual(committed.endedExpiries, [], "ended")
        },
        Check("an empty commit changes nothing") { store in
            try await store.write(.fixture())
            let before = try await store.everything()
            try expectEqual(try await store.commit(Commit()), Committed(), "what followed")
            try expectEqual(try await store.everything(), before, "what is stored")
        },
        Check("among many firings of a commit, those that are already written are left alone") { store in
            let firings = (0..<30).map { Firing.fixture("t\($0)", at: 60 + $0) }
            let there = [3, 11, 12, 29].map { firings[$0] }
            let before = try await store.commit(Commit(firings: there, claim: .fixture())).claimed
            try expectEqual(before.count, 4, "claimed of the first")
            try await store.settle(before[0])
            let again = Commit(firings: firings + [firings[5], firings[3]], claim: .fixture())
            let claimed = try await store.commit(again).claimed
            let rest = Set(firings.map(\.definition)).subtracting(there.map(\.definition))
            try expectEqual(claimed.count, 26, "claimed")
            try expectEqual(Set(claimed.map(\.definition)), rest, "whose")
            try await store.settle((claimed + before.dropFirst()).map { .fixture($0) })
            let delivered = try await store.records(DeliveryFilter(states: [.delivered]))
            try expectEqual(delivered.count, 30, "delivered")
            // A delivery that got the firing of another one would have the wrong instant.
            for claim in claimed { try expectEqual(try await store.record(id: claim.id).due, claim.due, "due") }
        },
        Check("many firings of one definition to one sink are delivered one at a time, in their order") { store in
            let firings = (80..<90).map { Firing.fixture(at: $0) }
            var commit = Commit(firings: firings, claim: .fixture())
            for firing in firings {
                let claimed = try await store.commit(commit).claimed
                try expectEqual(claimed.map(\.occurrence), [firing.occurrence], "claimed")
                commit = Commit(settlements: claimed.map { .fixture($0) }, claim: .fixture())
            }
            try expectEqual(try await store.commit(commit).claimed, [], "claimed")
        },
        Check("a claim of what was just written is released as any other, and its attempt is logged") { store in
            try await store.commit(Commit(firings: [.fixture()], claim: .fixture()))
            let after = try await store.reopened()
            try expectEqual(try await after.release(owner: "next", at: 110).count, 1, "released")
            try expectEqual(try await after.claimOne(at: 110, owner: "next").attempt, 2, "attempt")
            try await after.expectRecord(
                .claimed, "the process that made the last attempt ended", attempts: [.interrupted])
        },
        Check("the history keeps the order of the writing, whatever was claimed of it") { store in
            try await store.commit(Commit(firings: [.fixture("a")], claim: .fixture()))
            try await store.write(.fixture("b"))
            let mixed = (0..<4).map { Firing.fixture("m\($0)", to: [$0 % 2 == 0 ? "chat" : "later"]) }
            try await store.commit(Commit(firings: mixed, claim: .fixture(room: ["chat": 9], otherRoom: 0)))
            let names = try await store.records().map(\.definition.rawValue)
            try expectEqual(names, ["a", "b", "m0", "m1", "m2", "m3"], "the oldest first")
        },
    ]
}

/// All that a caller can see of the content of a store.
private struct Everything: Equatable {
    var snapshot: StoreSnapshot
    var deliveries: [DeliveryRecord]
    var histories: [[HistoryEntry]] = []
    var sinks: [SinkSpec]
}

extension StoreUnderTest {
    fileprivate func everything() async throws -> Everything {
        var everything = Everything(
            snapshot: try await backend.snapshot(), deliveries: try await records(),
            sinks: try await sinksInForce())
        everything.snapshot.schedules = try await schedules()
        for id in ["a", "b", "c", "tea"] { everything.histories.append(try await history(of: id)) }
        return everything
    }
}

extension Delivery {
    /// The same with an empty token: those of two stores differ.
    fileprivate var withoutToken: Delivery {
        var delivery = self
        delivery.claim.token = ""
        return delivery
    }
}
