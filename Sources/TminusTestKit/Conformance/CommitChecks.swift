import TminusCore

/// Commits with several parts: they are applied in their order, and the claim covers what the commit itself writes.
extension StoreConformance {
    static let commitChecks: [Check] = [
        Check("a commit claims what it writes, as a claim that follows would") { subject in
            var firing = try Firing.fixture(at: 90, to: ["chat", "mail"], overlap: .allow)
            firing.onFailure = [SinkKey("alarm")]
            firing.expires = .fixture(500)
            let claimed = try await subject.commit(Commit(firings: [firing], claim: .fixture())).claimed
            let expected = firing.targets.map { target in
                var delivery = Delivery(firing, to: target)
                delivery.claim = Delivery.Claim(
                    since: .fixture(100), expires: .fixture(500), overlap: .allow, onFailure: firing.onFailure)
                return delivery
            }
            try expectEqual(claimed.map(\.withoutToken).sorted { $0.sink < $1.sink }, expected, "claimed")
            try expectEqual(Set(claimed.map(\.claim.token)).count, 2, "tokens")
            try expectEqual(try await subject.claim(), [], "claimed again")
        },
        Check("a commit claims no more than the limit and the room allow, and the rest waits") { subject in
            let firings = try (0..<8).map { try Firing.fixture("t\($0)", at: 90 + $0, to: [$0 % 2 == 0 ? "a" : "b"]) }
            let request = ClaimRequest.fixture(limit: 3, room: [SinkKey("a"): 1, SinkKey("b"): 3], otherRoom: 0)
            let claimed = try await subject.commit(Commit(firings: firings, claim: request)).claimed
            try expectEqual(claimed.map(\.definition.rawValue), ["t0", "t1", "t3"], "claimed")
            let rest = try await subject.claim().map(\.definition.rawValue)
            try expectEqual(rest, ["t2", "t4", "t5", "t6", "t7"], "the rest")
        },
        Check("deliveries that wait for a sink go before those that the commit writes") { subject in
            try await subject.advance([try .fixture("old", at: 50), try .fixture("older", at: 40)])
            let claimed = try await subject.commit(
                Commit(firings: [try .fixture("new", at: 99)], claim: .fixture(room: [SinkKey("chat"): 1]))
            ).claimed
            let order = try await claimed + subject.claim()
            try expectEqual(order.map(\.definition.rawValue), ["older", "old", "new"], "order")
        },
        Check("a delivery that is queued or not yet due is not claimed by the commit that writes it") { subject in
            var later = try Firing.fixture("later", at: 10)
            later.notBefore = .fixture(150)
            let firings = [later, try Firing.fixture("twice", at: 90), try Firing.fixture("twice", at: 95)]
            let committed = try await subject.commit(Commit(firings: firings, claim: .fixture()))
            try expectEqual(committed.claimed.map(\.occurrence), [.fixture(90)], "claimed")
            try expectEqual(committed.nextAttempt, .fixture(150), "next attempt")
            for claim in committed.claimed { try await subject.settle(claim, .delivered) }
            let next = try await subject.claim(at: 150).map(\.occurrence)
            try expectEqual(next.sorted(), [.fixture(10), .fixture(95)], "claimed later")
        },
        Check("repeating a commit with a claim claims nothing again, and leaves the claim alone") { subject in
            let commit = Commit(firings: [try .fixture()], claim: .fixture())
            let claimed = try await subject.commit(commit).claimed
            try expectEqual(claimed.count, 1, "claimed")
            try expectEqual(try await subject.commit(commit, at: 110), Committed(), "what followed again")
            for claim in claimed { try await subject.settle(claim, .delivered, at: 120) }
            try expectEqual(try await subject.states(), [.delivered], "states")
        },
        Check("repeating a commit with every part but a claim changes nothing") { subject in
            try await subject.advance([try .fixture("a"), try .fixture("b")])
            let claims = try await subject.claim()
            try expectEqual(claims.count, 2, "claimed")
            let commit = Commit(
                sinks: [.fixture("chat")],
                settlements: [
                    .fixture(claims[0], .delivered),
                    .fixture(claims[1], .dead(reason: "no"), telling: [try .fixture("told", to: ["alarm"])]),
                ],
                schedules: [try .fixture("c")],
                firings: [try .fixture("c", to: ["x", "y"])],
                omissions: [
                    Omission(
                        definition: try .fixture("c"), occurrence: .fixture(1), action: .expiry, due: .fixture(1),
                        reason: .tooLate)
                ],
                mute: .until(
                    Overrides.Mute(until: .fixture(900), origin: .init(by: "ada", at: .fixture(1), note: nil))),
                withdrawals: [Withdrawal(try .fixture("b"), .removed)])
            try await subject.commit(commit)
            let before = try await subject.reopened().everything()
            try expectEqual(try await subject.commit(commit, at: 200), Committed(), "what followed again")
            try expectEqual(try await subject.everything(), before, "what is stored")
        },
        Check("settlements, firings and a claim go together: the settled one makes room for the next") { subject in
            try await subject.advance([try .fixture(at: 80), try .fixture(at: 85), try .fixture("other", at: 90)])
            let claims = try await subject.claim()
            try expectEqual(claims.map(\.definition.rawValue), ["tea", "other"], "claimed before")
            let committed = try await subject.commit(
                Commit(
                    settlements: [
                        .fixture(claims[0], .delivered), .fixture(claims[1], .retry(at: .fixture(300), reason: "busy")),
                    ], schedules: [.fixture("other", phase: .acting, deadline: 90)],
                    firings: [try .fixture("new", at: 99), try .fixture("other", at: 100)], claim: .fixture()))
            try expectEqual(committed.claimed.map(\.occurrence), [.fixture(85), .fixture(99)], "claimed")
            try expectEqual(committed.nextAttempt, .fixture(300), "next attempt")
            try expectEqual(try await subject.states(of: "other"), [.pending, .queued], "states of the other")
        },
        Check("the firings of a settlement can be claimed by the same commit") { subject in
            try await subject.advance([try .fixture()])
            let claim = try await subject.claimOne()
            let told = try Firing.fixture("told", to: ["alarm"])
            let committed = try await subject.commit(
                Commit(settlements: [.fixture(claim, .dead(reason: "no"), telling: [told])], claim: .fixture()))
            try expectEqual(committed.claimed.map(\.sink), [SinkKey("alarm")], "claimed")
        },
        Check("whether an expiry is awaited depends on the schedule that the same commit writes") { subject in
            try await subject.advance([try .fixture(at: 90)])
            let claim = try await subject.claimOne()
            let committed = try await subject.commit(
                Commit(
                    settlements: [.fixture(claim, .delivered)], schedules: [.fixture(phase: .armed, deadline: 200)]))
            try expectEqual(committed.endedExpiries, [], "ended")
        },
        Check("an expiry stays open when the same commit sends it to another sink") { subject in
            try await subject.advance([try .fixture(at: 90, to: ["a"])])
            let claim = try await subject.claimOne()
            let committed = try await subject.commit(
                Commit(settlements: [.fixture(claim, .delivered)], firings: [try .fixture(at: 90, to: ["a", "b"])]))
            try expectEqual(committed.endedExpiries, [], "ended")
        },
        Check("an empty commit changes nothing") { subject in
            try await subject.advance([try .fixture()])
            let before = try await subject.everything()
            try expectEqual(try await subject.commit(Commit()), Committed(), "what followed")
            try expectEqual(try await subject.everything(), before, "what is stored")
        },
        Check("among many firings of a commit, those that are already written are left alone") { subject in
            let firings = try (0..<30).map { try Firing.fixture("t\($0)", at: 60 + $0) }
            let there = [3, 11, 12, 29].map { firings[$0] }
            let before = try await subject.commit(Commit(firings: there, claim: .fixture())).claimed
            try await subject.settle(try require(before.first, "nothing claimed"), .delivered)
            let again = Commit(firings: firings + [firings[5], firings[3]], claim: .fixture())
            let claimed = try await subject.commit(again).claimed
            let rest = Set(firings.map(\.definition)).subtracting(there.map(\.definition))
            try expectEqual(claimed.count, 26, "claimed")
            try expectEqual(Set(claimed.map(\.definition)), rest, "whose")
            for claim in claimed + before.dropFirst() { try await subject.settle(claim, .delivered) }
            let delivered = try await subject.store.deliveries(DeliveryFilter(states: [.delivered], limit: 100))
            try expectEqual(delivered.count, 30, "delivered")
            for claim in claimed {
                let record = try await subject.store.deliveries(DeliveryFilter(ids: [claim.id])).first
                // A delivery that got the firing of another one would have the wrong instant.
                try expectEqual(record?.due, claim.due, "due")
            }
        },
        Check("many firings of one definition to one sink are delivered one at a time, in their order") { subject in
            let firings = try (0..<10).map { try Firing.fixture(at: 80 + $0) }
            var claimed = try await subject.commit(Commit(firings: firings, claim: .fixture())).claimed
            for number in 0..<10 {
                try expectEqual(claimed.map(\.occurrence), [.fixture(80 + Int64(number))], "claimed")
                let settlements = claimed.map { Settlement.fixture($0, .delivered) }
                claimed = try await subject.commit(Commit(settlements: settlements, claim: .fixture())).claimed
            }
            try expectEqual(claimed, [], "claimed")
        },
        Check("a claim of what was just written is released as any other, and its attempt is logged") { subject in
            try await subject.commit(Commit(firings: [.fixture()], claim: .fixture()))
            let after = try await subject.reopened()
            try expectEqual(
                try await after.store.releaseClaims(.ofFormerOwners, owner: "next", now: .fixture(110)).count, 1,
                "released")
            let again = try await after.claimOne(at: 110, owner: "next")
            try expectEqual(again.attempt, 2, "attempt")
            try expectEqual(try await after.record().log.map(\.outcome), [.interrupted], "attempts")
        },
        Check("the history keeps the order of the writing, whatever was claimed of it") { subject in
            try await subject.commit(Commit(firings: [.fixture("a")], claim: .fixture()))
            try await subject.advance([try .fixture("b")])
            let mixed = try (0..<4).map { try Firing.fixture("m\($0)", to: [$0 % 2 == 0 ? "chat" : "later"]) }
            try await subject.commit(
                Commit(firings: mixed, claim: .fixture(room: [SinkKey("chat"): 9], otherRoom: 0)))
            let records = try await subject.store.deliveries(DeliveryFilter(limit: 10))
            try expectEqual(
                records.map(\.definition.rawValue), ["m3", "m2", "m1", "m0", "b", "a"], "the newest first")
        },
    ]
}

/// All that a caller can see of the content of a store.
private struct Everything: Equatable {
    var snapshot: StoreSnapshot
    var deliveries: [DeliveryRecord]
    var histories: [[HistoryEntry]]
    var sinks: [SinkSpec]
}

extension StoreUnderTest {
    fileprivate func everything() async throws -> Everything {
        var snapshot = try await store.snapshot()
        snapshot.schedules.sort { $0.id < $1.id }
        var histories: [[HistoryEntry]] = []
        for id in ["a", "b", "c", "tea"] {
            histories.append(try await store.history(of: .fixture(id), before: .distantFuture, limit: 10))
        }
        return Everything(
            snapshot: snapshot, deliveries: try await store.deliveries(DeliveryFilter()), histories: histories,
            sinks: try await store.keptFiles(root: "/c").sinks)
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
