import TminusCore

extension StoreConformance {
    private static let hour = Retention(removedSchedules: .seconds(3_600), history: .seconds(3_600))

    static let pruneChecks: [Check] = [
        Check("prune keeps what is open, however old") { store in
            try await store.write(
                .fixture("pending", at: 1, to: ["a"]), .fixture("claimed", at: 2, to: ["b"]),
                .fixture("half", at: 3, to: ["c", "d"]))
            try await store.expectClaims("claimed", room: ["b": 1], otherRoom: 0, owner: "former")
            try await store.settle(try await store.expectClaims("half", room: ["c": 1], otherRoom: 0)[0])
            try await store.prune(hour, at: 1_000_000)
            _ = try await store.release(at: 1_000_000)
            try await store.expectClaims("pending", "claimed", "half", at: 1_000_000)
        },
        Check("prune removes settled firings past their retention, and they can be written anew") { store in
            try await store.settled()
            try await store.prune(hour, at: 100 + 3_600)
            try await store.write(.fixture(), at: 3_700)
            try await store.expectNoClaims(at: 3_700)
            try await store.prune(hour, at: 100 + 3_601)
            try await store.write(.fixture(), at: 3_701)
            try await store.expectClaims("tea", at: 3_701)
        },
        Check("the retention of a firing begins with the last of its settlements") { store in
            try await store.settle(try await store.claimed(), at: 5_000)
            try await store.prune(hour, at: 8_000)
            try await store.write(.fixture(), at: 8_000)
            try await store.expectNoClaims(at: 8_000)
        },
        Check("prune removes schedules only when they are past their retention as removed") { store in
            try await store.write(
                schedules: .fixture("present", cursor: -1_000_000), .fixture("fresh", removed: 100),
                .fixture("old", removed: 99))
            try await store.prune(hour, at: 3_700)
            try expectEqual(try await store.schedules().map(\.id.rawValue), ["fresh", "present"], "schedules")
        },
        Check("prune of more than a page leaves none behind") { store in
            let firings = (0..<1_800).map { Firing.fixture("t\($0)", at: $0 % 600, to: ["a"]) }
            for first in [0, 600, 1_200] { try await store.write(Array(firings[first..<first + 600])) }
            let claims = try await store.claim(at: 600, limit: 5_000, otherRoom: 5_000)
            try expectEqual(claims.count, 1_800, "claimed")
            let keep = 7
            try await store.settle(claims.dropFirst(keep).map { .fixture($0) })
            try await store.prune(hour, at: 10_000)
            try await store.write(firings, at: 10_000)
            let again = try await store.claim(at: 10_000, limit: 5_000, otherRoom: 5_000)
            try expectEqual(again.count, 1_800 - keep, "claimed after the pruning")
        },
        Check("prune survives retentions that reach beyond the range of time") { store in
            try await store.write(schedules: .fixture(removed: 1))
            let forever = Retention(removedSchedules: .seconds(Int64.max), history: .seconds(Int64.max))
            try await store.backend.prune(forever, now: .distantPast)
            try expectEqual(try await store.schedules().count, 1, "schedules")
        },
    ]

    static let lifetimeChecks: [Check] = [
        Check("everything that a verb has written survives a crash") { store in
            try await store.commit(
                Commit(sinks: [.fixture("a")], schedules: [.fixture()], firings: [.fixture(to: ["a", "b"])]))
            let claims = try await store.expectClaims("tea", "tea")
            try await store.settle(claims[0])
            let later = try await store.reopened()
            try expectEqual(try await later.schedules(), [.fixture()], "schedules")
            try expectEqual(try await later.release(owner: "new", at: 101).count, 1, "released")
            try expectEqual(try await later.claimOne(at: 101).id, claims[1].id, "what was in the hands of the dead")
        },
        Check("a closed store throws, and closing it again does not") { store in
            try await store.backend.close()
            try await store.backend.close()
            do {
                _ = try await store.backend.snapshot()
            } catch is StoreError {
                return
            }
            throw ConformanceFailure("a verb after close must throw a StoreError")
        },
    ]
}
