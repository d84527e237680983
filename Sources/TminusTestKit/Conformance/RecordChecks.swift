import TminusCore

extension StoreConformance {
    private static let report = DeliveryReport(
        exitStatus: 75, output: .init(tail: Array("a \"quote\"\n".utf8)),
        errors: .init(tail: [0, 255], isComplete: false))

    static let attemptChecks: [Check] = [
        Check("every attempt is kept with its instants, its outcome and its report") { subject in
            try await subject.advance([try .fixture()])
            try await subject.settle(
                try await subject.claimOne(), .retry(at: .fixture(200), reason: "busy"), report: report, at: 110)
            let later = try await subject.reopened()
            let second = try await later.claimOne(at: 200)
            try await later.settle(second, .delivered, report: DeliveryReport(httpStatus: 204), at: 205)
            let record = try await later.record()
            try expectEqual(record.state, .delivered, "state")
            try expectEqual(record.attempts, 2, "attempts")
            try expectEqual(record.settled, .fixture(205), "settled")
            try expectEqual(
                record.log,
                [
                    AttemptRecord(
                        number: 1, started: .fixture(100), ended: .fixture(110), outcome: .retry, reason: "busy",
                        report: report),
                    AttemptRecord(
                        number: 2, started: .fixture(200), ended: .fixture(205), outcome: .delivered, reason: nil,
                        report: DeliveryReport(httpStatus: 204)),
                ], "attempts")
        },
        Check("only the last attempts are kept") { subject in
            try await subject.advance([try .fixture()])
            let count = DeliveryRecord.keptAttempts + 5
            for _ in 0..<count {
                try await subject.settle(try await subject.claimOne(), .retry(at: .fixture(100), reason: "busy"))
            }
            let record = try await subject.record()
            try expectEqual(record.attempts, count, "attempts")
            try expectEqual(record.log.map(\.number), Array(6...count), "kept")
        },
        Check("an attempt that a crash cut off is recorded as interrupted") { subject in
            try await subject.advance([try .fixture()])
            _ = try await subject.claimOne(owner: "killed")
            let later = try await subject.reopened()
            _ = try await later.store.releaseClaims(.ofFormerOwners, owner: "me", now: .fixture(150))
            let record = try await later.record()
            try expectEqual(record.state, .pending, "state")
            try expectEqual(record.log.map(\.outcome), [.interrupted], "outcomes")
            try expectEqual(record.log.map(\.ended), [.fixture(150)], "ended")
        },
        Check("a claim without an attempt does not count as an attempt") { subject in
            try await subject.advance([try .fixture()])
            try await subject.settle(
                try await subject.claimOne(), .retry(at: .fixture(100), reason: "no sink"), report: nil)
            let again = try await subject.claimOne()
            try expectEqual([again.attempt, again.claim.tries], [1, 1], "attempt")
            try await subject.settle(again, .expired(reason: "too late"), report: nil)
            let record = try await subject.record()
            try expectEqual(record.state, .expired, "state")
            try expectEqual(record.attempts, 0, "attempts")
            try expectEqual(record.log, [], "log")
        },
        Check("the firings of a settlement are written with it, once") { subject in
            var firing = try Firing.fixture()
            firing.onFailure = [SinkKey("alarm"), SinkKey("log")]
            firing.expires = .fixture(900)
            try await subject.advance([firing])
            let claim = try await subject.reopened().claimOne()
            try expectEqual(claim.claim.onFailure, firing.onFailure, "on failure")
            try expectEqual(claim.claim.expires, firing.expires, "expires")
            var payload = claim.payload
            payload.failure = Payload.Failure(
                delivery: claim.id.rawValue, action: .expiry, sink: "chat", reason: "no", attempts: 1)
            let told = Firing(
                definition: claim.definition, occurrence: claim.occurrence,
                action: .failure(of: claim.id, attempt: claim.attempt), due: .fixture(110), payload: payload,
                sinks: claim.claim.onFailure)
            try await subject.settle(claim, .dead(reason: "no"), telling: [told], at: 110)
            try await subject.settle(claim, .dead(reason: "no"), telling: [told], at: 120)
            let claims = try await subject.reopened().claim(at: 120)
            try expectEqual(claims.map(\.sink.rawValue), ["alarm", "log"], "sinks")
            try expectEqual(claims.map(\.action), [.failure, .failure], "actions")
            try expectEqual(claims.map(\.claim.onFailure), [[], []], "told of the failure of a failure action")
            try expectEqual(claims.first?.payload.failure?.delivery, claim.id.rawValue, "what failed")
        },
    ]

