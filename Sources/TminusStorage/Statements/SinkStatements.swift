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

    /// What may keep a leader from claiming for a sink; no row for most. Whether deliveries wait for its return, because it is named and
    /// was not retired before the given instant, and its spec if that can say which machines deliver to it.
    static let restriction = """
        SELECT CASE WHEN name IS NOT NULL AND retired >= ?2 THEN 1 ELSE 0 END, \(machineSpec) FROM sink
        WHERE "key" = ?1 AND (name IS NOT NULL AND retired >= ?2 OR \(machineSpec) IS NOT NULL)
        """

    /// The spec of a sink that is in force or is written inside an action, if it can say which machines deliver to it.
    static let machineSpec =
        #"CASE WHEN (retired IS NULL OR name IS NULL) AND spec LIKE '%"run-on"%' THEN spec END"#

    static let named = #"SELECT spec FROM sink WHERE retired IS NULL AND name IS NOT NULL ORDER BY "key""#

    /// Reads the sinks of open deliveries from an index, once for all sinks.
    static let prune = """
        DELETE FROM sink
        WHERE retired IS NOT NULL
            AND NOT EXISTS (SELECT 1 FROM delivery d WHERE d.state = 'dead' AND d.sink = sink."key")
            AND "key" NOT IN (SELECT sink FROM delivery WHERE settled IS NULL)
        """
}
