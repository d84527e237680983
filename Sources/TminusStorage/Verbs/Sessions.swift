import TminusCore

extension Transaction {
    /// The readable sessions.
    func sessions() throws -> [WebSession] {
        var found: [WebSession] = []
        try forEach(SessionStatements.all) { row in
            // Who cannot be told any more has to sign in again.
            if let session = try? row.session() { found.append(session) }
        }
        return found
    }

    /// Writes a session, or its level and last use if it is there.
    func write(_ session: WebSession) throws {
        try post(
            SessionStatements.write, session.digest, session.name, session.token, session.level.rawValue,
            session.address, session.made, session.used)
    }

    /// Removes sessions.
    func removeSessions(_ digests: [String]) throws -> Int {
        try digests.reduce(0) { $0 + (try run(SessionStatements.remove, $1)) }
    }
}

extension StoredRow {
    /// Reads a row of `session` with the columns of ``SessionStatements/all``.
    fileprivate func session() throws -> WebSession {
        let level = try word(3, AccessLevel.self)
        guard AccessLevel.granted.contains(level) else { throw UnreadableRow(what: "the level of a session") }
        return WebSession(
            digest: try text(0), name: try text(1), token: try optionalText(2), level: level, address: try text(4),
            made: try instant(5), used: try instant(6))
    }
}
