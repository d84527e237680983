import TminusCore

extension StoreConformance {
    static let claimChecks: [Check] = [
        Check("what is longest overdue is handed out first, whenever it was written") { store in
            try await store.write(.fixture("late", at: 90))
            try await store.write(.fixture("later", at: 95), .fixture("latest", at: 80))
            try await store.expectClaims("latest", "late", "later")
        },
        Check("of equally overdue deliveries the one written first goes first") { store in
            for name in ["m", "z", "a", "q"] { try await store.write(.fixture(name)) }
            try await store.expectClaims("m", "z", "a", "q")
        },
        Check("no more than the limit are handed out, the oldest of all sinks") { store in
            try await store.write((0..<6).map { .fixture("t\($0)", at: 90 - $0, to: [$0 % 2 == 0 ? "a" : "b"]) })
            try await store.expectClaims("t5", "t4", "t3", limit: 3)
            try await store.expectClaims(limit: 0)
            try await store.expectClaims(limit: -1)
            try await store.expectClaims("t2", "t1", "t0")
        },
        Check("a sink without room delays no other sink") { store in
            let old = (0..<20).map { Firing.fixture("slow\($0)", at: $0, to: ["slow"]) }
            try await store.write(old + [.fixture("quick", at: 99, to: ["quick"])])
            try await store.expectClaims("quick", limit: 5, room: ["slow": 0], otherRoom: 1)
            try await store.expectClaims(room: ["slow": -1])
        },
        Check("each sink gets no more than its room, and the rest waits") { store in
            try await store.write((0..<5).map { .fixture("t\($0)", at: $0, to: ["a", "b", "c"]) })
            let claimed = try await store.claim(room: ["a": 1, "b": 3], otherRoom: 2)
            try expectEqual(claimed.countsBySink, ["a": 1, "b": 3, "c": 2], "claimed of each sink")
            try expectEqual(try await store.claim().countsBySink, ["a": 4, "b": 2, "c": 3], "left of each sink")
        },
        Check("a machine gets no delivery to a sink that asks for labels which it has not") { store in
            let sinks = [SinkSpec.fixture("chat"), .fixture("far").asking(for: "backup", "zone=eu")]
            try await store.commit(Commit(sinks: sinks, firings: [.fixture("t1", to: ["chat", "far"])]))
            let first = try await store.commit(
                Commit(firings: [.fixture("t2", to: ["far"])], claim: .fixture(labels: ["backup"])))
            try expectEqual(first.claimed.countsBySink, ["chat": 1], "without one of the labels")
            let second = try await store.commit(
                Commit(firings: [.fixture("t3", to: ["far"])], claim: .fixture(labels: ["backup", "zone=eu"])))
            try expectEqual(second.claimed.countsBySink, ["far": 3], "with both")
            try expectEqual(second.sinks, [sinks[1]], "its spec")
        },
        Check("the labels of a sink count as soon as they are written, also if the engine has room for it") { store in
            try await store.commit(Commit(sinks: [.fixture("far")], firings: [.fixture("t1", to: ["far"])]))
            let edit = Commit(
                sinks: [SinkSpec.fixture("far").asking(for: "backup")], firings: [.fixture("t2", to: ["far"])],
                claim: .fixture(room: ["far": 10]))
            try expectEqual(try await store.commit(edit).claimed, [], "claimed with the edit")
            try expectEqual(
                try await store.reopened().backend.standing().sinks.map(\.labels.count), [1], "labels of what waits")
            let back = try await store.commit(Commit(sinks: [.fixture("far")], claim: .fixture(room: ["far": 10])))
            try expectEqual(back.claimed.countsBySink, ["far": 2], "after the edit back")
        },
        Check("an inline sink keeps its labels when it is edited; a named one that is gone for long is given up") {
            store in
            let sinks = [
                SinkSpec.fixture(nil).asking(for: "backup"), .fixture("named").asking(for: "backup"),
            ]
            let keys = sinks.map(\.key.rawValue)
            try await store.commit(Commit(sinks: sinks, firings: [.fixture("t1", to: keys)]))
            try await store.commit(Commit(sinks: []), at: 200)
            let claimed = try await store.commit(Commit(claim: .fixture(at: 300, removedBefore: 250)), at: 300)
            try expectEqual(claimed.claimed.map(\.sink.rawValue), ["named"], "claimed without labels")
            let labelled = try await store.commit(
                Commit(claim: .fixture(at: 300, removedBefore: 250, labels: ["backup"])), at: 300)
            try expectEqual(labelled.claimed.map(\.sink.rawValue), [keys[0]], "claimed with the label")
        },
        Check("a claimed delivery is not handed out again") { store in
            _ = try await store.claimed()
            try await store.expectNoClaims(owner: "other")
            try await store.expectNoClaims(at: 10_000)
        },
        Check("concurrent claims never share a delivery") { store in
            try await store.write((0..<200).map { .fixture("t\($0)") })
            let ids = try await withThrowingTaskGroup(of: [DeliveryID].self) { group in
                for worker in 0..<8 {
                    group.addTask { try await store.claim(limit: 40, owner: "w\(worker)").map(\.id) }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            try expectEqual([ids.count, Set(ids).count], [200, 200], "claims and deliveries")
        },
        Check("every claim has a token of its own") { store in
            try await store.write((0..<50).map { .fixture("t\($0)") })
            try expectEqual(Set(try await store.claim().map(\.claim.token)).count, 50, "tokens")
        },
        Check("a delivery that waits for another attempt is not handed out before its instant") { store in
            try await store.settled(.fixture(), .busy(until: 150))
            try await store.expectNoClaims(at: 149)
            try expectEqual(try await store.reopened().claimOne(at: 150).attempt, 2, "attempt")
        },
        Check("the next attempt is the earliest of all pending deliveries") { store in
            try await store.write(.fixture("a", at: 80, to: ["a"]), .fixture("b", at: 90, to: ["b"]))
            try expectEqual(try await store.nextAttempt(), .fixture(80), "next attempt")
            let claims = try await store.expectClaims("a", "b")
            try expectEqual(try await store.nextAttempt(), nil, "next attempt while all are claimed")
            try await store.settle([.fixture(claims[0], .busy(until: 300)), .fixture(claims[1], .busy(until: 200))])
            try expectEqual(try await store.nextAttempt(), .fixture(200), "next attempt")
            try expectEqual(try await store.nextAttempt(after: 200), .fixture(300), "next after one that waits")
        },
        Check("a firing that is written ahead of its due instant can be claimed at once") { store in
            try expectEqual(try await store.claimed(.fixture(at: 500)).due, .fixture(500), "due")
        },
        Check("the next attempt is reported with a claim, but not with a limit of 0 or without a claim") { store in
            let without = try await store.write(.fixture(notBefore: 500))
            try expectEqual(without.nextAttempt, nil, "next attempt without a claim")
            for (limit, next) in [(0, nil), (1, .fixture(500))] as [(Int, Timestamp?)] {
                let committed = try await store.commit(Commit(claim: .fixture(limit: limit)))
                try expectEqual(committed.nextAttempt, next, "next attempt with a limit of \(limit)")
            }
        },
        Check("a delivery that is due but has no room does not count as the next attempt") { store in
            try await store.write(.fixture("a", at: 90), .fixture("b"))
            let committed = try await store.commit(Commit(claim: .fixture(otherRoom: 0)))
            try expectEqual(committed, Committed(), "what followed")
        },
    ]
}

extension [Delivery] {
    fileprivate var countsBySink: [String: Int] {
        Dictionary(grouping: self, by: \.sink.rawValue).mapValues(\.count)
    }
}