    static let deadLetterChecks: [Check] = [
        Check("dead letters are listed, and tried again from the beginning when a person asks") { subject in
            try await subject.advance([try .fixture(to: ["a", "b"])])
            for claim in try await subject.claim() {
                try await subject.settle(
                    claim, claim.sink == SinkKey("a") ? .dead(reason: "410") : .delivered, report: report)
            }
            let dead = try await subject.reopened().store.deliveries(.deadLetters)
            try expectEqual(dead.map(\.sink.rawValue), ["a"], "dead letters")
            try expectEqual(dead.map(\.reason), ["410"], "reasons")
            try expectEqual(try await subject.store.retry(dead.map(\.id), now: .fixture(5_000)), 1, "tried again")
            try expectEqual(try await subject.store.retry(dead.map(\.id), now: .fixture(5_000)), 0, "again at once")
            let claim = try await subject.reopened().claimOne(at: 5_000)
            try expectEqual(claim.id, dead.first?.id, "id")
            try expectEqual([claim.attempt, claim.claim.tries], [2, 1], "attempt")
            try expectEqual(claim.claim.since, .fixture(5_000), "since")
            try await subject.settle(claim, .delivered, at: 5_001)
            let record = try await subject.record(to: "a")
            try expectEqual(record.log.map(\.outcome), [.dead, .delivered], "outcomes")
            try expectEqual(record.log.first?.report, report, "the report of the first attempt")
        },
        Check("what expired can be tried again, and does not expire any more") { subject in
            var firing = try Firing.fixture()
            firing.expires = .fixture(101)
            try await subject.advance([firing])
            let claim = try await subject.claimOne()
            try await subject.settle(claim, .expired(reason: "late"))
            try expectEqual(try await subject.store.retry([claim.id], now: .fixture(500)), 1, "tried again")
            try expectEqual(try await subject.claimOne(at: 500).claim.expires, nil, "expires")
        },
        Check("a delivery tried again goes before later ones, but not while another runs") { subject in
            try await subject.advance([try .fixture(at: 1), try .fixture(at: 2), try .fixture(at: 3)])
            let first = try await subject.claimOne()
            try await subject.settle(first, .dead(reason: "no"))
            let second = try await subject.claimOne()
            _ = try await subject.store.retry([first.id], now: .fixture(100))
            try expectEqual(try await subject.states(), [.queued, .claimed, .queued], "states")
            try await subject.settle(second, .delivered)
            try expectEqual(try await subject.claimOne().due, .fixture(1), "due")
        },
        Check("deliveries are found by id, state, definition and sink, the newest first") { subject in
            for number in 0..<5 { try await subject.advance([try .fixture("t\(number)", to: ["a", "b"])]) }
            let all = try await subject.store.deliveries(DeliveryFilter())
            try expectEqual(all.count, 10, "all")
            try expectEqual(all.first?.definition.rawValue, "t4", "newest")
            let found = try await subject.store.deliveries(
                DeliveryFilter(
                    ids: all.map(\.id), states: [.pending, .dead], definition: .fixture("t2"), sink: SinkKey("b")))
            try expectEqual(found.map { "\($0.definition) \($0.sink)" }, ["t2 b"], "found")
            try expectEqual(
                try await subject.store.deliveries(DeliveryFilter(limit: 3)), Array(all.prefix(3)), "limited")
            try expectEqual(try await subject.store.deliveries(DeliveryFilter(ids: [])), [], "of no ids")
            try expectEqual(try await subject.store.deliveries(DeliveryFilter(states: [.dead])), [], "dead")
        },
    ]

    static let historyChecks: [Check] = [
        Check("every action of an occurrence has exactly one end, the newest first") { subject in
            let reminder = FiringAction.reminder(CalendarSpan(nanoseconds: 5), .before)
            let omission = Omission(
                definition: try .fixture("tea"), occurrence: .fixture(5), action: .expiry, due: .fixture(5),
                reason: .tooLate, count: 3)
            var same = omission
            (same.occurrence, same.reason) = (.fixture(10), .removed)
            try await subject.commit(
                Commit(
                    firings: [
                        try .fixture(at: 10, to: ["a", "b"]), try .fixture(at: 20, reminder, to: ["a"]),
                        try .fixture("other", at: 30), try .fixture(at: 40, to: ["c"]),
                    ], omissions: [omission, same]), at: 50)
            for claim in try await subject.claim(otherRoom: 10).filter({ $0.sink.rawValue != "c" }) {
                let isBad = claim.sink == SinkKey("b")
                try await subject.settle(claim, isBad ? .dead(reason: "410") : .delivered, at: 60)
            }
            try await subject.settle(try await subject.claimOne(), .delivered, at: 70)
            let tea = try DefinitionID.fixture("tea")
            let entries = try await subject.reopened().store.history(of: tea, before: .distantFuture, limit: 10)
            try expectEqual(
                entries,
                [
                    HistoryEntry(occurrence: .fixture(40), action: "expiry", due: .fixture(40), end: .open, count: 1),
                    HistoryEntry(
                        occurrence: .fixture(20), action: reminder.rawValue, due: .fixture(20),
                        end: .delivered(.fixture(70)), count: 1),
                    HistoryEntry(
                        occurrence: .fixture(10), action: "expiry", due: .fixture(10), end: .failed(reason: "410"),
                        count: 1),
                    HistoryEntry(
                        occurrence: .fixture(5), action: "expiry", due: .fixture(5), end: .missed(.tooLate), count: 3),
                ], "history")
            let page = try await subject.store.history(of: tea, before: .fixture(40), limit: 1)
            try expectEqual(page.map(\.occurrence), [.fixture(20)], "a page")
        }
    ]

    static let surplusChecks: [Check] = [
        Check("prune keeps the newest firings of a definition; dead letters and open ones do not count") { subject in
            let all = Retention(removedSchedules: .seconds(3_600), history: .seconds(3_600_000), firingsOfOne: 10)
            try await subject.advance(
                try (0..<700).map { try .fixture(at: $0, overlap: .allow) } + [.fixture("other", at: 1)])
            let claims = try await subject.claim(at: 1_000, limit: 1_000, otherRoom: 1_000)
            let dead = claims.first { $0.due == .fixture(3) }
            for claim in claims where claim.due != .fixture(7) {
                try await subject.settle(claim, claim.id == dead?.id ? .dead(reason: "no") : .delivered, at: 1_000)
            }
            try await subject.store.prune(all, now: .fixture(1_001))
            let left = try await subject.store.deliveries(DeliveryFilter(definition: .fixture("tea"), limit: 1_000))
            try expectEqual(left.map(\.due), ((690..<700).reversed() + [7, 3]).map { .fixture($0) }, "left")
            let other = try await subject.store.deliveries(DeliveryFilter(definition: .fixture("other")))
            try expectEqual(other.count, 1, "of another definition")
        }
    ]
}
