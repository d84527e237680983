import TminusCore

extension StoreConformance {
    static let standingChecks: [Check] = [
        Check("undelivered deliveries are counted by sink and by definition, in every state") { store in
            try await store.commit(Commit(sinks: [.fixture("chat"), .fixture("mail")]))
            try await store.write(
                .fixture("a", at: 1, to: ["chat", "mail"]), .fixture("a", at: 2), .fixture("b", at: 3),
                .fixture("c", at: 4), .fixture("d", at: 5), .fixture("e", at: 6))
            let claims = try await store.claim()
            func settle(_ id: String, _ outcome: Outcome, at now: Int64) async throws {
                for claim in claims where claim.definition == .fixture(id) && claim.sink == SinkKey("chat") {
                    try await store.settle(claim, outcome, at: now)
                }
            }
            try await settle("b", .busy(until: 300), at: 110)
            try await settle("c", .dead(reason: "no"), at: 120)
            try await settle("d", .dead(reason: "no"), at: 115)
            try await settle("e", .delivered, at: 116)
            let standing = try await store.reopened().backend.standing()
            let chat = SinkStanding(
                sink: SinkKey("chat"), waiting: 1, nextAttempt: .fixture(300), running: 1,
                undelivered: UndeliveredCount(
                    retrying: 1, nextAttempt: .fixture(300), dead: 2, oldestDead: .fixture(115)))
            let mail = SinkStanding(sink: SinkKey("mail"), running: 1)
            try expectEqual(standing.sinks, [chat, mail], "sinks")
            let troubled: [DefinitionID: UndeliveredCount] = [
                .fixture("b"): UndeliveredCount(retrying: 1, nextAttempt: .fixture(300)),
                .fixture("c"): UndeliveredCount(dead: 1, oldestDead: .fixture(120)),
                .fixture("d"): UndeliveredCount(dead: 1, oldestDead: .fixture(115)),
            ]
            try expectEqual(standing.troubled, troubled, "definitions")
            try expectEqual(try await store.backend.troubled(nil), troubled, "definitions without sinks")
            for id in ["a", "b", "c", "d", "none"].map(DefinitionID.fixture) {
                let own = troubled.filter { $0.key == id }
                try expectEqual(try await store.backend.troubled(id), own, id.rawValue)
            }
        },
        Check("the trouble of a definition is that at all its sinks, also at those that nobody declared") { store in
            let sinks = ["chat", "mail"]
            try await store.write(
                .fixture("a", at: 1, to: sinks), .fixture("a", at: 2, to: ["news"]), .fixture("b", at: 1, to: sinks))
            for claim in try await store.claim() where claim.definition == .fixture("a") {
                let isMail = claim.sink == SinkKey("mail")
                let isNews = claim.sink == SinkKey("news")
                try await store.settle(
                    claim, isNews ? .busy(until: 300) : .dead(reason: "no"), at: isMail ? 110 : 120)
            }
            let own = UndeliveredCount(
                retrying: 1, nextAttempt: .fixture(300), dead: 2, oldestDead: .fixture(110))
            try expectEqual(try await store.backend.troubled(.fixture("a")), [.fixture("a"): own], "one")
            try expectEqual(try await store.backend.troubled(nil), [.fixture("a"): own], "all")
        },
        Check("what is delivered, discarded or given back without an attempt is no trouble") { store in
            try expectEqual(try await store.backend.standing(), DeliveryStanding(), "empty")
            try await store.settled(.fixture("a"))
            let dead = try await store.settled(.fixture("b"), .dead(reason: "no"))
            try expectEqual(try await store.discard(dead.id), 1, "discarded")
            let back = try await store.claimed(.fixture("c"))
            try await store.settle(back, .busy(), report: nil)
            let waiting = SinkStanding(sink: SinkKey("chat"), waiting: 1, nextAttempt: .fixture(100))
            try expectEqual(try await store.backend.standing(), DeliveryStanding(sinks: [waiting]), "standing")
        },
        Check("a sink that no file declares any more is marked as awaited, with its title") { store in
            try await store.commit(Commit(sinks: [.fixture("chat"), .fixture(nil)]))
            try await store.write(.fixture("a", to: ["chat"]), .fixture("b", to: [SinkSpec.fixture(nil).key.rawValue]))
            try await store.commit(Commit(sinks: []))
            let found = try await store.backend.standing().sinks.map { "\($0.title) \($0.isAwaited) \($0.waiting)" }
            try expectEqual(found.sorted(), ["chat true 1", "shell 'true' (a.yaml:1) false 1"], "sinks")
        },
    ]

