/// The statements over `delivery` that people cause.
enum RecordStatements {
    /// What a retry has to know of a delivery that ended without being delivered.
    static let closed = """
        SELECT number, sink, definition, attempt, started, settled, state, reason, report, overlap FROM delivery
        WHERE id = ? AND settled IS NOT NULL AND state <> 'delivered' AND state IN ('dead', 'expired', 'discarded')
        """

    /// A delivery that ended without being delivered.
    static let closedNumber = """
        SELECT number FROM delivery WHERE id = ? AND settled IS NOT NULL AND state <> 'delivered'
        """

    static let open = "SELECT number, id, definition, sink FROM delivery WHERE settled IS NULL"

    /// A page of deliveries before one, the newest first.
    static let page = "SELECT number, id FROM delivery WHERE number < ? ORDER BY number DESC LIMIT ?"

    static let revive = """
        UPDATE delivery
        SET state = ?, next_attempt = ?, since = ?, tries = 0, interrupted = 0, expires = NULL, started = NULL, reason = NULL, report = NULL,
            settled = NULL
        WHERE number = ?
        """

    /// An attempt that runs is not recorded: its end is ignored.
    static let discard = """
        UPDATE delivery
        SET state = 'discarded', reason = coalesce(reason, 'discarded by a person'), settled = coalesce(settled, ?),
            next_attempt = NULL, started = CASE WHEN settled IS NULL THEN NULL ELSE started END,
            claim_token = NULL, claim_owner = NULL, claim_until = NULL, withdrawn = NULL
        WHERE number = ? AND state <> 'delivered' AND state <> 'skipped' AND state <> 'discarded'
        """

    static let deleteOfFiring = "DELETE FROM delivery WHERE firing = ?"

    static let ofFiring = "SELECT state, reason, settled FROM delivery WHERE firing = ? ORDER BY number"

    /// The columns of a ``DeliveryRecord``; conditions follow.
    static let record = """
        SELECT d.number, d.id, d.definition, d.occurrence, f.action, d.sink, f.due, d.created, d.state, d.attempt,
            d.next_attempt, d.settled, d.reason, d.started, d.report
        FROM delivery d JOIN firing f ON f.id = d.firing

        """
}
