import TminusCore

extension StoreConformance {
    static let settleChecks: [Check] = [
        Check("what was delivered is never handed out again") { store in
            try await store.settled()
            let later = try await store.reopened()
            try await later.expectNoClaims(at: 100_000)
            try expectEqual(try await later.nextAttempt(), nil, "next attempt")
        },
        Check("what is dead is never handed out again") { store in
            try await store.settled(.fixture(), .dead(reason: "410 Gone"))
            try await store.reopened().expectNoClaims(at: 100_000)
        },
        Check("the id stays the same on every attempt, and the attempts are counted") { store in
            try await store.write(.fixture())
            for attempt in 1...5 {
                let claim = try await store.claimOne()
                try expectEqual(claim.id, Firing.fixture().ids[0], "id")
                try expectEqual(claim.attempt, attempt, "attempt")
                try await store.settle(claim, .busy())
            }
        },
        Check("a settlement with an old token is ignored") { store in
            let old = try await store.settled(.fixture(), .busy())
            let new = try await store.claimOne()
            try expectEqual(try await store.settle(old), [], "ended by the old token")
            try expectEqual(try await store.settle(new).count, 1, "ended by the new token")
        },
        Check("a settlement for which there is no claim is ignored") { store in
            try await store.write(.fixture())
            for unknown in Firing.fixture(to: ["chat", "none"]).ids {
                let settlement = Settlement(token: "guess", id: unknown, outcome: .delivered)
                try expectEqual(try await store.settle([settlement]), [], "ended")
            }
            try await store.expectClaims("tea")
        },
        Check("a settlement with the token of another delivery is ignored") { store in
            try await store.write(.fixture("a"), .fixture("b"))
            let claimed = try await store.expectClaims("a", "b")
            for (one, other) in zip(claimed, claimed.reversed()) {
                let settlement = Settlement(token: other.claim.token, id: one.id, outcome: .delivered)
                try expectEqual(try await store.settle([settlement]), [], "ended")
            }
            try await store.expectStates(.claimed, .claimed, of: "a", "b")
        },
        Check("a second settlement of the same claim changes nothing") { store in
            let claim = try await store.claimed()
            let both: [Settlement] = [.fixture(claim), .fixture(claim, .busy())]
            try expectEqual(try await store.settle(both).count, 1, "ended")
            try expectEqual(try await store.settle(both), [], "ended again")
            try await store.expectNoClaims()
        },
        Check("a settlement after the claim's end counts unless the claim was released") { store in
            try await store.settle(try await store.claimed(), at: 10_000)
            try expectEqual(try await store.release(.expired, owner: "other", at: 10_000).count, 0, "released")
        },
        Check("settlements are written in batches, each with its own outcome") { store in
            try await store.write((0..<3).map { .fixture("t\($0)", at: $0) })
            let outcomes: [Outcome] = [.delivered, .dead(reason: "no"), .busy()]
            let settlements = try await zip(store.claim(), outcomes).map { Settlement.fixture($0, $1) }
            let ended = try await store.settle(settlements)
            try expectEqual(ended.map(\.definition.rawValue).sorted(), ["t0", "t1"], "ended")
            try await store.expectClaims("t2")
        },
        Check("a settlement is written also when the task that asked for it is cancelled") { store in
            let claim = try await store.claimed()
            let ended = try await withThrowingTaskGroup(of: [EndedExpiry].self) { group in
                group.cancelAll()
                group.addTask { try await store.settle(claim) }
                return try await group.next() ?? []
            }
            try expectEqual(ended.count, 1, "ended")
            try await store.expectNoClaims()
        },
    ]
}