    static let outcomeChecks: [Check] = [
        Check("the last outcome of a definition is that of the action that was due last") { store in
            try await store.commit(
                Commit(
                    firings: [
                        .fixture("a", at: 10), .fixture("a", at: 20), .fixture("b", at: 30, .early),
                        .fixture("c", at: 5),
                    ], omissions: [.fixture(at: 15, .tooLate)]), at: 50)
            for claim in try await store.claim(at: 50) where claim.definition != .fixture("c") {
                let isBad = claim.definition == .fixture("b")
                try await store.settle(claim, isBad ? .dead(reason: "410") : .delivered, at: 60)
            }
            for claim in try await store.claim(at: 60) { try await store.settle(claim, at: 70) }
            let ids = ["a", "b", "c", "tea", "none"].map(DefinitionID.fixture)
            let last = try await store.reopened().backend.lastOutcomes(of: ids, now: .fixture(100))
            try expectEqual(last[ids[0]]?.end, .delivered(.fixture(70)), "a")
            try expectEqual(last[ids[0]]?.due, .fixture(20), "a")
            try expectEqual(last[ids[1]]?.end, .failed(reason: "410"), "b")
            try expectEqual(last[ids[2]]?.end, .open, "c")
            try expectEqual(last[ids[3]]?.end, .missed(.tooLate), "tea")
            try expectEqual(last[ids[4]], nil, "none")
            let early = try await store.backend.lastOutcomes(of: [ids[0]], now: .fixture(15))
            try expectEqual(early[ids[0]]?.due, .fixture(10), "what is due later does not count")
        },
        Check("the history of all definitions is newest first, bounded, and before an instant") { store in
            for (number, id) in ["a", "b", "c"].enumerated() {
                try await store.write([.fixture(id, at: Int64(10 * number))], schedules: [], at: Int64(100 + number))
            }
            try await store.commit(Commit(omissions: [.fixture(at: 15)]), at: 103)
            let all = try await store.reopened().backend.recentHistory(before: .distantFuture, limit: 10)
            try expectEqual(all.map(\.definition.rawValue), ["c", "tea", "b", "a"], "all")
            let two = try await store.backend.recentHistory(before: .distantFuture, limit: 2)
            try expectEqual(two, Array(all.prefix(2)), "limited")
            let before = try await store.backend.recentHistory(before: .fixture(102), limit: 10)
            try expectEqual(before.map(\.definition.rawValue), ["b", "a"], "before")
        },
    ]

    static let controlRecordChecks: [Check] = [
        Check("controls are kept with the user, the instant and the note, once, newest first") { store in
            let records = [
                ControlRecord(
                    definition: .fixture("a"), control: "pause", by: "ada", at: .fixture(1), note: "O'Brien \"x\""),
                ControlRecord(definition: nil, control: "mute", by: "eve", at: .fixture(2)),
                ControlRecord(definition: .fixture("b"), control: "lap", by: "", at: .fixture(3), note: ""),
            ]
            for _ in 0..<2 { try await store.commit(Commit(controls: records)) }
            let later = try await store.reopened().backend
            let all = try await later.controls(of: nil, before: .distantFuture, limit: 10)
            try expectEqual(all, records.reversed(), "all")
            let ofA = try await later.controls(of: .fixture("a"), before: .distantFuture, limit: 10)
            try expectEqual(ofA, [records[1], records[0]], "those of one definition, and of all")
            let before = try await later.controls(of: nil, before: .fixture(3), limit: 1)
            try expectEqual(before, [records[1]], "before an instant, limited")
        },
        Check("prune removes old controls, but not the last one of a definition that has a schedule") { store in
            func pause(_ id: String?, _ at: Int64) -> ControlRecord {
                ControlRecord(definition: id.map(DefinitionID.fixture), control: "pause", by: "ada", at: .fixture(at))
            }
            let records = [pause("a", 1), pause("a", 2), pause("gone", 3), pause(nil, 4), pause("b", 90_000)]
            try await store.commit(Commit(schedules: [.fixture("a")], controls: records))
            try await store.prune(Retention(removedSchedules: .seconds(60), history: .seconds(60)), at: 90_010)
            let left = try await store.backend.controls(of: nil, before: .distantFuture, limit: 10)
            try expectEqual(left, [records[4], records[1]], "left")
        },
    ]
}
