import TminusCore

extension StoreConformance {
    static let keepChecks: [Check] = [
        Check("kept files come back byte for byte, in the order of their paths, also after a crash") { subject in
            let files = [
                KeptFile(path: "O'Brien/ä \"x\".yaml", content: Array("a: 1\r\n".utf8)),
                KeptFile(path: "a.yaml", content: Array(0...255)), KeptFile(path: "empty.yaml", content: []),
            ]
            try await subject.store.keep(files.reversed(), forget: [], root: "/etc/tminus", now: .fixture(1))
            let later = try await subject.reopened()
            try expectEqual(try await later.store.keptFiles(root: "/etc/tminus").files, files, "kept files")
        },
        Check("keeping a file anew replaces its content and leaves the others alone") { subject in
            let (a, b) = (KeptFile(path: "a.yaml", content: [1]), KeptFile(path: "b.yaml", content: [2]))
            let changed = KeptFile(path: "a.yaml", content: [3, 4])
            try await subject.store.keep([a, b], forget: [], root: "/c", now: .fixture(1))
            for _ in 0..<2 { try await subject.store.keep([changed], forget: [], root: "/c", now: .fixture(2)) }
            try expectEqual(try await subject.store.keptFiles(root: "/c").files, [changed, b], "kept files")
        },
        Check("a forgotten file is gone, and forgetting one that is not kept changes nothing") { subject in
            let (a, b) = (KeptFile(path: "a.yaml", content: [1]), KeptFile(path: "b.yaml", content: [2]))
            try await subject.store.keep([a], forget: ["a.yaml"], root: "/c", now: .fixture(1))
            try expectEqual(try await subject.store.keptFiles(root: "/c").files, [a], "kept files")
            try await subject.store.keep([b], forget: ["a.yaml", "none.yaml"], root: "/c", now: .fixture(2))
            try expectEqual(try await subject.reopened().store.keptFiles(root: "/c").files, [b], "kept files")
        },
        Check("the kept files of two directories do not mix") { subject in
            let (one, two) = (KeptFile(path: "a.yaml", content: [1]), KeptFile(path: "a.yaml", content: [2]))
            try await subject.store.keep([one], forget: [], root: "/one", now: .fixture(1))
            try await subject.store.keep([two], forget: [], root: "/two", now: .fixture(1))
            try await subject.store.keep([], forget: ["a.yaml"], root: "/three", now: .fixture(2))
            try expectEqual(try await subject.store.keptFiles(root: "/one").files, [one], "files of the first")
            try expectEqual(try await subject.store.keptFiles(root: "/two").files, [two], "files of the second")
            try expectEqual(try await subject.store.keptFiles(root: "/three"), KeptFiles(), "of one never seen")
        },
        Check("kept files are not subject to retention") { subject in
            let file = KeptFile(path: "a.yaml", content: [1])
            try await subject.store.keep([file], forget: [], root: "/c", now: .fixture(1))
            try await subject.store.prune(.standard, now: .fixture(1_000 * 86_400))
            try expectEqual(try await subject.store.keptFiles(root: "/c").files, [file], "kept files")
        },
        Check("with the kept files come the named sinks in force, and no others") { subject in
            let (chat, mail) = (SinkSpec.fixture("chat"), SinkSpec.fixture("mail"))
            try await subject.commit(
                Commit(sinks: [mail, .fixture("old"), .fixture(nil, command: "inline")]), at: 1)
            try await subject.commit(Commit(sinks: [mail, chat, .fixture(nil)]), at: 2)
            let later = try await subject.reopened()
            try expectEqual(try await later.store.keptFiles(root: "/c").sinks, [chat, mail], "sinks")
        },
    ]
}
