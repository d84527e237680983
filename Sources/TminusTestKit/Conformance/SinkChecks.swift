import TminusCore

extension StoreConformance {
    static let sinkChecks: [Check] = [
        Check("the specs of sinks come with what is claimed, as they were written") { subject in
            let (named, inline) = (SinkSpec.fixture("chat"), SinkSpec.fixture(nil, command: "echo 'ü'"))
            let keys = [named.key.rawValue, inline.key.rawValue]
            try await subject.commit(
                Commit(
                    sinks: [named, inline, .fixture("idle")],
                    firings: [try .fixture("a", to: keys), try .fixture("b", to: keys)]), at: 1)
            let committed = try await subject.reopened().commit(Commit(claim: .fixture()))
            try expectEqual(committed.claimed.count, 4, "claimed")
            try expectEqual(committed.sinks.inOrder, [named, inline].inOrder, "sinks")
        },
        Check("the spec of a sink that the request names is left out") { subject in
            let specs = [SinkSpec.fixture("a"), .fixture("b")]
            try await subject.commit(Commit(sinks: specs, firings: [try .fixture(to: ["a", "b"])]))
            let committed = try await subject.commit(Commit(claim: .fixture(room: [SinkKey("a"): 1])))
            try expectEqual(committed.claimed.count, 2, "claimed")
            try expectEqual(committed.sinks, [.fixture("b")], "sinks")
        },
        Check("a claim of nothing brings no specs") { subject in
            try await subject.commit(Commit(sinks: [.fixture("chat")], firings: [try .fixture()]))
            let committed = try await subject.commit(Commit(claim: .fixture(otherRoom: 0)))
            try expectEqual(committed.sinks, [], "sinks")
        },
        Check("a delivery to a sink that was never declared is handed out without a spec") { subject in
            try await subject.commit(Commit(sinks: [.fixture("chat")], firings: [try .fixture(to: ["nobody"])]))
            let committed = try await subject.commit(Commit(claim: .fixture()))
            try expectEqual(committed.claimed.map(\.sink), [SinkKey("nobody")], "claimed")
            try expectEqual(committed.sinks, [], "sinks")
        },
        Check("sinks, firings and a claim in one commit: the spec is that of the commit") { subject in
            let spec = SinkSpec.fixture("chat", command: "new")
            try await subject.commit(Commit(sinks: [.fixture("chat", command: "old")]))
            let committed = try await subject.commit(
                Commit(sinks: [spec], firings: [try .fixture()], claim: .fixture()))
            try expectEqual(committed.claimed.count, 1, "claimed")
            try expectEqual(committed.sinks, [spec], "sinks")
        },
        Check("a corrected sink takes the place of the old one, also for what already waits") { subject in
            try await subject.commit(
                Commit(sinks: [.fixture("chat", command: "flase")], firings: [try .fixture()]))
            let corrected = SinkSpec.fixture("chat", command: "false")
            try await subject.commit(Commit(sinks: [corrected]), at: 101)
            try expectEqual(try await subject.commit(Commit(claim: .fixture()), at: 101).sinks, [corrected], "sinks")
        },
        Check("a commit without sinks leaves the sinks alone") { subject in
            let spec = SinkSpec.fixture("chat")
            try await subject.commit(Commit(sinks: [spec]), at: 1)
            try await subject.advance([try .fixture()])
            try await subject.store.prune(.standard, now: .fixture(2))
            try expectEqual(try await subject.commit(Commit(claim: .fixture())).sinks, [spec], "sinks")
        },
    ]

