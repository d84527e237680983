import TminusCore

extension StoreConformance {
    private static let (chat, mail) = (SinkSpec.fixture("chat"), SinkSpec.fixture("mail"))
    private static let inline = SinkSpec.fixture(nil, command: "old")

    static let sinkChecks: [Check] = [
        Check("the specs of sinks come with what is claimed, as they were written") { store in
            let (named, inline) = (chat, SinkSpec.fixture(nil, command: "echo 'ü'"))
            let keys = [named.key.rawValue, inline.key.rawValue]
            let firings: [Firing] = [.fixture("a", to: keys), .fixture("b", to: keys)]
            try await store.commit(Commit(sinks: [named, inline, .fixture("idle")], firings: firings), at: 1)
            try await store.reopened().expectClaims([named.key, inline.key, named.key, inline.key], [named, inline])
        },
        Check("the spec of a sink that the request names is left out") { store in
            let specs = [SinkSpec.fixture("a"), .fixture("b")]
            try await store.commit(Commit(sinks: specs, firings: [.fixture(to: ["a", "b"])]))
            let committed = try await store.commit(Commit(claim: .fixture(room: ["a": 1])))
            try expectEqual(committed.claimed.count, 2, "claimed")
            try expectEqual(committed.sinks, [.fixture("b")], "sinks")
        },
        Check("a claim of nothing brings no specs") { store in
            try await store.commit(Commit(sinks: [chat], firings: [.fixture()]))
            let committed = try await store.commit(Commit(claim: .fixture(otherRoom: 0)))
            try expectEqual(committed.sinks, [], "sinks")
        },
        Check("a delivery to a sink that was never declared is handed out without a spec") { store in
            try await store.commit(Commit(sinks: [chat], firings: [.fixture(to: ["nobody"])]))
            try await store.expectClaims([SinkKey("nobody")], [])
        },
        Check("sinks, firings and a claim in one commit: the spec is that of the commit") { store in
            let spec = SinkSpec.fixture("chat", command: "new")
            try await store.commit(Commit(sinks: [.fixture("chat", command: "old")]))
            let committed = try await store.commit(Commit(sinks: [spec], firings: [.fixture()], claim: .fixture()))
            try expectEqual(committed.claimed.count, 1, "claimed")
            try expectEqual(try await store.record().waitsForSink, false, "waits for its sink")
            try expectEqual(committed.sinks, [spec], "sinks")
        },
        Check("a corrected sink takes the place of the old one, also for what already waits") { store in
            try await store.commit(Commit(sinks: [.fixture("chat", command: "flase")], firings: [.fixture()]))
            let corrected = SinkSpec.fixture("chat", command: "false")
            try await store.commit(Commit(sinks: [corrected]), at: 101)
            try await store.expectClaims([corrected.key], [corrected], at: 101)
        },
        Check("a commit without sinks leaves the sinks alone") { store in
            try await store.commit(Commit(sinks: [chat]), at: 1)
            try await store.write(.fixture())
            try await store.prune(.standard, at: 2)
            try await store.expectClaims([chat.key], [chat])
        },
    ]

