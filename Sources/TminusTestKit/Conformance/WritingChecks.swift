import TminusCore

extension StoreConformance {
    static let writingChecks: [Check] = [
        Check("a new store is empty") { store in
            try expectEqual(try await store.backend.snapshot(), StoreSnapshot(), "snapshot")
            try expectEqual(try await store.nextAttempt(), nil, "next attempt")
            try await store.expectNoClaims()
        },
        Check("schedules come back as they were written, with their nanoseconds") { store in
            var full = ScheduleState.fixture("a", phase: .acting, deadline: 7, removed: 9)
            full.occurrences = 123_456_789_012
            var bare = ScheduleState.fixture("b", phase: .idle)
            // A cursor is what the clock of a machine showed.
            (bare.start, bare.cursor) = (nil, Timestamp(seconds: -2_000_000_000))
            var event = ScheduleState.fixture("c", phase: .expired, deadline: 8)
            (event.kind, event.cursor) = (.event, Timestamp(seconds: 9_000_000_000))
            try await store.write(schedules: bare, event, full)
            try expectEqual(try await store.reopened().schedules(), [full, bare, event], "schedules")
        },
        Check("a schedule is written whole: what is unset later is gone") { store in
            try await store.write(schedules: .fixture(deadline: 7, removed: 9))
            let later = ScheduleState.fixture(phase: .expired, cursor: 200)
            try await store.write(schedules: later)
            try expectEqual(try await store.schedules(), [later], "schedules")
        },
        Check("writing the same commit twice makes one delivery") { store in
            let commit = Commit(
                sinks: [.fixture()], schedules: [.fixture()], firings: [.fixture()], omissions: [.fixture(count: 4)])
            try await store.commit(commit, at: 100)
            try await store.commit(commit, at: 101)
            try await store.expectClaims("tea", at: 110)
        },
        Check("a catch-up firing is not claimed before its slot, and firings on time go first") { store in
            try await store.write(.fixture("a", at: 10, notBefore: 150), .fixture("b", at: 90))
            try await store.expectClaims("b", at: 149)
            try expectEqual(try await store.nextAttempt(after: 149), .fixture(150), "next attempt")
            try await store.expectClaims("a", at: 150)
        },
        Check("writing the same commit again does not revive what was delivered") { store in
            try await store.settled()
            try await store.write(.fixture(), at: 200)
            try await store.expectNoClaims(at: 300)
        },
        Check("writing the same commit again leaves a claim alone") { store in
            let claim = try await store.claimed()
            try await store.write(.fixture(), at: 120)
            try await store.expectNoClaims(at: 130)
            try expectEqual(try await store.settle(claim), [.fixture(at: 100)], "ended expiries")
        },
        Check("a firing makes one delivery for each of its sinks, each with an id of its own") { store in
            try await store.write(.fixture(to: ["a", "b", "c", "b"]))
            let claimed = try await store.claim()
            try expectEqual(claimed.map(\.sink.rawValue).sorted(), ["a", "b", "c"], "sinks")
            try expectEqual(Set(claimed.map(\.id)), Set(Firing.fixture(to: ["a", "b", "c"]).ids), "ids")
        },
        Check("a firing written again with another sink: that one gets what is written now") { store in
            try await store.write(.fixture(to: ["a"]))
            try await store.write(.fixture(to: ["a", "b"], notBefore: 150, expires: 900, overlap: .skip))
            let first = try await store.claimOne(at: 149)
            try expectEqual(first.sink.rawValue, "a", "sink of the first")
            try expectEqual(first.claim.overlap, .queue, "overlap of the first")
            let second = try await store.claimOne(at: 150)
            try expectEqual(second.sink.rawValue, "b", "sink of the second")
            try expectEqual(second.claim.overlap, .skip, "overlap of the second")
            try expectEqual(second.claim.expires, .fixture(900), "end of the use of the second")
        },
        Check("an omission that is written again with another count stays as it was first") { store in
            let first = Omission.fixture(count: 3)
            try await store.commit(Commit(omissions: [first]))
            try await store.commit(Commit(omissions: [.fixture(count: 4, note: "note")]), at: 200)
            try expectEqual(try await store.history(), [HistoryEntry(first)], "history")
            try await store.prune(Retention(removedSchedules: .seconds(50), history: .seconds(50)), at: 151)
            try expectEqual(try await store.history(), [], "history past the retention of the first")
        },
        Check("a firing without sinks is legal and delivers nothing") { store in
            try await store.write(.fixture(to: []))
            try await store.expectNoClaims()
        },
        Check("a claimed delivery tells everything that was written") { store in
            let firing = Firing.fixture(at: 90, .early)
            try await store.commit(Commit(sinks: [.fixture()], firings: [firing]), at: 95)
            let claim = try await store.reopened().claimOne()
            var expected = Delivery(firing, to: firing.targets[0])
            expected.claim = Delivery.Claim(token: claim.claim.token, since: .fixture(95))
            try expectEqual(claim, expected, "claimed")
        },
        Check("a commit of a thousand firings is written whole") { store in
            try await store.write((0..<1_000).map { .fixture("t\($0)", at: $0 % 50) })
            let claimed = try await store.reopened().claim(limit: 2_000, otherRoom: 2_000)
            try expectEqual(Set(claimed.map(\.definition)).count, 1_000, "definitions claimed")
        },
    ]
}
