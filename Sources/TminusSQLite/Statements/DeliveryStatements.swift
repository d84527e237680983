/// The statements over `delivery`: the outbox.
enum DeliveryStatements {
    static let insert = """
        INSERT INTO delivery (
            id, firing, definition, occurrence, sink, state, overlap, attempt, tries, since, expires, next_attempt, reason,
            created, settled
        )
        VALUES (?, ?, ?, ?, ?, ?, ?, 0, 0, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (firing, sink) DO NOTHING
        """

    /// Deliveries that are claimed as they are written: their numbers are given, because their tokens have them.
    static let insertClaimed = GroupedText(columns: 13) { rows in
        let values = GroupedText.values(rows, columns: 13) { before in
            let texts = (1...13).map { "?\(before + $0)" }
            return
                "(\(texts[0..<6].joined(separator: ", ")), 'claimed', \(texts[6]), 1, 1, \(texts[7]), \(texts[8]), \(texts[9]), "
                + "\(texts[7]), \(texts[7]), \(texts[10...].joined(separator: ", ")))"
        }
        return """
            INSERT INTO delivery (
                number, id, firing, definition, occurrence, sink, state, overlap, attempt, tries, since, expires, next_attempt,
                created, started, claim_token, claim_owner, claim_until
            )
            VALUES \(values)
            ON CONFLICT (firing, sink) DO NOTHING
            """
    }

    static let isWritten = "SELECT 1 FROM delivery WHERE number = ? AND id = ?"

    static let lastNumber = "SELECT max(number) FROM delivery"

    /// The first delivery of a definition to a sink that is not over.
    static let head = """
        SELECT occurrence, claim_until FROM delivery
        WHERE sink = ? AND definition = ? AND settled IS NULL ORDER BY number LIMIT 1
        """

    /// The firings of those whose place another occurrence takes.
    static let replaceable = """
        SELECT number, firing FROM delivery
        WHERE sink = ? AND definition = ? AND settled IS NULL AND state IN ('queued', 'pending') AND occurrence <> ?
        """

    static let skip = """
        UPDATE delivery SET state = 'skipped', reason = ?, settled = ?, next_attempt = NULL
        WHERE number = ? AND state IN ('queued', 'pending')
        """

    /// Whether any delivery waits for the end of another: mostly none does.
    static let hasQueued = "SELECT number FROM delivery WHERE state = 'queued' LIMIT 1"

    /// Gives the next delivery of a definition to a sink its turn, unless one has it.
    static let promote = """
        UPDATE delivery SET state = 'pending'
        WHERE number = (
                SELECT number FROM delivery
                WHERE state = 'queued' AND sink = ?1 AND definition = ?2 ORDER BY number LIMIT 1
            )
            AND NOT EXISTS (
                SELECT 1 FROM delivery WHERE sink = ?1 AND definition = ?2 AND settled IS NULL AND state <> 'queued'
            )
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

    private static let whole = """
        SELECT d.id, d.sink, d.attempt, d.created,
            f.id, f.definition, f.occurrence, f.kind, f.due, f.payload,
            d.tries, d.since, d.expires, d.overlap, f.on_failure, d.number, d.interrupted
        FROM delivery d CROSS JOIN firing f ON f.id = d.firing