    static let retiredSinkChecks: [Check] = [
        Check("deliveries to a named sink that is not in force any more wait") { store in
            try await store.commit(Commit(sinks: [chat, mail]))
            try await store.write(.fixture("waiting"))
            try await store.commit(Commit(sinks: [mail]), at: 110)
            let firings: [Firing] = [.fixture("new"), .fixture("new", to: ["mail"])]
            let committed = try await store.reopened().commit(
                Commit(firings: firings, claim: .fixture(removedBefore: 110)), at: 120)
            try expectEqual(committed.claimed.map(\.sink), [mail.key], "claimed")
            try await store.expectStates(.pending, of: "waiting")
            let waiting = try await store.records().filter(\.waitsForSink)
            try expectEqual(waiting.map(\.sink), [chat.key, chat.key], "waits for its sink")
            try expectEqual(try await store.sinksInForce(), [mail], "in force")
        },
        Check("deliveries to a sink that comes back are handed out again, with its spec") { store in
            let spec = SinkSpec.fixture("chat", command: "new")
            try await store.commit(Commit(sinks: [chat], firings: [.fixture()]))
            try await store.commit(Commit(sinks: []), at: 110)
            try await store.expectNoClaims(at: 110)
            let committed = try await store.commit(
                Commit(sinks: [spec], claim: .fixture(at: 120, removedBefore: 115)), at: 120)
            try expectEqual(committed.claimed.count, 1, "claimed")
            try expectEqual(committed.sinks, [spec], "sinks")
            try expectEqual(try await store.sinksInForce(), [spec], "in force")
        },
        Check("deliveries to a sink that was removed long ago are handed out without a spec") { store in
            try await store.commit(Commit(sinks: [chat], firings: [.fixture()]))
            try await store.commit(Commit(sinks: []), at: 110)
            try await store.expectClaims([], [], at: 500, removedBefore: 110)
            try await store.reopened().expectClaims([chat.key], [], at: 500, removedBefore: 111)
        },
        Check("a sink is retired since the first commit without it") { store in
            try await store.commit(Commit(sinks: [chat], firings: [.fixture()]))
            for now: Int64 in [110, 120, 130] { try await store.commit(Commit(sinks: []), at: now) }
            try await store.expectClaims([chat.key], [], at: 500, removedBefore: 111)
        },
        Check("a sink that came back and is removed again is retired since the second time") { store in
            try await store.commit(Commit(sinks: [chat], firings: [.fixture()]))
            for (now, sinks) in [(110, []), (120, [chat]), (130, [])] as [(Int64, [SinkSpec])] {
                try await store.commit(Commit(sinks: sinks), at: now)
            }
            try await store.expectClaims([], [], at: 500, removedBefore: 130)
            try await store.expectClaims([chat.key], [], at: 500, removedBefore: 131)
        },
        Check("deliveries are listed with the title of their sink, also of one that is gone") { store in
            let sinks = ["chat", inline.key.rawValue, "unknown"]
            try await store.commit(Commit(sinks: [chat, inline], firings: [.fixture(to: sinks, overlap: .allow)]))
            try await store.commit(Commit(sinks: [chat]), at: 110)
            let titles = try await store.reopened().records().map(\.sinkTitle)
            try expectEqual(titles, ["chat", "shell 'old' (a.yaml:1)", "unknown"], "titles")
        },
        Check("deliveries to a sink inside an action go out by its old spec when the action changed") { store in
            try await store.commit(Commit(sinks: [inline], firings: [.fixture(to: [inline.key.rawValue])]))
            try await store.commit(Commit(sinks: [.fixture(nil, command: "new")]), at: 110)
            try await store.expectClaims([inline.key], [inline], at: 110)
        },
        Check("prune keeps a retired sink while a delivery to it is open") { store in
            try await store.commit(Commit(sinks: [chat], firings: [.fixture()]))
            let claim = try await store.claimOne()
            try await store.commit(Commit(sinks: []), at: 101)
            try await store.prune(.standard, at: 102)
            try await store.settle(claim, .busy(until: 103), at: 102)
            try await store.prune(.standard, at: 103)
            try await store.expectNoClaims(at: 103)
            try await store.commit(Commit(sinks: [chat]), at: 104)
            try await store.expectClaims([chat.key], [chat], at: 104)
        },
        Check("prune forgets a retired sink without open deliveries") { store in
            try await store.commit(Commit(sinks: [chat], firings: [.fixture("a")]))
            try await store.settle(try await store.claimOne())
            try await store.commit(Commit(sinks: []), at: 110)
            try await store.prune(.standard, at: 120)
            try await store.commit(Commit(firings: [.fixture("b")]), at: 130)
            // As of a sink that was never declared.
            try await store.expectClaims([chat.key], [], at: 130)
        },
        Check("deliveries that wait for a retired sink delay no other sink") { store in
            try await store.commit(Commit(sinks: [chat, mail]))
            try await store.write((0..<20).map { .fixture("old\($0)", at: $0) })
            try await store.commit(Commit(sinks: [mail]), at: 110)
            try await store.write(.fixture("new", at: 99, to: ["mail"]))
            try await store.expectClaims("new", at: 120, limit: 5)
        },
    ]
}

extension StoreUnderTest {
    /// The named sinks in force.
    func sinksInForce() async throws -> [SinkSpec] { try await backend.keptFiles(root: "/c").sinks }

    /// Expects the sinks of what can be claimed, and the specs that come with it.
    fileprivate func expectClaims(
        _ keys: [SinkKey], _ specs: [SinkSpec], at now: Int64 = 100, removedBefore: Int64? = nil,
        file: String = #fileID, line: Int = #line
    ) async throws {
        let committed = try await commit(Commit(claim: .fixture(at: now, removedBefore: removedBefore)), at: now)
        try expectEqual(committed.claimed.map(\.sink), keys, "claimed", file: file, line: line)
        let found = committed.sinks.sorted { $0.key < $1.key }
        try expectEqual(found, specs.sorted { $0.key < $1.key }, "sinks", file: file, line: line)
    }
}
