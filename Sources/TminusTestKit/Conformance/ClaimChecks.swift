import TminusCore

extension StoreConformance {
    static let claimChecks: [Check] = [
        Check("what is longest overdue is handed out first, whenever it was written") { subject in
            try await subject.advance([try .fixture("late", at: 90)])
            try await subject.advance([try .fixture("later", at: 95), try .fixture("latest", at: 80)])
            try expectEqual(
                try await subject.claim().map(\.definition.rawValue), ["latest", "late", "later"], "order")
        },
        Check("of equally overdue deliveries the one written first goes first") { subject in
            let names = ["m", "z", "a", "q"]
            for name in names { try await subject.advance([try .fixture(name)]) }
            try expectEqual(try await subject.claim().map(\.definition.rawValue), names, "order")
        },
        Check("no more than the limit are handed out, the oldest of all sinks") { subject in
            let firings = try (0..<6).map { try Firing.fixture("t\($0)", at: 90 - $0, to: [$0 % 2 == 0 ? "a" : "b"]) }
            try await subject.advance(firings)
            try expectEqual(
                try await subject.claim(limit: 3).map(\.definition.rawValue), ["t5", "t4", "t3"], "order")
            try expectEqual(try await subject.claim(limit: 0), [], "claimed with limit 0")
            try expectEqual(try await subject.claim(limit: -1), [], "claimed with limit -1")
            try expectEqual(try await subject.claim().count, 3, "left")
        },
        Check("a sink without room delays no other sink") { subject in
            let old = try (0..<20).map { try Firing.fixture("slow\($0)", at: $0, to: ["slow"]) }
            try await subject.advance(old + [try .fixture("quick", at: 99, to: ["quick"])])
            let claimed = try await subject.claim(limit: 5, room: [SinkKey("slow"): 0], otherRoom: 1)
            try expectEqual(claimed.map(\.definition.rawValue), ["quick"], "claimed")
            let negative = try await subject.claim(room: [SinkKey("slow"): -1])
            try expectEqual(negative, [], "claimed with negative room")
        },
        Check("each sink gets no more than its room, and the rest waits") { subject in
            let firings = try (0..<5).flatMap {
                [try Firing.fixture("t\($0)", at: $0, to: ["a", "b", "c"])]
            }
            try await subject.advance(firings)
            let claimed = try await subject.claim(room: [SinkKey("a"): 1, SinkKey("b"): 3], otherRoom: 2)
            let counts = Dictionary(grouping: claimed, by: \.sink.rawValue).mapValues(\.count)
            try expectEqual(counts, ["a": 1, "b": 3, "c": 2], "claimed of each sink")
            let rest = Dictionary(grouping: try await subject.claim(), by: \.sink.rawValue)
            try expectEqual(rest.mapValues(\.count), ["a": 4, "b": 2, "c": 3], "left of each sink")
        },
        Check("a claimed delivery is not handed out again") { subject in
            try await subject.advance([try .fixture()])
            _ = try await subject.claimOne()
            try expectEqual(try await subject.claim(owner: "other"), [], "claimed again")
            try expectEqual(try await subject.claim(at: 10_000), [], "claimed after its end, without release")
        },
        Check("concurrent claims never share a delivery") { subject in
            try await subject.advance(try (0..<200).map { try .fixture("t\($0)") })
            let ids = try await withThrowingTaskGroup(of: [DeliveryID].self) { group in
                for worker in 0..<8 {
                    group.addTask { try await subject.claim(limit: 40, owner: "w\(worker)").map(\.id) }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            try expectEqual(ids.count, 200, "claims")
            try expectEqual(Set(ids).count, 200, "deliveries")
        },
        Check("every claim has a token of its own") { subject in
            try await subject.advance(try (0..<50).map { try .fixture("t\($0)") })
            let claims = try await subject.claim()
            try expectEqual(Set(claims.map(\.claim.token)).count, 50, "tokens")
        },
        Check("a delivery that waits for another attempt is not handed out before its instant") { subject in
            try await subject.advance([try .fixture()])
            try await subject.settle(try await subject.claimOne(), .retry(at: .fixture(150), reason: "busy"))
            try expectEqual(try await subject.claim(at: 149), [], "claimed too early")
            let again = try await subject.reopened().claimOne(at: 150)
            try expectEqual(again.attempt, 2, "attempt")
        },
        Check("the next attempt is the earliest of all pending deliveries") { subject in
            try await subject.advance([try .fixture("a", at: 80, to: ["a"]), try .fixture("b", at: 90, to: ["b"])])
            try expectEqual(try await subject.nextAttempt(), .fixture(80), "next attempt")
            let claims = try await subject.claim()
            try expectEqual(try await subject.nextAttempt(), nil, "next attempt while all are claimed")
            for (claim, next) in zip(claims, [300, 200] as [Int64]) {
                try await subject.settle(claim, .retry(at: .fixture(next), reason: "busy"))
            }
            try expectEqual(try await subject.nextAttempt(), .fixture(200), "next attempt")
            try expectEqual(
                try await subject.nextAttempt(after: 200), .fixture(300),
                "next attempt after one that waits")
        },
        Check("a firing that is written ahead of its due instant can be claimed at once") { subject in
            try await subject.advance([try .fixture(at: 500)], at: 100)
            try expectEqual(try await subject.claimOne().due, .fixture(500), "due")
        },
        Check("the next attempt is reported with a claim, but not with a limit of 0 or without a claim") { subject in
            var later = try Firing.fixture()
            later.notBefore = .fixture(500)
            try expectEqual(try await subject.advance([later]).nextAttempt, nil, "next attempt without a claim")
            let none = try await subject.commit(Commit(claim: .fixture(limit: 0)))
            try expectEqual(none.nextAttempt, nil, "next attempt with a limit of 0")
            let some = try await subject.commit(Commit(claim: .fixture(limit: 1)))
            try expectEqual(some.nextAttempt, .fixture(500), "next attempt with a claim")
        },
        Check("a delivery that is due but has no room does not count as the next attempt") { subject in
            try await subject.advance([try .fixture("a", at: 90), try .fixture("b", at: 100)])
            let committed = try await subject.commit(Commit(claim: .fixture(otherRoom: 0)))
            try expectEqual(committed.claimed, [], "claimed")
            try expectEqual(committed.nextAttempt, nil, "next attempt")
        },
    ]
}
