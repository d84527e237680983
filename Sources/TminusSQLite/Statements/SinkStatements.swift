/// The statements over `sink`.
enum SinkStatements {
    static let retireAll = "UPDATE sink SET live = 0 WHERE live = 1"

    static let write = """
        INSERT INTO sink ("key", revision, name, kind, spec, live) VALUES (?, ?, ?, ?, ?, 1)
        ON CONFLICT ("key") DO UPDATE SET
            revision = excluded.revision, name = excluded.name, kind = excluded.kind, spec = excluded.spec, live = 1
        """

    static let read = #"SELECT spec FROM sink WHERE "key" = ?"#

    static let revision = #"SELECT revision FROM sink WHERE "key" = ?"#

    static let named = #"SELECT spec FROM sink WHERE live = 1 AND name IS NOT NULL ORDER BY "key""#

    static let prune = """
        DELETE FROM sink
        WHERE live = 0
            AND NOT EXISTS (SELECT 1 FROM delivery d WHERE d.settled IS NULL AND d.sink = sink."key")
            AND NOT EXISTS (SELECT 1 FROM delivery d WHERE d.state = 'dead' AND d.sink = sink."key")
        """
}
