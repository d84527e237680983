/// The statements over `firing` and `omission`.
enum FiringStatements {
    static let insert = GroupedText(columns: 9) { rows in
        """
        INSERT INTO firing (id, definition, occurrence, action, kind, due, payload, on_failure, created)
        VALUES \(GroupedText.values(rows, columns: 9))
        ON CONFLICT (definition, occurrence, action) DO NOTHING
        """
    }

    static let lastID = "SELECT max(id) FROM firing"

    static let find = "SELECT id FROM firing WHERE definition = ? AND occurrence = ? AND action = ?"

    /// The expiry with the given id, snoozed or not, if its schedule waits for it and no delivery of an expiry of that
    /// occurrence is open.
    static let endedExpiry = """
        SELECT f.definition, f.occurrence FROM firing f
        WHERE f.id = ? AND (f.action = 'expiry' OR f.action GLOB 'snoozed:*')
            AND EXISTS (
                SELECT 1 FROM schedule s
                WHERE s.definition = f.definition AND s.phase = 'acting' AND s.deadline = f.occurrence
            )
            AND NOT EXISTS (
                SELECT 1 FROM firing o JOIN delivery d ON d.firing = o.id
                WHERE o.definition = f.definition AND o.occurrence = f.occurrence
                    AND (o.action = 'expiry' OR o.action GLOB 'snoozed:*') AND d.settled IS NULL
            )
        """

    static let insertOmission = """
        INSERT INTO omission (definition, occurrence, action, due, reason, count, note, recorded)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)
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
        WHERE definition = ? AND occurrence >= ? AND occurrence < ? AND kind IN ('reminder', 'expiry', 'elapsed')
        """

    static let omissionsOfOccurrences = """
        SELECT occurrence, action, due, reason, count, note FROM omission
        WHERE definition = ? AND occurrence >= ? AND occurrence < ? ORDER BY id
        """

    static let firstDefinition = "SELECT definition FROM firing ORDER BY definition LIMIT 1"
    static let nextDefinition = "SELECT definition FROM firing WHERE definition > ? ORDER BY definition LIMIT 1"

    /// The newest occurrence of a definition that exceeds the limit.
    static let surplusFrom = """
        SELECT occurrence FROM firing WHERE definition = ? ORDER BY occurrence DESC LIMIT 1 OFFSET ?
        """

    /// A page of the firings of a definition up to an occurrence, after (occurrence, action), and whether each has
    /// ended without a dead letter.
    static let surplusPage = """
        SELECT f.id, f.occurrence, f.action,
            NOT EXISTS (
                SELECT 1 FROM delivery d WHERE d.firing = f.id AND (d.settled IS NULL OR d.state = 'dead')
            )
        FROM firing f
        WHERE f.definition = ? AND f.occurrence <= ? AND (f.occurrence, f.action) > (?, ?)
        ORDER BY f.occurrence, f.action LIMIT ?
        """

    /// A page of old firings after (created, id), and whether each ended before the given instant.
    static let oldPage = """
        SELECT f.id, f.created,
            NOT EXISTS (
                SELECT 1 FROM delivery d WHERE d.firing = f.id AND (d.settled IS NULL OR d.settled >= ?)
            )
        FROM firing f
        WHERE f.created < ? AND (f.created, f.id) > (?, ?)
        ORDER BY f.created, f.id LIMIT ?
        """

    static let delete = "DELETE FROM firing WHERE id = ?"

    static let pruneOmissions = """
        DELETE FROM omission
        WHERE id IN (SELECT id FROM omission WHERE recorded < ? ORDER BY recorded LIMIT ?)
        """
}
