import TminusCore

extension StoreConformance {
    static let settleChecks: [Check] = [
        Check("what was delivered is never handed out again") { subject in
            try await subject.advance([try .fixture()])
            try await subject.settle(try await subject.claimOne(), .delivered)
            let later = try await subject.reopened()
            try expectEqual(try await later.claim(at: 100_000), [], "claimed")
            try expectEqual(try await later.nextAttempt(), nil, "next attempt")
        },
        Check("what was given up is never handed out again") { subject in
            try await subject.advance([try .fixture()])
            try await subject.settle(try await subject.claimOne(), .dead(reason: "410 Gone"))
            try expectEqual(try await subject.reopened().claim(at: 100_000), [], "claimed")
        },
        Check("the id stays the same on every attempt, and the attempts are counted") { subject in
            try await subject.advance([try .fixture()])
            var ids: Set<DeliveryID> = []
            for attempt in 1...5 {
                let claim = try await subject.claimOne()
                ids.insert(claim.id)
                try expectEqual(claim.attempt, attempt, "attempt")
                try await subject.settle(claim, .retry(at: .fixture(100), reason: "busy"))
            }
            try expectEqual(ids.count, 1, "ids")
        },
        Check("a settlement with an old token is ignored") { subject in
            try await subject.advance([try .fixture()])
            let old = try await subject.claimOne()
            try await subject.settle(old, .retry(at: .fixture(100), reason: "busy"))
            let new = try await subject.claimOne()
            try expectEqual(try await subject.settle(old, .delivered), [], "ended by the old token")
            try expectEqual(try await subject.settle(new, .delivered).count, 1, "ended by the new token")
        },
        Check("a settlement for which there is no claim is ignored") { subject in
            try await subject.advance([try .fixture()])
            let id = DeliveryID(
                definition: try .fixture("tea"), occurrence: .fixture(100), action: .expiry, sink: SinkKey("chat"))
            let other = DeliveryID(
                definition: try .fixture("tea"), occurrence: .fixture(100), action: .expiry, sink: SinkKey("none"))
            for unknown in [id, other] {
                let settlement = Settlement(token: "guess", id: unknown, outcome: .delivered)
                try expectEqual(try await subject.settle([settlement]), [], "ended")
            }
            _ = try await subject.claimOne()
        },
        Check("a settlement with the token of another delivery is ignored") { subject in
            try await subject.advance([try .fixture("a"), .fixture("b")])
            let claimed = try await subject.claim()
            try expectEqual(claimed.count, 2, "claimed")
            for (one, other) in zip(claimed, claimed.reversed()) {
                let settlement = Settlement(token: other.claim.token, id: one.id, outcome: .delivered)
                try expectEqual(try await subject.settle([settlement]), [], "ended")
            }
            let states = try await subject.states(of: "a") + subject.states(of: "b")
            try expectEqual(states, [.claimed, .claimed], "states")
        },
        Check("a second settlement of the same claim changes nothing") { subject in
            try await subject.advance([try .fixture()])
            let claim = try await subject.claimOne()
            let both: [Settlement] = [
                .fixture(claim, .delivered), .fixture(claim, .retry(at: .fixture(100), reason: "busy")),
            ]
            try expectEqual(try await subject.settle(both).count, 1, "ended")
            try expectEqual(try await subject.settle(both), [], "ended again")
            try expectEqual(try await subject.claim(), [], "claimed")
        },
        Check("a settlement after the claim's end counts unless the claim was released") { subject in
            try await subject.advance([try .fixture()])
            let claim = try await subject.claimOne()
            try await subject.settle(claim, .delivered, at: 10_000)
            try expectEqual(
                try await subject.store.releaseClaims(.expired, owner: "other", now: .fixture(10_000)).count, 0,
                "released")
        },
        Check("settlements are written in batches, each with its own outcome") { subject in
            try await subject.advance(try (0..<3).map { try .fixture("t\($0)", at: $0) })
            let claims = try await subject.claim()
            let outcomes: [Outcome] = [.delivered, .dead(reason: "no"), .retry(at: .fixture(100), reason: "busy")]
            let settlements = zip(claims, outcomes).map { Settlement.fixture($0, $1) }
            let ended = try await subject.settle(settlements)
            try expectEqual(ended.map(\.definition.rawValue).sorted(), ["t0", "t1"], "ended")
            try expectEqual(try await subject.claimOne().definition.rawValue, "t2", "left")
        },
        Check("a settlement is written also when the task that asked for it is cancelled") { subject in
            try await subject.advance([try .fixture()])
            let claim = try await subject.claimOne()
            let ended = try await withThrowingTaskGroup(of: [EndedExpiry].self) { group in
                group.cancelAll()
                group.addTask { try await subject.settle(claim, .delivered) }
                return try await group.next() ?? []
            }
            try expectEqual(ended.count, 1, "ended")
            try expectEqual(try await subject.claim(), [], "claimed")
        },
    ]
}
