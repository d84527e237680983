import TminusCore

extension StoreConformance {
    private static let report = DeliveryReport(
        exitStatus: 75, output: .init(tail: Array("a \"quote\"\n".utf8)),
        errors: .init(tail: [0, 255], isComplete: false))

    static let attemptChecks: [Check] = [
        Check("every attempt is kept with its instants, its outcome and its report") { store in
            try await store.settle(try await store.claimed(), .busy(until: 200), report: report, at: 110)
            let later = try await store.reopened()
            let other = DeliveryReport(httpStatus: 204)
            try await later.settle(try await later.claimOne(at: 200), report: other, at: 205)
            try await later.expectRecord(.delivered, settled: 205, attempts: [.retry, .delivered])
            let log = [
                AttemptRecord(
                    number: 1, started: .fixture(100), ended: .fixture(110), outcome: .retry, reason: "busy",
                    report: report),
                AttemptRecord(
                    number: 2, started: .fixture(200), ended: .fixture(205), outcome: .delivered, reason: nil,
                    report: other),
            ]
            try expectEqual(try await later.record().log, log, "attempts")
        },
        Check("only the last attempts are kept") { store in
            try await store.write(.fixture())
            let count = DeliveryRecord.keptAttempts + 5
            for _ in 0..<count { try await store.settle(try await store.claimOne(), .busy()) }
            let record = try await store.record()
            try expectEqual(record.attempts, count, "attempts")
            try expectEqual(record.log.map(\.number), Array(6...count), "kept")
        },
        Check("an attempt that a crash cut off is recorded as interrupted") { store in
            _ = try await store.claimed(owner: "killed")
            let later = try await store.reopened()
            _ = try await later.release(at: 150)
            try await later.expectRecord(
                .pending, "the process that made the last attempt ended", attempts: [.interrupted])
            try expectEqual(try await later.record().log.map(\.ended), [.fixture(150)], "ended")
        },
        Check("a claim without an attempt does not count as an attempt") { store in
            try await store.settle(try await store.claimed(), .busy(), report: nil)
            let again = try await store.claimOne()
            try expectEqual([again.attempt, again.claim.tries], [1, 1], "attempt")
            try await store.settle(again, .expired(reason: "too late"), report: nil)
            try await store.expectRecord(.expired, "too late", settled: 100)
        },
        Check("the firings of a settlement are written with it, once") { store in
            let firing = Firing.fixture(expires: 900, onFailure: ["alarm", "log"])
            try await store.write(firing)
            let claim = try await store.reopened().claimOne()
            try expectEqual(claim.claim.onFailure, firing.onFailure, "on failure")
            try expectEqual(claim.claim.expires, firing.expires, "expires")
            var payload = claim.payload
            payload.failure = Payload.Failure(
                delivery: claim.id.rawValue, action: .expiry, sink: "chat", reason: "no", attempts: 1)
            let told = Firing(
                definition: claim.definition, occurrence: claim.occurrence,
                action: .failure(of: claim.id, attempt: claim.attempt), due: .fixture(110), payload: payload,
                sinks: claim.claim.onFailure)
            for now: Int64 in [110, 120] {
                try await store.settle(claim, .dead(reason: "no"), telling: [told], at: now)
            }
            let claims = try await store.reopened().claim(at: 120)
            try expectEqual(claims.map(\.sink.rawValue), ["alarm", "log"], "sinks")
            try expectEqual(claims.map(\.action), [.failure, .failure], "actions")
            try expectEqual(claims.map(\.claim.onFailure), [[], []], "told of the failure of a failure action")
            try expectEqual(claims[0].payload.failure?.delivery, claim.id.rawValue, "what failed")
        },
    ]