    static let retiredSinkChecks: [Check] = [
        Check("deliveries to a named sink that is not in force any more wait") { subject in
            try await subject.commit(Commit(sinks: [.fixture("chat"), .fixture("mail")]))
            try await subject.advance([try .fixture("waiting")])
            try await subject.commit(Commit(sinks: [.fixture("mail")]), at: 110)
            let firings = [try Firing.fixture("new"), try .fixture("new", to: ["mail"])]
            let committed = try await subject.reopened().commit(
                Commit(firings: firings, claim: .fixture(removedBefore: 110)), at: 120)
            try expectEqual(committed.claimed.map(\.sink), [SinkKey("mail")], "claimed")
            try expectEqual(try await subject.states(of: "waiting"), [.pending], "states")
            try expectEqual(try await subject.store.keptFiles(root: "/c").sinks, [.fixture("mail")], "in force")
        },
        Check("deliveries to a sink that comes back are handed out again, with its spec") { subject in
            let spec = SinkSpec.fixture("chat", command: "new")
            try await subject.commit(Commit(sinks: [.fixture("chat")], firings: [try .fixture()]))
            try await subject.commit(Commit(sinks: []), at: 110)
            try expectEqual(try await subject.claim(at: 110), [], "claimed while it is away")
            let committed = try await subject.commit(
                Commit(sinks: [spec], claim: .fixture(at: 120, removedBefore: 115)), at: 120)
            try expectEqual(committed.claimed.count, 1, "claimed")
            try expectEqual(committed.sinks, [spec], "sinks")
            try expectEqual(try await subject.store.keptFiles(root: "/c").sinks, [spec], "in force")
        },
        Check("deliveries to a sink that was removed long ago are handed out without a spec") { subject in
            try await subject.commit(Commit(sinks: [.fixture("chat")], firings: [try .fixture()]))
            try await subject.commit(Commit(sinks: []), at: 110)
            let early = try await subject.commit(Commit(claim: .fixture(removedBefore: 110)), at: 500)
            try expectEqual(early.claimed, [], "claimed when it was removed at that instant")
            let late = try await subject.reopened().commit(Commit(claim: .fixture(removedBefore: 111)), at: 500)
            try expectEqual(late.claimed.count, 1, "claimed when it was removed before")
            try expectEqual(late.sinks, [], "sinks")
        },
        Check("a sink is retired since the first commit without it") { subject in
            try await subject.commit(Commit(sinks: [.fixture("chat")], firings: [try .fixture()]))
            for now in [110, 120, 130] as [Int64] { try await subject.commit(Commit(sinks: []), at: now) }
            let committed = try await subject.commit(Commit(claim: .fixture(removedBefore: 111)), at: 500)
            try expectEqual(committed.claimed.count, 1, "claimed")
        },
        Check("a sink that came back and is removed again is retired since the second time") { subject in
            try await subject.commit(Commit(sinks: [.fixture("chat")], firings: [try .fixture()]))
            for (now, sinks) in [(110, []), (120, [.fixture("chat")]), (130, [])] as [(Int64, [SinkSpec])] {
                try await subject.commit(Commit(sinks: sinks), at: now)
            }
            let early = try await subject.commit(Commit(claim: .fixture(removedBefore: 130)), at: 500)
            try expectEqual(early.claimed, [], "claimed")
            let late = try await subject.commit(Commit(claim: .fixture(removedBefore: 131)), at: 500)
            try expectEqual(late.claimed.count, 1, "claimed")
        },
        Check("deliveries to a sink inside an action go out by its old spec when the action changed") { subject in
            let inline = SinkSpec.fixture(nil, command: "old")
            try await subject.commit(
                Commit(sinks: [inline], firings: [try .fixture(to: [inline.key.rawValue])]))
            try await subject.commit(Commit(sinks: [.fixture(nil, command: "new")]), at: 110)
            let committed = try await subject.commit(Commit(claim: .fixture()), at: 110)
            try expectEqual(committed.claimed.map(\.sink), [inline.key], "claimed")
            try expectEqual(committed.sinks, [inline], "sinks")
        },
        Check("prune keeps a retired sink while a delivery to it is open") { subject in
            try await subject.commit(Commit(sinks: [.fixture("chat")], firings: [try .fixture()]))
            let claim = try await subject.claimOne()
            try await subject.commit(Commit(sinks: []), at: 101)
            try await subject.store.prune(.standard, now: .fixture(102))
            try await subject.settle(claim, .retry(at: .fixture(103), reason: "busy"), at: 102)
            try await subject.store.prune(.standard, now: .fixture(103))
            try expectEqual(try await subject.claim(at: 103), [], "claimed")
            let spec = SinkSpec.fixture("chat")
            try await subject.commit(Commit(sinks: [spec]), at: 104)
            try expectEqual(try await subject.commit(Commit(claim: .fixture()), at: 104).sinks, [spec], "sinks")
        },
        Check("prune forgets a retired sink without open deliveries") { subject in
            try await subject.commit(Commit(sinks: [.fixture("chat")], firings: [try .fixture("a")]))
            try await subject.settle(try await subject.claimOne(), .delivered)
            try await subject.commit(Commit(sinks: []), at: 110)
            try await subject.store.prune(.standard, now: .fixture(120))
            let committed = try await subject.commit(
                Commit(firings: [try .fixture("b")], claim: .fixture()), at: 130)
            try expectEqual(committed.claimed.count, 1, "claimed as of a sink that was never declared")
            try expectEqual(committed.sinks, [], "sinks")
        },
        Check("deliveries that wait for a retired sink delay no other sink") { subject in
            try await subject.commit(Commit(sinks: [.fixture("chat"), .fixture("mail")]))
            try await subject.advance(try (0..<20).map { try .fixture("old\($0)", at: $0) })
            try await subject.commit(Commit(sinks: [.fixture("mail")]), at: 110)
            try await subject.advance([try .fixture("new", at: 99, to: ["mail"])])
            let claimed = try await subject.claim(at: 120, limit: 5)
            try expectEqual(claimed.map(\.definition.rawValue), ["new"], "claimed")
        },
    ]
}

extension [SinkSpec] {
    fileprivate var inOrder: [SinkSpec] { sorted { $0.key < $1.key } }
}
