/// The statements that count undelivered deliveries. Each reads only an index that contains all its columns, and no
/// delivered row.
enum StandingStatements {
    static let pending = """
        SELECT sink, count(*), min(next_attempt) FROM delivery INDEXED BY delivery_pending
        WHERE state = 'pending' GROUP BY sink
        """

    static let queued = """
        SELECT sink, count(*) FROM delivery INDEXED BY delivery_queued WHERE state = 'queued' GROUP BY sink
        """

    static let claimed = """
        SELECT sink, count(*) FROM delivery INDEXED BY delivery_open
        WHERE settled IS NULL AND claim_until IS NOT NULL GROUP BY sink
        """

    static let retrying = """
        SELECT sink, definition, count(*), min(next_attempt) FROM delivery INDEXED BY delivery_retrying
        WHERE state = 'pending' AND tries > 0 GROUP BY sink, definition
        """

    static let dead = """
        SELECT sink, definition, count(*), min(settled) FROM delivery INDEXED BY delivery_dead
        WHERE state = 'dead' GROUP BY sink, definition
        """

    static let retryingOfOne = """
        SELECT sink, definition, count(*), min(next_attempt) FROM delivery INDEXED BY delivery_retrying
        WHERE state = 'pending' AND tries > 0 AND definition = ?1 GROUP BY sink, definition
        """

    static let deadOfOne = """
        SELECT sink, definition, count(*), min(settled) FROM delivery INDEXED BY delivery_dead
        WHERE state = 'dead' AND definition = ?1 GROUP BY sink, definition
        """

    static let sink = """
        SELECT title, name IS NOT NULL AND retired IS NOT NULL, \(SinkStatements.machineSpec) FROM sink WHERE "key" = ?1
        """
}

/// The statements that read the newest end of a definition, and the newest of all.
enum OutcomeStatements {
    /// The newest firings of a definition by occurrence: those of one occurrence and its neighbours.
    static let firings = """
        SELECT id, occurrence, action, due FROM firing
        WHERE definition = ?1 AND kind IN ('reminder', 'expiry', 'elapsed')
        ORDER BY occurrence DESC, action DESC LIMIT \(neighbours)
        """

    static let omissions = """
        SELECT occurrence, action, due, reason, count, note FROM omission
        WHERE definition = ?1 ORDER BY occurrence DESC, action DESC LIMIT \(neighbours)
        """

    static let recentFirings = """
        SELECT id, occurrence, action, due, definition FROM firing
        WHERE created < ?1 AND kind IN ('reminder', 'expiry', 'elapsed') ORDER BY created DESC, id DESC LIMIT ?2
        """

    static let recentOmissions = """
        SELECT occurrence, action, due, reason, count, note, definition FROM omission
        WHERE recorded < ?1 ORDER BY recorded DESC, id DESC LIMIT ?2
        """

    /// More than the usual number of actions of an occurrence.
    private static let neighbours = 16
}

/// The statements over `control`.
enum ControlStatements {
    static let insert = """
        INSERT INTO control (definition, control, author, at, note) VALUES (?1, ?2, ?3, ?4, ?5)
        ON CONFLICT (definition, at, control) DO NOTHING
        """

    static let newest = """
        SELECT definition, control, author, at, note FROM control WHERE at < ?1 ORDER BY at DESC, id DESC LIMIT ?2
        """

    /// The newest controls of one definition, and of all, whose `definition` is empty.
    static let ofDefinition = """
        SELECT definition, control, author, at, note FROM control
        WHERE definition IN (?1, '') AND at < ?2 ORDER BY at DESC, id DESC LIMIT ?3
        """

    /// Keeps the last control of each definition that has a schedule.
    static let prune = """
        DELETE FROM control
        WHERE at < ?1 AND (
            definition NOT IN (SELECT definition FROM schedule)
            OR EXISTS (SELECT 1 FROM control l WHERE l.definition = control.definition AND l.at > control.at)
        )
        """
}