    static let deadChecks: [Check] = [
        Check("dead deliveries are listed, and tried again from the beginning when a person asks") { store in
            let firing = Firing.fixture(to: ["a", "b"])
            try await store.write(firing)
            for claim in try await store.claim() {
                let outcome = claim.sink == SinkKey("a") ? Outcome.dead(reason: "410") : .delivered
                try await store.settle(claim, outcome, report: report)
            }
            let dead = try await store.reopened().records(.dead)
            try expectEqual(dead.map(\.id), [firing.ids[0]], "dead deliveries")
            try await store.expectRecord(to: "a", .dead, "410", settled: 100, attempts: [.dead])
            try expectEqual(try await store.retry(firing.ids[0], at: 5_000), 1, "tried again")
            try expectEqual(try await store.retry(firing.ids[0], at: 5_000), 1, "again at once")
            let claim = try await store.reopened().claimOne(at: 5_000)
            try expectEqual(claim.id, firing.ids[0], "id")
            try expectEqual([claim.attempt, claim.claim.tries], [2, 1], "attempt")
            try expectEqual(claim.claim.since, .fixture(5_000), "since")
            try await store.settle(claim, at: 5_001)
            try await store.expectRecord(to: "a", .delivered, settled: 5_001, attempts: [.dead, .delivered])
            try expectEqual(try await store.record(to: "a").log[0].report, report, "the report of the first attempt")
        },
        Check("what expired can be tried again, and does not expire any more") { store in
            let claim = try await store.settled(.fixture(expires: 101), .expired(reason: "late"))
            try expectEqual(try await store.retry(claim.id, at: 500), 1, "tried again")
            try expectEqual(try await store.claimOne(at: 500).claim.expires, nil, "expires")
        },
        Check("all to a sink that are dead, expired or wait for a retry are tried again, and nothing else") { store in
            try await store.write(
                .fixture("a", to: ["chat", "mail"]), .fixture("b"), .fixture("c"), .fixture("d"), .fixture("e"),
                .fixture("f"))
            let outcomes: [String: Outcome] = [
                "a": .dead(reason: "410"), "b": .expired(reason: "late"), "c": .busy(until: 5_000), "d": .delivered,
                "e": .dead(reason: "no"),
            ]
            let claims = try await store.claim()
            for (id, outcome) in outcomes {
                try await store.settle(claims.filter { $0.definition == .fixture(id) }.map { .fixture($0, outcome) })
            }
            let discarded = try await store.discard(DeliveryFilter(definition: .fixture("e")), at: 150)
            try expectEqual(discarded.deliveries.count, 1, "discarded")
            let chat = DeliveryFilter(sink: SinkKey("chat"), limit: 2)
            try expectEqual(try await store.retry(chat, at: 200), 2, "tried again, no more than the limit")
            try expectEqual(try await store.retry(chat, at: 200), 1, "the rest")
            try expectEqual(try await store.retry(chat, at: 200), 0, "nothing is left")
            let later = try await store.reopened()
            try await later.expectRecord(to: "mail", .dead, "410", settled: 100, attempts: [.dead])
            try await later.expectStates(
                .pending, .dead, .pending, .pending, .delivered, .discarded, .claimed, of: "a", "b", "c", "d", "e", "f")
            let again = try await later.claim(at: 200)
            try expectEqual(Set(again.map(\.definition.rawValue)), ["a", "b", "c"], "claimed")
            for claim in again { try await later.settle(claim, .dead(reason: "no"), at: 210) }
            try expectEqual(try await later.retry(chat, at: 200), 0, "what died since is left alone")
            let dead = DeliveryFilter(states: [.dead], definition: .fixture("b"))
            try expectEqual(try await later.retry(dead, at: 300), 1, "those of a definition")
        },
        Check("a delivery tried again goes before later ones, but not while another runs") { store in
            try await store.write(.fixture(at: 1), .fixture(at: 2), .fixture(at: 3))
            let first = try await store.claimOne()
            try await store.settle(first, .dead(reason: "no"))
            let second = try await store.claimOne()
            _ = try await store.retry(first.id)
            try await store.expectStates(.queued, .claimed, .queued)
            try await store.settle(second)
            try expectEqual(try await store.claimOne().due, .fixture(1), "due")
        },
        Check("deliveries are found by id, state, definition and sink, the newest first") { store in
            for number in 0..<5 { try await store.write(.fixture("t\(number)", to: ["a", "b"])) }
            let all = try await store.backend.deliveries(DeliveryFilter())
            try expectEqual(all.count, 10, "all")
            try expectEqual(all[0].definition.rawValue, "t4", "newest")
            let found = try await store.records(
                DeliveryFilter(
                    ids: all.map(\.id), states: [.pending, .dead], definition: .fixture("t2"), sink: SinkKey("b")))
            try expectEqual(found.map { "\($0.definition) \($0.sink)" }, ["t2 b"], "found")
            let limited = try await store.backend.deliveries(DeliveryFilter(limit: 3))
            try expectEqual(limited, Array(all.prefix(3)), "limited")
            for none in [DeliveryFilter(ids: []), DeliveryFilter(states: [.dead])] {
                try expectEqual(try await store.records(none), [], "found")
            }
        },
        Check("ids are found by their first digits, the newest first, and no more than wanted") { store in
            for number in 0..<40 { try await store.write(.fixture("t\(number)")) }
            let all = try await store.backend.deliveries(DeliveryFilter()).map(\.id)
            for digits in [String(all[7].rawValue.prefix(8)), String(all[7].rawValue.prefix(1)), ""] {
                let wanted = all.filter { $0.rawValue.hasPrefix(digits) }
                let found = try await store.backend.deliveryIDs(beginningWith: digits, limit: 100)
                try expectEqual(found, wanted, "ids that begin with '\(digits)'")
            }
            let two = try await store.backend.deliveryIDs(beginningWith: "", limit: 2)
            try expectEqual(two, Array(all.prefix(2)), "limited")
            let none = try await store.backend.deliveryIDs(beginningWith: "0123456789abcdef", limit: 2)
            try expectEqual(none, [], "none")
        },
    ]

