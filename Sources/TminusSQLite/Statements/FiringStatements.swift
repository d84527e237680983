/// The statements over `firing` and `omission`.
enum FiringStatements {
    static let insert = """
        INSERT INTO firing (definition, occurrence, action, kind, due, payload, created) VALUES (?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (definition, occurrence, action) DO NOTHING
        """

    static let find = "SELECT id FROM firing WHERE definition = ? AND occurrence = ? AND action = ?"

    /// The expiry with that id, if none of its deliveries is open.
    static let endedExpiry = """
        SELECT f.definition, f.occurrence FROM firing f
        WHERE f.id = ? AND f.action = 'expiry'
            AND NOT EXISTS (SELECT 1 FROM delivery d WHERE d.firing = f.id AND d.state IN ('pending', 'claimed'))
        """

    static let insertOmission = """
        INSERT INTO omission (definition, occurrence, action, due, reason, count, recorded)
        VALUES (?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (definition, occurrence, action, due, reason) DO NOTHING
        """

    /// A page of old firings behind (created, id), and whether each is over since before the given instant.
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
