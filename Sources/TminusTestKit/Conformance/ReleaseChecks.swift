import TminusCore

extension StoreConformance {
    static let releaseChecks: [Check] = [
        Check("a claim that has expired is handed out again with the same id and the next attempt") { subject in
            try await subject.advance([try .fixture()])
            let first = try await subject.claimOne(owner: "former")
            let later = try await subject.reopened()
            try expectEqual(
                try await later.store.releaseClaims(.expired, owner: "me", now: .fixture(160)).count, 1, "released")
            let second = try await later.claimOne(at: 160)
            try expectEqual(second.id, first.id, "id")
            try expectEqual(second.attempt, 2, "attempt")
            try expect(second.claim.token != first.claim.token, "the token must be a new one")
        },
        Check("a claim is void from its end on, not before") { subject in
            try await subject.advance([try .fixture()])
            _ = try await subject.claimOne(owner: "former")
            let before = Timestamp.fixture(160).advanced(by: .nanoseconds(-1))
            try expectEqual(
                try await subject.store.releaseClaims(.expired, owner: "me", now: before).count, 0, "released")
            try expectEqual(
                try await subject.store.releaseClaims(.expired, owner: "me", now: .fixture(160)).count, 1, "released")
        },
        Check("claims of the caller itself are never released") { subject in
            try await subject.advance([try .fixture()])
            let claim = try await subject.claimOne(owner: "me")
            for which in [ClaimRelease.expired, .ofFormerOwners] {
                let count = try await subject.store.releaseClaims(which, owner: "me", now: .fixture(10_000)).count
                try expectEqual(count, 0, "released")
            }
            try expectEqual(try await subject.settle(claim, .delivered).count, 1, "ended")
        },
        Check("all claims of former owners can be released before their end") { subject in
            try await subject.advance(try (0..<3).map { try .fixture("t\($0)") })
            _ = try await subject.claim(limit: 1, owner: "me")
            _ = try await subject.claim(limit: 1, owner: "former")
            _ = try await subject.claim(limit: 1, owner: "earlier")
            try expectEqual(
                try await subject.store.releaseClaims(.ofFormerOwners, owner: "me", now: .fixture(100)).count, 2,
                "released")
            try expectEqual(try await subject.claim().count, 2, "claimed")
        },
        Check("a released delivery keeps its place in the queue") { subject in
            try await subject.advance([try .fixture("old", at: 10)])
            _ = try await subject.claimOne(owner: "former")
            try await subject.advance([try .fixture("new", at: 90)])
            _ = try await subject.store.releaseClaims(.ofFormerOwners, owner: "me", now: .fixture(200))
            try expectEqual(try await subject.nextAttempt(), .fixture(10), "next attempt")
            try expectEqual(
                try await subject.claim(at: 200).map(\.definition.rawValue), ["old", "new"], "order")
        },
        Check("a claim that was released cannot be settled") { subject in
            try await subject.advance([try .fixture()])
            let lost = try await subject.claimOne(owner: "former")
            _ = try await subject.store.releaseClaims(.expired, owner: "me", now: .fixture(1_000))
            try expectEqual(try await subject.settle(lost, .delivered), [], "ended while pending")
            _ = try await subject.claimOne(at: 1_000)
            try expectEqual(try await subject.settle(lost, .dead(reason: "no")), [], "ended while claimed anew")
        },
        Check("release leaves alone what is pending or settled") { subject in
            try await subject.advance([try .fixture("a", at: 1), try .fixture("b", at: 2)])
            let claims = try await subject.claim(limit: 1, owner: "former")
            for claim in claims { try await subject.settle(claim, .delivered) }
            try expectEqual(
                try await subject.store.releaseClaims(.ofFormerOwners, owner: "me", now: .fixture(100)).count, 0,
                "released")
        },
    ]

