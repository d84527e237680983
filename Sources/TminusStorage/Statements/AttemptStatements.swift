/// The statements over `attempt`.
enum AttemptStatements {
    /// An attempt that is written twice stays one row.
    static let replacing = """
        ON CONFLICT (delivery, number) DO UPDATE SET
            started = excluded.started, ended = excluded.ended, outcome = excluded.outcome,
            reason = excluded.reason, report = excluded.report
        """

    static let insert = """
        INSERT INTO attempt (delivery, number, started, ended, outcome, reason, report)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
        \(replacing)
        """

    static let trim = "DELETE FROM attempt WHERE delivery = ?1 AND number <= ?2"

    static let deleteOfFiring =
        "DELETE FROM attempt WHERE delivery IN (SELECT number FROM delivery WHERE firing = ?1)"

    static let ofDelivery = """
        SELECT number, started, ended, outcome, reason, report FROM attempt WHERE delivery = ?1 ORDER BY number
        """
}
