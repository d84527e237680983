/// The statements over `attempt`.
enum AttemptStatements {
    static let insert = """
        INSERT OR REPLACE INTO attempt (delivery, number, started, ended, outcome, reason, report)
        VALUES (?, ?, ?, ?, ?, ?, ?)
        """

    static let trim = "DELETE FROM attempt WHERE delivery = ? AND number <= ?"

    static let deleteOfFiring =
        "DELETE FROM attempt WHERE delivery IN (SELECT number FROM delivery WHERE firing = ?)"

    static let ofDelivery = """
        SELECT number, started, ended, outcome, reason, report FROM attempt WHERE delivery = ? ORDER BY number
        """
}
