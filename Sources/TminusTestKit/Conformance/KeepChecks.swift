import TminusCore

extension StoreConformance {
    private static let a = KeptFile(path: "a.yaml", content: [1])
    private static let b = KeptFile(path: "b.yaml", content: [2])

    static let keepChecks: [Check] = [
        Check("kept files come back byte for byte, in the order of their paths, also after a crash") { store in
            let files = [
                KeptFile(path: "O'Brien/ä \"x\".yaml", content: Array("a: 1\r\n".utf8)),
                KeptFile(path: "a.yaml", content: Array(0...255)), KeptFile(path: "empty.yaml", content: []),
            ]
            try await store.keep(files.reversed(), in: "/etc/tminus")
            try await store.reopened().expectKept(files, in: "/etc/tminus")
        },
        Check("keeping a file anew replaces its content and leaves the others alone") { store in
            let changed = KeptFile(path: "a.yaml", content: [3, 4])
            try await store.keep([a, b])
            for _ in 0..<2 { try await store.keep([changed]) }
            try await store.expectKept([changed, b])
        },
        Check("a forgotten file is gone, and forgetting one that is not kept changes nothing") { store in
            try await store.keep([a], forget: ["a.yaml"])
            try await store.expectKept([a])
            try await store.keep([b], forget: ["a.yaml", "none.yaml"])
            try await store.reopened().expectKept([b])
        },
        Check("the kept files of two directories do not mix") { store in
            let other = KeptFile(path: "a.yaml", content: [2])
            try await store.keep([a], in: "/one")
            try await store.keep([other], in: "/two")
            try await store.keep([], forget: ["a.yaml"], in: "/three")
            try await store.expectKept([a], in: "/one")
            try await store.expectKept([other], in: "/two")
            try expectEqual(try await store.backend.keptFiles(root: "/three"), KeptFiles(), "of one never seen")
        },
        Check("what was kept for a fleet is that of the directory that is kept next") { store in
            try await store.keep([a, b], in: KeptFiles.fleetRoot)
            try await store.expectKept([a, b])
            let changed = KeptFile(path: "b.yaml", content: [3])
            try await store.keep([changed])
            try await store.expectKept([a, changed])
            try await store.expectKept([], in: "/other")
            try await store.expectKept([], in: KeptFiles.fleetRoot)
        },
        Check("kept files are not subject to retention") { store in
            try await store.keep([a])
            try await store.prune(.standard, at: 1_000 * 86_400)
            try await store.expectKept([a])
        },
        Check("with the kept files come the named sinks in force, and no others") { store in
            let (chat, mail) = (SinkSpec.fixture("chat"), SinkSpec.fixture("mail"))
            try await store.commit(Commit(sinks: [mail, .fixture("old"), .fixture(nil, command: "inline")]), at: 1)
            try await store.commit(Commit(sinks: [mail, chat, .fixture(nil)]), at: 2)
            try expectEqual(try await store.reopened().sinksInForce(), [chat, mail], "sinks")
        },
    ]
}

extension StoreUnderTest {
    fileprivate func keep(_ files: [KeptFile], forget: [String] = [], in root: String = "/c") async throws {
        try await backend.keep(files, forget: forget, root: root, now: .fixture(1))
    }

    fileprivate func expectKept(
        _ files: [KeptFile], in root: String = "/c", file: String = #fileID, line: Int = #line
    ) async throws {
        try expectEqual(try await backend.keptFiles(root: root).files, files, "kept files", file: file, line: line)
    }
}
