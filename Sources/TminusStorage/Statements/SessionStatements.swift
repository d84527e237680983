/// The statements over `session`.
enum SessionStatements {
    static let all = "SELECT digest, name, token, level, address, made, used FROM session ORDER BY digest"

    static let write = """
        INSERT INTO session (digest, name, token, level, address, made, used) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
        ON CONFLICT (digest) DO UPDATE SET level = excluded.level, used = excluded.used
        """

    static let remove = "DELETE FROM session WHERE digest = ?1"
}
