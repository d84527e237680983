public import TminusCore

extension MemoryStore {
    public func sessions() async throws(StoreError) -> [WebSession] {
        try perform { $0.sessions.values.sorted { $0.digest < $1.digest } }
    }

    public func keep(_ session: WebSession) async throws(StoreError) {
        try perform { outbox in
            var kept = outbox.sessions[session.digest] ?? session
            (kept.level, kept.used) = (session.level, session.used)
            outbox.sessions[session.digest] = kept
        }
    }

    public func endSessions(_ digests: [String]) async throws(StoreError) -> Int {
        try perform { outbox in digests.count { outbox.sessions.removeValue(forKey: $0) != nil } }
    }
}
