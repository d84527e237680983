import TminusCore

extension StoreConformance {
    static let releaseChecks: [Check] = [
        Check("a claim that has expired is handed out again with the same id and the next attempt") { store in
            let first = try await store.claimed(owner: "former")
            let later = try await store.reopened()
            try expectEqual(try await later.release(.expired, at: 160).count, 1, "released")
            let second = try await later.claimOne(at: 160)
            try expectEqual(second.id, first.id, "id")
            try expectEqual(second.attempt, 2, "attempt")
            try expect(second.claim.token != first.claim.token, "the token must be a new one")
        },
        Check("a claim is void from its end on, not before") { store in
            _ = try await store.claimed(owner: "former")
            let before = Timestamp.fixture(160).advanced(by: .nanoseconds(-1))
            let early = try await store.backend.releaseClaims(.expired, owner: "me", now: before)
            try expectEqual(early.count, 0, "released")
            try expectEqual(try await store.release(.expired, at: 160).count, 1, "released")
        },
        Check("claims of the caller itself are never released") { store in
            let claim = try await store.claimed()
            for which in [ClaimRelease.expired, .ofFormerOwners] {
                try expectEqual(try await store.release(which, at: 10_000).count, 0, "released")
            }
            try expectEqual(try await store.settle(claim).count, 1, "ended")
        },
        Check("all claims of former owners can be released before their end") { store in
            try await store.write((0..<3).map { .fixture("t\($0)") })
            for owner in ["me", "former", "earlier"] { _ = try await store.claim(limit: 1, owner: owner) }
            try expectEqual(try await store.release().count, 2, "released")
            try await store.expectClaims("t1", "t2")
        },
        Check("a released delivery keeps its place in the queue") { store in
            _ = try await store.claimed(.fixture("old", at: 10), owner: "former")
            try await store.write(.fixture("new", at: 90))
            _ = try await store.release(at: 200)
            try expectEqual(try await store.nextAttempt(), .fixture(10), "next attempt")
            try await store.expectClaims("old", "new", at: 200)
        },
        Check("a claim that was released cannot be settled") { store in
            let lost = try await store.claimed(owner: "former")
            _ = try await store.release(.expired, at: 1_000)
            try expectEqual(try await store.settle(lost), [], "ended while pending")
            try await store.expectClaims("tea", at: 1_000)
            try expectEqual(try await store.settle(lost, .dead(reason: "no")), [], "ended while claimed anew")
        },
        Check("release leaves alone what is pending or settled") { store in
            try await store.write(.fixture("a", at: 1), .fixture("b", at: 2))
            try await store.settle(try await store.expectClaims("a", limit: 1, owner: "former")[0])
            try expectEqual(try await store.release().count, 0, "released")
        },
    ]

    static let interruptionChecks: [Check] = [
        Check("a delivery during whose last three attempts the process ended is dead, and all else goes on") { store in
            try await store.write(.fixture(at: 10), .fixture(at: 20), .fixture("rest", at: 30))
            var store = store
            for start in 1...2 {
                _ = try await store.claim(limit: 1, owner: "run \(start)")
                store = try await store.reopened()
                let released = try await store.release(owner: "run \(start + 1)")
                try expectEqual(released, ReleasedClaims(count: 1), "released")
            }
            let last = try await store.expectClaims("tea", limit: 1, owner: "run 3")[0]
            try expectEqual(last.attempt, 3, "attempt")
            store = try await store.reopened()
            let released = try await store.release(owner: "run 4", at: 200)
            try await store.expectRecord(
                id: last.id, .dead, InterruptedAttempts.reason, settled: 200,
                attempts: [.interrupted, .interrupted, .dead])
            let record = try await store.record(id: last.id)
            try expectEqual(released, ReleasedClaims(count: 0, setAside: [record]), "set aside")
            let rest = try await store.claim(at: 200, owner: "run 4").map(\.occurrence)
            try expectEqual(rest, [.fixture(20), .fixture(30)], "what goes on, the next of the definition among it")
            try expectEqual(try await store.release(owner: "run 4"), ReleasedClaims(), "set aside again")
        },
        Check("attempts count as interrupted only if they follow each other") { store in
            try await store.write(.fixture())
            for _ in 0..<3 {
                try await store.interrupt(times: 2)
                // Given back without an attempt, which says nothing.
                let untried = try await store.claimOne(owner: "next")
                try await store.settle(untried, .retry(at: .fixture(100), reason: "no sink"), report: nil)
                try await store.settle(try await store.claimOne(owner: "next"), .busy())
            }
            try await store.expectStates(.pending)
        },
        Check("a claim that was given back without an attempt leaves the count of interrupted ones") { store in
            try await store.write(.fixture())
            try await store.interrupt(times: 2)
            let untried = try await store.claimOne(owner: "next")
            try await store.settle(untried, .retry(at: .fixture(100), reason: "no sink"), report: nil)
            try await store.expectClaims("tea", owner: "last")
            try expectEqual(try await store.release(owner: "next").setAside.count, 1, "set aside")
        },
        Check("a delivery that was set aside and is retried by a user gets three more attempts") { store in
            try await store.write(.fixture())
            try await store.interrupt(times: 2)
            try await store.expectClaims("tea", owner: "last")
            let dead = try await store.release(owner: "next").setAside
            try expectEqual(dead.count, 1, "set aside")
            try expectEqual(try await store.retry(dead[0].id), 1, "retried")
            try await store.interrupt(times: 2)
        },
        Check("of deliveries one attempt short of being set aside, a sink gets one at a time") { store in
            try await store.write((0..<3).map { .fixture("t\($0)", at: 10 + $0, to: ["a", "b"]) })
            try await store.interrupt(times: 2, count: 6)
            try await store.write(.fixture("fresh", at: 50, to: ["a"]))
            let claims = try await store.expectClaims("t0", "t0", "fresh", owner: "next")
            try await store.expectNoClaims(owner: "next")
            try await store.settle(claims.filter { $0.sink == SinkKey("a") }.map { .fixture($0) })
            try await store.expectClaims("t1", owner: "next")
            // The process ends again: only what was attempted is set aside.
            let setAside = try await store.release(owner: "last").setAside.map(\.definition.rawValue)
            try expectEqual(Set(setAside), ["t0", "t1"], "set aside")
            try await store.expectStates(.pending, .pending, of: "t2")
        },
        Check("an expired claim of another owner is no sign that the delivery ends the process") { store in
            try await store.write(.fixture())
            for start in 1...5 {
                try await store.expectClaims("tea", owner: "run \(start)")
                let released = try await store.release(.expired, owner: "next", at: 1_000)
                try expectEqual(released, ReleasedClaims(count: 1), "released")
            }
            try await store.interrupt(times: 2)
        },
    ]
}

extension StoreUnderTest {
    /// Has a process end so many times while it attempts all `count` deliveries.
    fileprivate func interrupt(times: Int, count: Int = 1) async throws {
        for _ in 1...times {
            try expectEqual(try await claim(owner: "killed").count, count, "claimed")
            try expectEqual(try await release(owner: "next"), ReleasedClaims(count: count), "released")
        }
    }
}
