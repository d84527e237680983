import TminusCore

extension StoreConformance {
    private static func session(
        _ digest: String, level: AccessLevel = .read, token: String? = "t", used: Int64 = 100
    ) -> WebSession {
        WebSession(
            digest: digest, name: "lobby", token: token, level: level, address: "::1", made: .fixture(100),
            used: .fixture(used))
    }

    static let sessionChecks: [Check] = [
        Check("sessions come back with all their fields, in the order of their digests, also after a crash") { store in
            let sessions = [session("a", level: .edit), session("b", token: nil), session("c", level: .control)]
            for session in sessions.reversed() { try await store.backend.keep(session) }
            try expectEqual(try await store.reopened().backend.sessions(), sessions, "sessions")
        },
        Check("keeping a session again changes its level and last use, and leaves the others alone") { store in
            try await store.backend.keep(session("a", level: .control))
            try await store.backend.keep(session("b"))
            let used = session("a", level: .read, used: 200)
            for _ in 0..<2 { try await store.backend.keep(used) }
            try expectEqual(try await store.backend.sessions(), [used, session("b")], "sessions")
        },
        Check("an ended session is gone, and ending one that is not there changes nothing") { store in
            for digest in ["a", "b", "c"] { try await store.backend.keep(session(digest)) }
            try expectEqual(try await store.backend.endSessions(["a", "none", "c"]), 2, "ended")
            try expectEqual(try await store.backend.endSessions(["a"]), 0, "ended")
            try expectEqual(try await store.reopened().backend.sessions(), [session("b")], "sessions")
        },
        Check("sessions are not subject to retention") { store in
            try await store.backend.keep(session("a"))
            try await store.prune(.standard, at: 1_000 * 86_400)
            try expectEqual(try await store.backend.sessions(), [session("a")], "sessions")
        },
    ]
}
