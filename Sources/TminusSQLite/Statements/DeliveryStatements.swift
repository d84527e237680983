/// The statements over `delivery`: the outbox.
enum DeliveryStatements {
    static let insert = """
        INSERT INTO delivery (id, firing, sink, state, attempt, next_attempt, created)
        VALUES (?, ?, ?, 'pending', 0, ?, ?)
        ON CONFLICT (id) DO NOTHING
        """

    /// The first sink for which a delivery waits; with `nextSink` a walk over the sinks that skips their deliveries.
    static let firstSink = "SELECT sink FROM delivery WHERE state = 'pending' ORDER BY sink LIMIT 1"

    static let nextSink = "SELECT sink FROM delivery WHERE state = 'pending' AND sink > ? ORDER BY sink LIMIT 1"

    static let firstAttempt = """
        SELECT next_attempt FROM delivery
        WHERE state = 'pending' AND sink = ? AND next_attempt > ?
        ORDER BY next_attempt LIMIT 1
        """

    static let due = """
        SELECT next_attempt, number FROM delivery
        WHERE state = 'pending' AND sink = ? AND next_attempt <= ?
        ORDER BY next_attempt, number LIMIT ?
        """

    static let read = """
        SELECT d.id, d.sink, d.attempt, d.created, s.revision,
            f.id, f.definition, f.occurrence, f.kind, f.due, f.payload
        FROM delivery d JOIN firing f ON f.id = d.firing LEFT JOIN sink s ON s."key" = d.sink
        WHERE d.number = ?
        """

    static let claim = """
        UPDATE delivery
        SET state = 'claimed', attempt = attempt + 1, claim_token = ?, claim_owner = ?, claim_until = ?
        WHERE number = ? AND state = 'pending'
        """

    /// Ends a claim by `delivered` or `dead`.
    static let settle = """
        UPDATE delivery
        SET state = ?, reason = ?, settled = ?, next_attempt = NULL,
            claim_token = NULL, claim_owner = NULL, claim_until = NULL
        WHERE id = ? AND state = 'claimed' AND claim_token = ?
        """

    /// The same for who knows the delivery's number only.
    static let settleNumber = """
        UPDATE delivery
        SET state = ?, reason = ?, settled = ?, next_attempt = NULL,
            claim_token = NULL, claim_owner = NULL, claim_until = NULL
        WHERE number = ? AND state = 'claimed' AND claim_token = ?
        """

    /// Ends a claim by another attempt.
    static let postpone = """
        UPDATE delivery
        SET state = 'pending', reason = ?, next_attempt = ?,
            claim_token = NULL, claim_owner = NULL, claim_until = NULL
        WHERE id = ? AND state = 'claimed' AND claim_token = ?
        """

    static let firing = "SELECT firing FROM delivery WHERE id = ?"

    static let releaseExpired = release + " AND claim_until <= ?"
    static let releaseOthers = release

    private static let release = """
        UPDATE delivery
        SET state = 'pending', claim_token = NULL, claim_owner = NULL, claim_until = NULL
        WHERE state = 'claimed' AND claim_owner <> ?
        """

    static let deleteOfFiring = "DELETE FROM delivery WHERE firing = ?"
}
