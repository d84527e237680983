import TminusCore

extension StoreConformance {
    private static let hour = Retention(removedSchedules: .seconds(3_600), history: .seconds(3_600))

    static let pruneChecks: [Check] = [
        Check("prune keeps what is open, however old") { subject in
            try await subject.advance([
                try .fixture("pending", at: 1, to: ["a"]), try .fixture("claimed", at: 2, to: ["b"]),
                try .fixture("half", at: 3, to: ["c", "d"]),
            ])
            _ = try await subject.claim(room: [SinkKey("b"): 1], otherRoom: 0, owner: "former")
            for claim in try await subject.claim(room: [SinkKey("c"): 1], otherRoom: 0) {
                try await subject.settle(claim, .delivered)
            }
            try await subject.store.prune(hour, now: .fixture(1_000_000))
            _ = try await subject.store.releaseClaims(.ofFormerOwners, owner: "me", now: .fixture(1_000_000))
            try expectEqual(
                try await subject.claim(at: 1_000_000).map(\.definition.rawValue), ["pending", "claimed", "half"],
                "open deliveries")
        },
        Check("prune removes settled firings past their retention, and they can be written anew") { subject in
            let firing = try Firing.fixture()
            try await subject.advance([firing])
            try await subject.settle(try await subject.claimOne(), .delivered)
            try await subject.store.prune(hour, now: .fixture(100 + 3_600))
            try await subject.advance([firing], at: 3_700)
            try expectEqual(try await subject.claim(at: 3_700), [], "claimed within the retention")
            try await subject.store.prune(hour, now: .fixture(100 + 3_601))
            try await subject.advance([firing], at: 3_701)
            try expectEqual(try await subject.claim(at: 3_701).count, 1, "claimed past the retention")
        },
        Check("the retention of a firing begins with the last of its settlements") { subject in
            let firing = try Firing.fixture()
            try await subject.advance([firing])
            try await subject.settle(try await subject.claimOne(), .delivered, at: 5_000)
            try await subject.store.prune(hour, now: .fixture(8_000))
            try await subject.advance([firing], at: 8_000)
            try expectEqual(try await subject.claim(at: 8_000), [], "claimed")
        },
        Check("prune removes schedules only when they are past their retention as removed") { subject in
            try await subject.advance(
                [],
                schedules: [
                    .fixture("present", cursor: -1_000_000), .fixture("fresh", removed: 100),
                    .fixture("old", removed: 99),
                ])
            try await subject.store.prune(hour, now: .fixture(3_700))
            let left = try await subject.store.snapshot().schedules.map(\.id.rawValue)
            try expectEqual(left.sorted(), ["fresh", "present"], "schedules")
        },
        Check("prune of more than a page leaves none behind") { subject in
            for part in 0..<3 {
                try await subject.advance(try (0..<600).map { try .fixture("t\(part)-\($0)", at: $0, to: ["a"]) })
            }
            let claims = try await subject.claim(limit: 5_000, otherRoom: 5_000)
            try expectEqual(claims.count, 1_800, "claimed")
            let keep = 7
            let settlements = claims.dropFirst(keep).map { Settlement.fixture($0, .delivered) }
            try await subject.settle(settlements)
            try await subject.store.prune(hour, now: .fixture(10_000))
            let anew = try (0..<3).flatMap { part in
                try (0..<600).map { try Firing.fixture("t\(part)-\($0)", at: $0, to: ["a"]) }
            }
            try await subject.advance(anew, at: 10_000)
            let again = try await subject.claim(at: 10_000, limit: 5_000, otherRoom: 5_000)
            try expectEqual(again.count, 1_800 - keep, "claimed after the pruning")
        },
        Check("prune survives retentions that reach beyond the range of time") { subject in
            try await subject.advance([], schedules: [.fixture(removed: 1)])
            let forever = Retention(removedSchedules: .seconds(Int64.max), history: .seconds(Int64.max))
            try await subject.store.prune(forever, now: .distantPast)
            try expectEqual(try await subject.store.snapshot().schedules.count, 1, "schedules")
        },
    ]

    static let lifetimeChecks: [Check] = [
        Check("everything that a verb has written survives a crash") { subject in
            try await subject.commit(
                Commit(sinks: [.fixture("a")], schedules: [.fixture()], firings: [try .fixture(to: ["a", "b"])]))
            let claims = try await subject.claim()
            try expectEqual(claims.count, 2, "claimed")
            for claim in claims.prefix(1) { try await subject.settle(claim, .delivered) }
            let later = try await subject.reopened()
            try expectEqual(try await later.store.snapshot().schedules, [try .fixture()], "schedules")
            let released = try await later.store.releaseClaims(.ofFormerOwners, owner: "new", now: .fixture(101)).count
            try expectEqual(released, 1, "released")
            try expectEqual(try await later.claimOne(at: 101).id, claims.last?.id, "what was in the hands of the dead")
        },
        Check("a closed store throws, and closing it again does not") { subject in
            try await subject.store.close()
            try await subject.store.close()
            do {
                _ = try await subject.store.snapshot()
            } catch is StoreError {
                return
            }
            throw ConformanceFailure("a verb after close must throw a StoreError")
        },
    ]
}