    static let interruptionChecks: [Check] = [
        Check("a delivery during whose last three attempts the process ended is dead, and all else goes on") {
            subject in
            let firings = [
                try Firing.fixture("tea", at: 10), try .fixture("tea", at: 20), try .fixture("rest", at: 30),
            ]
            try await subject.advance(firings)
            var subject = subject
            for start in 1...2 {
                _ = try await subject.claim(limit: 1, owner: "run \(start)")
                subject = try await subject.reopened()
                let released = try await subject.releaseAll(owner: "run \(start + 1)")
                try expectEqual(released, ReleasedClaims(count: 1), "released")
            }
            let last = try require(try await subject.claim(limit: 1, owner: "run 3").first, "nothing claimed")
            try expectEqual(last.attempt, 3, "attempt")
            subject = try await subject.reopened()
            let released = try await subject.releaseAll(owner: "run 4", at: 200)
            try expectEqual(released.count, 0, "released")
            try expectEqual(released.setAside.map(\.id), [last.id], "set aside")
            let record = try require(try await subject.deadLetters().first, "no dead letter")
            try expectEqual(released.setAside, [record], "set aside")
            try expectEqual(record.reason, InterruptedAttempts.reason, "reason")
            try expectEqual(record.settled, .fixture(200), "settled")
            try expectEqual(record.log.map(\.outcome), [.interrupted, .interrupted, .dead], "attempts")
            try expectEqual(
                try await subject.claim(at: 200, owner: "run 4").map(\.occurrence), [.fixture(20), .fixture(30)],
                "what goes on, the next of the same definition among it")
            try expectEqual(try await subject.releaseAll(owner: "run 4"), ReleasedClaims(), "set aside again")
        },
        Check("attempts count as interrupted only if they follow each other") { subject in
            try await subject.advance([try .fixture()])
            for round in 0..<3 {
                for start in 1...2 {
                    _ = try await subject.claimOne(owner: "run \(round) \(start)")
                    try expectEqual(try await subject.releaseAll(owner: "next"), ReleasedClaims(count: 1), "released")
                }
                // Given back without an attempt, which says nothing.
                try await subject.settle(
                    try await subject.claimOne(owner: "next"), .retry(at: .fixture(100), reason: "no sink"), report: nil
                )
                try await subject.settle(
                    try await subject.claimOne(owner: "next"), .retry(at: .fixture(100), reason: "busy"))
            }
            try expectEqual(try await subject.states(), [.pending], "states")
        },
        Check("a claim that was given back without an attempt leaves the count of interrupted ones") { subject in
            try await subject.advance([try .fixture()])
            for start in 1...2 {
                _ = try await subject.claimOne(owner: "run \(start)")
                _ = try await subject.releaseAll(owner: "next")
            }
            try await subject.settle(
                try await subject.claimOne(owner: "next"), .retry(at: .fixture(100), reason: "no sink"), report: nil)
            _ = try await subject.claimOne(owner: "run 3")
            try expectEqual(try await subject.releaseAll(owner: "next").setAside.count, 1, "set aside")
        },
        Check("a person who retries what was set aside has it tried three times more") { subject in
            try await subject.advance([try .fixture()])
            for start in 1...3 {
                _ = try await subject.claimOne(owner: "run \(start)")
                _ = try await subject.releaseAll(owner: "next")
            }
            let dead = try require(try await subject.deadLetters().first, "no dead letter")
            try expectEqual(try await subject.store.retry([dead.id], now: .fixture(100)), 1, "retried")
            for start in 4...5 {
                _ = try await subject.claimOne(owner: "run \(start)")
                try expectEqual(try await subject.releaseAll(owner: "next"), ReleasedClaims(count: 1), "released")
            }
        },
        Check("of deliveries one attempt short of being set aside, a sink gets one at a time") { subject in
            let firings = try (0..<3).map { try Firing.fixture("t\($0)", at: 10 + $0, to: ["a", "b"]) }
            try await subject.advance(firings)
            for start in 1...2 {
                try expectEqual(try await subject.claim(owner: "run \(start)").count, 6, "claimed")
                try expectEqual(try await subject.releaseAll(owner: "next"), ReleasedClaims(count: 6), "released")
            }
            try await subject.advance([try .fixture("fresh", at: 50, to: ["a"])])
            let claims = try await subject.claim(owner: "next")
            try expectEqual(claims.map(\.definition.rawValue), ["t0", "t0", "fresh"], "claimed")
            try expectEqual(try await subject.claim(owner: "next"), [], "claimed while these are")
            for claim in claims where claim.sink == SinkKey("a") { try await subject.settle(claim, .delivered) }
            let more = try await subject.claim(owner: "next")
            try expectEqual(more.map(\.definition.rawValue), ["t1"], "claimed once it is over")
            // The process ends again: only what was attempted is set aside.
            try expectEqual(
                Set(try await subject.releaseAll(owner: "last").setAside.map(\.definition.rawValue)), ["t0", "t1"],
                "set aside")
            try expectEqual(try await subject.states(of: "t2"), [.pending, .pending], "states")
        },
        Check("an expired claim of another owner is no sign that the delivery ends the process") { subject in
            try await subject.advance([try .fixture()])
            for start in 1...5 {
                _ = try await subject.claimOne(owner: "run \(start)")
                let released = try await subject.store.releaseClaims(.expired, owner: "next", now: .fixture(1_000))
                try expectEqual(released, ReleasedClaims(count: 1), "released")
            }
        },
    ]
}

extension StoreUnderTest {
    /// Gives back what former processes had claimed.
    fileprivate func releaseAll(owner: String, at now: Int64 = 100) async throws -> ReleasedClaims {
        try await store.releaseClaims(.ofFormerOwners, owner: owner, now: .fixture(now))
    }

    fileprivate func deadLetters() async throws -> [DeliveryRecord] { try await store.deliveries(.deadLetters) }
}