    static let historyChecks: [Check] = [
        Check("every action of an occurrence has exactly one end, the newest first") { store in
            let firings: [Firing] = [
                .fixture(at: 10, to: ["a", "b"]), .fixture(at: 20, .early, to: ["a"]), .fixture("other", at: 30),
                .fixture(at: 40, to: ["c"]),
            ]
            let omissions: [Omission] = [.fixture(count: 3), .fixture(at: 10, .removed, count: 3)]
            try await store.commit(Commit(firings: firings, omissions: omissions), at: 50)
            for claim in try await store.claim().filter({ $0.sink.rawValue != "c" }) {
                let isBad = claim.sink == SinkKey("b")
                try await store.settle(claim, isBad ? .dead(reason: "410") : .delivered, at: 60)
            }
            try await store.settle(try await store.claimOne(), at: 70)
            let expiry = FiringAction.expiry.rawValue
            let expected: [(at: Int64, action: String, end: HistoryEntry.End, count: Int)] = [
                (40, expiry, .open, 1), (20, FiringAction.early.rawValue, .delivered(.fixture(70)), 1),
                (10, expiry, .failed(reason: "410"), 1), (5, expiry, .missed(.tooLate), 3),
            ]
            let entries = expected.map {
                HistoryEntry(
                    occurrence: .fixture($0.at), action: $0.action, due: .fixture($0.at), end: $0.end, count: $0.count)
            }
            try expectEqual(try await store.reopened().history(), entries, "history")
            try expectEqual(try await store.history(before: .fixture(40), limit: 1), [entries[1]], "a page")
        }
    ]

    static let surplusChecks: [Check] = [
        Check("prune keeps the newest firings of a definition; dead deliveries and open ones do not count") { store in
            let all = Retention(removedSchedules: .seconds(3_600), history: .seconds(3_600_000), firingsOfOne: 10)
            try await store.write((0..<700).map { .fixture(at: $0, overlap: .allow) } + [.fixture("other", at: 1)])
            for claim in try await store.claim(at: 1_000, limit: 1_000, otherRoom: 1_000)
            where claim.due != .fixture(7) {
                try await store.settle(claim, claim.due == .fixture(3) ? .dead(reason: "no") : .delivered, at: 1_000)
            }
            try await store.prune(all, at: 1_001)
            let left = try await store.records(DeliveryFilter(definition: .fixture("tea"), limit: 1_000))
            try expectEqual(left.map(\.due), ([3, 7] + (690..<700)).map { .fixture($0) }, "left")
            try await store.expectStates(.delivered, of: "other")
        }
    ]
}
