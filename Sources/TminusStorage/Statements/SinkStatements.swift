/// The statements over `sink`.
enum SinkStatements {
    static let retireAll = "UPDATE sink SET retired = ?1 WHERE retired IS NULL"

    static let write = """
        INSERT INTO sink ("key", name, kind, title, spec) VALUES (?1, ?2, ?3, ?4, ?5)
        ON CONFLICT ("key") DO UPDATE SET
            name = excluded.name, kind = excluded.kind, title = excluded.title, spec = excluded.spec, retired = NULL
        """

    /// The spec of a sink that is in force or is written inside an action.
    static let spec = #"SELECT spec FROM sink WHERE "key" = ?1 AND (retired IS NULL OR name IS NULL)"#

    /// Whether deliveries to a sink wait for its return: it is named, and was not retired before the given instant.
    static let isAwaited = #"SELECT 1 FROM sink WHERE "key" = ?1 AND name IS NOT NULL AND retired >= ?2"#

    static let named = #"SELECT spec FROM sink WHERE retired IS NULL AND name IS NOT NULL ORDER BY "key""#

    /// Reads the sinks of open deliveries from an index, once for all sinks.
    static let prune = """
        DELETE FROM sink
        WHERE retired IS NOT NULL
            AND NOT EXISTS (SELECT 1 FROM delivery d WHERE d.state = 'dead' AND d.sink = sink."key")
            AND "key" NOT IN (SELECT sink FROM delivery WHERE settled IS NULL)
        """
}