        """

    /// All that is handed out of a delivery.
    static let read = whole + "WHERE d.number = ?"

    /// The same, of what ``due`` finds.
    static let readDue =
        whole + """
            WHERE d.state = 'pending' AND d.sink = ? AND d.next_attempt <= ?
            ORDER BY d.next_attempt, d.number LIMIT ?
            """

    static let claim = """
        UPDATE delivery
        SET state = 'claimed', attempt = attempt + 1, tries = tries + 1, started = ?,
            claim_token = ?, claim_owner = ?, claim_until = ?
        WHERE number = ? AND state = 'pending'
        """

    static let claimed = """
        SELECT sink, definition, attempt, started FROM delivery
        WHERE number = ? AND id = ? AND state = 'claimed' AND claim_token = ?
        """

    /// Ends a claim and the delivery; `untried`: 1 if no attempt was made.
    static let settle = """
        UPDATE delivery
        SET state = ?1, reason = ?2, report = ?3, settled = ?4, next_attempt = NULL,
            attempt = attempt - ?5, tries = tries - ?5, started = CASE ?5 WHEN 1 THEN NULL ELSE started END,
            claim_token = NULL, claim_owner = NULL, claim_until = NULL
        WHERE number = ?6
        """

    /// The same, of a claim that is still held.
    static let settleHeld = settle + " AND id = ?7 AND state = 'claimed' AND claim_token = ?8"

    /// Ends a claim by another attempt; `untried` as in ``settle``.
    static let postpone = """
        UPDATE delivery
        SET state = 'pending', reason = ?1, next_attempt = ?2, attempt = attempt - ?3, tries = tries - ?3,
            interrupted = interrupted * ?3,
            claim_token = NULL, claim_owner = NULL, claim_until = NULL
        WHERE number = ?4
        """

    static let releaseExpired = release() + expiredClaims
    static let releaseOthers = release(counting: 1) + otherClaims

    /// What other owners claim that was cut off so often before.
    static let interruptedOften =
        "SELECT number, sink, definition FROM delivery " + otherClaims + " AND interrupted >= ?"

    /// A claimed delivery of a sink that was cut off so often.
    static let claimedOfInterrupted = """
        SELECT number FROM delivery
        WHERE settled IS NULL AND sink = ? AND claim_until IS NOT NULL AND interrupted >= ? LIMIT 1
        """

    static let setAside = """
        UPDATE delivery
        SET state = 'dead', reason = ?, settled = ?, next_attempt = NULL, interrupted = interrupted + 1,
            claim_token = NULL, claim_owner = NULL, claim_until = NULL
        WHERE number = ?
        """

    /// Keeps in mind that the attempts of released claims were cut off.
    static let recordExpired = recordInterrupted + expiredClaims
    static let recordOthers = recordInterrupted + otherClaims

    private static func release(counting count: Int = 0) -> String {
        """
        UPDATE delivery
        SET state = 'pending', reason = 'the process that made the last attempt ended', interrupted = interrupted + \(count),
            claim_token = NULL, claim_owner = NULL, claim_until = NULL

        """
    }

    private static let recordInterrupted = """
        INSERT OR REPLACE INTO attempt (delivery, number, started, ended, outcome, reason)
        SELECT number, attempt, coalesce(started, created), ?, 'interrupted', 'the process that made it ended' FROM delivery

        """

    // Read from the index of what is not over, at the start and once an hour. What is claimed has an end of its claim.
    private static let otherClaims = "WHERE settled IS NULL AND claim_until IS NOT NULL AND claim_owner <> ?"
    private static let expiredClaims = otherClaims + " AND claim_until <= ?"

    /// The claims of an owner behind which a delivery waits that is to take their place.
    static let replaced = """
        SELECT h.claim_token FROM delivery h
        WHERE h.state = 'claimed' AND h.overlap = 'replace' AND h.claim_owner = ?
            AND EXISTS (
                SELECT 1 FROM delivery q
                WHERE q.sink = h.sink AND q.definition = h.definition AND q.settled IS NULL
                    AND q.state = 'queued' AND q.overlap = 'replace' AND q.occurrence <> h.occurrence
            )
        """

    static let shiftWaits = """
        UPDATE delivery SET next_attempt = next_attempt + ?1, since = since + ?1 WHERE settled IS NULL AND attempt > 0
        """

    /// What was never tried waits for a slot at the most; it may have been written by the clock that was set already.
    static let endFirstWaits = """
        UPDATE delivery SET next_attempt = ?1 WHERE settled IS NULL AND attempt = 0 AND next_attempt > ?1
        """

    static let endWaitsFromTheFuture = """
        UPDATE delivery SET next_attempt = ?1
        WHERE settled IS NULL AND next_attempt > ?1 AND coalesce(started, created) > ?1
        """

    /// What of a delivery is of interest to who wants it anew.
    static let closed = """
        SELECT number, sink, definition, attempt, started, settled, state, reason, report, overlap FROM delivery
        WHERE id = ? AND settled IS NOT NULL AND state <> 'delivered' AND state IN ('dead', 'expired', 'discarded')
        """

    /// A delivery that is over and was not delivered.
    static let closedNumber = """
        SELECT number FROM delivery WHERE id = ? AND settled IS NOT NULL AND state <> 'delivered'
        """

    /// A page of deliveries before one, the newest first.
    static let page = "SELECT number, id FROM delivery WHERE number < ? ORDER BY number DESC LIMIT ?"

    static let revive = """
        UPDATE delivery
        SET state = ?, next_attempt = ?, since = ?, tries = 0, interrupted = 0, expires = NULL, started = NULL,
            reason = NULL, report = NULL, settled = NULL
        WHERE number = ?
        """

    static let discard = """
        UPDATE delivery SET state = 'discarded'
        WHERE id = ? AND settled IS NOT NULL AND state <> 'delivered' AND state = 'dead'
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
