import TminusCore

extension StoreConformance {
    static let writingChecks: [Check] = [
        Check("a new store is empty") { subject in
            try expectEqual(try await subject.store.snapshot(), StoreSnapshot(), "snapshot")
            try expectEqual(try await subject.nextAttempt(), nil, "next attempt")
            try expectEqual(try await subject.claim(), [], "claimed")
        },
        Check("schedules come back as they were written, with their nanoseconds") { subject in
            var full = try ScheduleState.fixture("a", phase: .acting, deadline: 7, removed: 9)
            full.occurrences = 123_456_789_012
            var bare = try ScheduleState.fixture("b", phase: .idle)
            bare.start = nil
            bare.cursor = .distantPast
            var event = try ScheduleState.fixture("c", phase: .expired, deadline: 8)
            event.kind = .event
            event.cursor = .distantFuture
            try await subject.advance([], schedules: [bare, event, full])
            let found = try await subject.reopened().store.snapshot().schedules
            try expectEqual(found.sorted { $0.id < $1.id }, [full, bare, event], "schedules")
        },
        Check("a schedule is written whole: what is unset later is gone") { subject in
            try await subject.advance([], schedules: [.fixture(deadline: 7, removed: 9)])
            let later = try ScheduleState.fixture(phase: .expired, cursor: 200)
            try await subject.advance([], schedules: [later])
            try expectEqual(try await subject.store.snapshot().schedules, [later], "schedules")
        },
        Check("writing the same commit twice makes one delivery") { subject in
            let commit = Commit(
                sinks: [.fixture("chat")], schedules: [try .fixture()], firings: [try .fixture()],
                omissions: [
                    Omission(
                        definition: try .fixture("tea"), occurrence: .fixture(1), action: .expiry, due: .fixture(1),
                        reason: .tooLate, count: 4)
                ])
            try await subject.commit(commit, at: 100)
            try await subject.commit(commit, at: 101)
            try expectEqual(try await subject.claim(at: 110).count, 1, "claimed")
        },
        Check("a catch-up firing is not claimed before its slot, and firings on time go first") { subject in
            var missed = try Firing.fixture("a", at: 10)
            missed.notBefore = .fixture(150)
            try await subject.advance([missed, .fixture("b", at: 90)], at: 100)
            try expectEqual(try await subject.claim(at: 149).map(\.definition.rawValue), ["b"], "claimed")
            try expectEqual(try await subject.nextAttempt(after: 149), .fixture(150), "next attempt")
            try expectEqual(try await subject.claim(at: 150).map(\.definition.rawValue), ["a"], "claimed")
        },
        Check("writing the same commit again does not revive what was delivered") { subject in
            let firing = try Firing.fixture()
            try await subject.advance([firing])
            try await subject.settle(try await subject.claimOne(), .delivered)
            try await subject.advance([firing], at: 200)
            try expectEqual(try await subject.claim(at: 300), [], "claimed")
        },
        Check("writing the same commit again leaves a claim alone") { subject in
            let firing = try Firing.fixture()
            try await subject.advance([firing])
            let claim = try await subject.claimOne()
            try await subject.advance([firing], at: 120)
            try expectEqual(try await subject.claim(at: 130), [], "claimed")
            let ended = try await subject.settle(claim, .delivered)
            try expectEqual(ended.count, 1, "ended expiries")
        },
        Check("a firing makes one delivery for each of its sinks, each with an id of its own") { subject in
            let firing = try Firing.fixture(to: ["a", "b", "c", "b"])
            try await subject.advance([firing])
            let claimed = try await subject.claim()
            try expectEqual(claimed.map(\.sink.rawValue).sorted(), ["a", "b", "c"], "sinks")
            let ids = ["a", "b", "c"].map {
                DeliveryID(
                    definition: firing.definition, occurrence: firing.occurrence, action: .expiry, sink: SinkKey($0))
            }
            try expectEqual(Set(claimed.map(\.id)), Set(ids), "ids")
        },
        Check("a firing written again with another sink: that one gets what is written now") { subject in
            try await subject.advance([.fixture(to: ["a"])])
            var again = try Firing.fixture(to: ["a", "b"])
            (again.notBefore, again.expires) = (.fixture(150), .fixture(900))
            for index in again.targets.indices { again.targets[index].overlap = .skip }
            try await subject.advance([again])
            let first = try await subject.claimOne(at: 149)
            try expectEqual(first.sink.rawValue, "a", "sink of the first")
            try expectEqual(first.claim.overlap, .queue, "overlap of the first")
            let second = try await subject.claimOne(at: 150)
            try expectEqual(second.sink.rawValue, "b", "sink of the second")
            try expectEqual(second.claim.overlap, .skip, "overlap of the second")
            try expectEqual(second.claim.expires, .fixture(900), "end of the use of the second")
        },
        Check("an omission that is written again with another count stays as it was first") { subject in
            var omission = Omission(
                definition: try .fixture("tea"), occurrence: .fixture(5), action: .expiry, due: .fixture(5),
                reason: .tooLate, count: 3)
            let first = HistoryEntry(omission)
            try await subject.commit(Commit(omissions: [omission]))
            (omission.count, omission.note) = (4, "note")
            try await subject.commit(Commit(omissions: [omission]))
            let history = try await subject.store.history(of: .fixture("tea"), before: .distantFuture, limit: 9)
            try expectEqual(history, [first], "history")
        },
        Check("a firing without sinks is legal and delivers nothing") { subject in
            try await subject.advance([try .fixture(to: [])])
            try expectEqual(try await subject.claim(), [], "claimed")
        },
        Check("a claimed delivery tells everything that was written") { subject in
            let firing = try Firing.fixture(at: 90, .reminder(CalendarSpan(nanoseconds: 5), .before))
            try await subject.commit(Commit(sinks: [.fixture("chat")], firings: [firing]), at: 95)
            let claim = try await subject.reopened().claimOne()
            var expected = Delivery(firing, to: try require(firing.targets.first, "a target"))
            expected.claim = Delivery.Claim(token: claim.claim.token, since: .fixture(95))
            try expectEqual(claim, expected, "claimed")
        },
        Check("a commit of a thousand firings is written whole") { subject in
            let firings = try (0..<1_000).map { try Firing.fixture("t\($0)", at: $0 % 50) }
            try await subject.advance(firings)
            let claimed = try await subject.reopened().claim(limit: 2_000, otherRoom: 2_000)
            try expectEqual(Set(claimed.map(\.definition)).count, 1_000, "definitions claimed")
        },
    ]
}
