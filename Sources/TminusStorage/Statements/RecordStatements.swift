internal import TminusCore

/// The statements over `delivery` for requests of users.
enum RecordStatements {
    /// The data that a retry needs of a delivery that ended without being delivered.
    static let closed = """
        SELECT number, sink, definition, attempt, started, settled, state, reason, report, overlap FROM delivery
        WHERE id = ?1 AND settled IS NOT NULL AND state <> 'delivered' AND state IN ('dead', 'expired', 'discarded')
        """

    /// A delivery that ended without being delivered.
    static let closedNumber = """
        SELECT number FROM delivery WHERE id = ?1 AND settled IS NOT NULL AND state <> 'delivered'
        """

    /// The open deliveries, optionally of one definition and to one sink.
    static let open = """
        SELECT number, id, definition, sink, state, firing FROM delivery
        WHERE settled IS NULL AND (?1 IS NULL OR definition = ?1) AND (?2 IS NULL OR sink = ?2)
        """

    /// The deliveries that ended undelivered and were not discarded, optionally of one definition and to one sink.
    static let failed = """
        SELECT number, id, definition, sink, state, firing FROM delivery
        WHERE settled IS NOT NULL AND state <> 'delivered' AND state <> 'skipped' AND state <> 'discarded'
            AND (?1 IS NULL OR definition = ?1) AND (?2 IS NULL OR sink = ?2)
        """

    /// Like ``failed``, for one id.
    static let failedOfID = failed + " AND id = ?3"

    /// A page of deliveries before a given one, newest first.
    static let page = "SELECT number, id FROM delivery WHERE number < ?1 ORDER BY number DESC LIMIT ?2"

    /// The deliveries that ended in a state until an instant, optionally of one definition and to one sink, the oldest
    /// first.
    static let ended = """
        SELECT number, id FROM delivery
        WHERE settled IS NOT NULL AND state <> 'delivered' AND state = ?1 AND settled <= ?2
            AND (?3 IS NULL OR definition = ?3) AND (?4 IS NULL OR sink = ?4)
        ORDER BY number LIMIT ?5
        """

    static let revive = """
        UPDATE delivery
        SET state = ?1, next_attempt = ?2, since = ?3, tries = 0, interrupted = 0, expires = NULL, started = NULL, reason = NULL, report = NULL,
            settled = NULL
        WHERE number = ?4
        """

    /// Has a delivery that waits for a retry wait no longer.
    static let hasten = """
        UPDATE delivery SET next_attempt = CASE WHEN next_attempt > ?1 THEN ?1 ELSE next_attempt END
        WHERE id = ?2 AND settled IS NULL AND state = 'pending' AND attempt > 0
        """

    /// Like ``hasten``, for those whose last attempt was until an instant, optionally of one definition and to one sink.
    static let hastenAll = """
        UPDATE delivery SET next_attempt = ?1
        WHERE number IN (
            SELECT number FROM delivery
            WHERE settled IS NULL AND state = 'pending' AND tries > 0 AND next_attempt > ?1
                AND (started IS NULL OR started <= ?1) AND (?2 IS NULL OR definition = ?2) AND (?3 IS NULL OR sink = ?3)
            LIMIT ?4)
        """

    /// A running attempt is not recorded, because its end is ignored.
    static let discard = """
        UPDATE delivery
        SET state = 'discarded', reason = coalesce(reason, '\(FixedReason.discardedByUser.rawValue)'),
            settled = coalesce(settled, ?1), next_attempt = NULL, started = CASE WHEN settled IS NULL THEN NULL ELSE started END,
            claim_token = NULL, claim_owner = NULL, claim_until = NULL, withdrawn = NULL
        WHERE number = ?2 AND state <> 'delivered' AND state <> 'skipped' AND state <> 'discarded'
        """

    static let deleteOfFiring = "DELETE FROM delivery WHERE firing = ?1"

    static let ofFiring = "SELECT state, reason, settled FROM delivery WHERE firing = ?1 ORDER BY number"

    /// The columns of a ``DeliveryRecord``, to be followed by conditions.
    static let record = """
        SELECT d.number, d.id, d.definition, d.occurrence, f.action, d.sink, f.due, d.created, d.state, d.attempt,
            d.next_attempt, d.settled, d.reason, d.started, d.report,
            d.settled IS NULL AND d.state <> 'claimed' AND s.name IS NOT NULL AND s.retired IS NOT NULL,
            s.title
        FROM delivery d JOIN firing f ON f.id = d.firing LEFT JOIN sink s ON s."key" = d.sink

        """
}
