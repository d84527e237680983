/// The statements over `firing` and `omission`.
enum FiringStatements {
    static let insert = GroupedText(Array(1...9)) { values in
        """
        INSERT INTO firing (id, definition, occurrence, action, kind, due, payload, on_failure, created)
        VALUES \(values)
        ON CONFLICT (definition, occurrence, action) DO NOTHING
        """
    }

    static let lastID = "SELECT max(id) FROM firing"

    static let find = "SELECT id FROM firing WHERE definition = ?1 AND occurrence = ?2 AND action = ?3"

    /// The expiry with the given id, snoozed or not, if its schedule waits for it and no delivery of an expiry of that
    /// occurrence is open.
    static let endedExpiry = """
        SELECT f.definition, f.occurrence FROM firing f
        WHERE f.id = ?1 AND (f.action = 'expiry' OR f.action LIKE 'snoozed:%')
            AND EXISTS (
                SELECT 1 FROM schedule s
                WHERE s.definition = f.definition AND s.phase = 'acting' AND s.deadline = f.occurrence
            )
            AND NOT EXISTS (
                SELECT 1 FROM firing o JOIN delivery d ON d.firing = o.id
                WHERE o.definition = f.definition AND o.occurrence = f.occurrence
                    AND (o.action = 'expiry' OR o.action LIKE 'snoozed:%') AND d.settled IS NULL
            )
        """

    static let insertOmission = """
        INSERT INTO omission (definition, occurrence, action, due, reason, count, note, recorded)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
        ON CONFLICT (definition, occurrence, action, due, reason) DO NOTHING
        """

    /// The newest occurrences of a definition, from firings and omissions.
    static let occurrences = """
        SELECT occurrence FROM firing
        WHERE definition = ?1 AND occurrence < ?2 AND kind IN ('reminder', 'expiry', 'elapsed')
        UNION
        SELECT occurrence FROM omission WHERE definition = ?1 AND occurrence < ?2
        ORDER BY 1 DESC LIMIT ?3
        """

    static let ofOccurrences = """
        SELECT id, occurrence, action, due FROM firing
        WHERE definition = ?1 AND occurrence >= ?2 AND occurrence < ?3 AND kind IN ('reminder', 'expiry', 'elapsed')
        """

    static let omissionsOfOccurrences = """
        SELECT occurrence, action, due, reason, count, note FROM omission
        WHERE definition = ?1 AND occurrence >= ?2 AND occurrence < ?3 ORDER BY id
        """

    static let firstDefinition = "SELECT definition FROM firing ORDER BY definition LIMIT 1"
    static let nextDefinition = "SELECT definition FROM firing WHERE definition > ?1 ORDER BY definition LIMIT 1"

    /// The newest occurrence of a definition that exceeds the limit.
    static let surplusFrom = """
        SELECT occurrence FROM firing WHERE definition = ?1 ORDER BY occurrence DESC LIMIT 1 OFFSET ?2
        """

    /// A page of the firings of a definition up to an occurrence, after (occurrence, action), and whether each has
    /// ended without a dead delivery.
    static let surplusPage = """
        SELECT f.id, f.occurrence, f.action,
            NOT EXISTS (
                SELECT 1 FROM delivery d WHERE d.firing = f.id AND (d.settled IS NULL OR d.state = 'dead')
            )
        FROM firing f
        WHERE f.definition = ?1 AND f.occurrence <= ?2 AND (f.occurrence, f.action) > (?3, ?4)
        ORDER BY f.occurrence, f.action LIMIT ?5
        """

    /// A page of old firings after (created, id), and whether each ended before the given instant.
    static let oldPage = """
        SELECT f.id, f.created,
            NOT EXISTS (
                SELECT 1 FROM delivery d WHERE d.firing = f.id AND (d.settled IS NULL OR d.settled >= ?1)
            )
        FROM firing f
        WHERE f.created < ?2 AND (f.created, f.id) > (?3, ?4)
        ORDER BY f.created, f.id LIMIT ?5
        """

    static let delete = "DELETE FROM firing WHERE id = ?1"

    static let pruneOmissions = """
        DELETE FROM omission
        WHERE id IN (SELECT id FROM omission WHERE recorded < ?1 ORDER BY recorded LIMIT ?2)
        """
}
