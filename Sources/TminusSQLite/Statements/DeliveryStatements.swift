/// The statements over `delivery` that write, claim and end.
enum DeliveryStatements {
    // The parameters of one delivery. Two columns have the value of another: `tries` that of `attempt`, `since` that of `created`.
    private static let parameters = [1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 10, 10, 11, 12, 13, 14, 15, 16, 17, 18]

    /// The number of a delivery is given, because its token has it.
    static let insert = GroupedText(columns: 18) { rows in
        let values = GroupedText.values(rows, columns: 18) { before in
            "(\(parameters.map { "?\(before + $0)" }.joined(separator: ", ")))"
        }
        return """
            INSERT INTO delivery (
                number, id, firing, definition, occurrence, sink, state, overlap, attempt, tries, created, since, expires,
                next_attempt, started, claim_token, claim_owner, claim_until, reason, settled
            )
            VALUES \(values)
            ON CONFLICT (firing, sink) DO NOTHING
            """
    }

    static let isWritten = "SELECT 1 FROM delivery WHERE number = ? AND id = ?"

    static let lastNumber = "SELECT max(number) FROM delivery"

    /// The first open delivery of a definition to a sink.
    static let head = """
        SELECT occurrence, claim_until FROM delivery
        WHERE sink = ? AND definition = ? AND settled IS NULL ORDER BY number LIMIT 1
        """

    /// The waiting deliveries that one of another occurrence replaces.
    static let replaceable = """
        SELECT number, firing FROM delivery
        WHERE sink = ? AND definition = ? AND settled IS NULL AND state IN ('queued', 'pending') AND occurrence <> ?
        """

    /// Ends a delivery that waits. Its attempts are in `attempt`, so `started` is none of its own.
    static let endWaiting = """
        UPDATE delivery SET state = ?, reason = ?, settled = ?, next_attempt = NULL, started = NULL
        WHERE number = ? AND (state = 'queued' OR state = 'pending')
        """

    static let hasQueued = "SELECT number FROM delivery WHERE state = 'queued' LIMIT 1"

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

    /// The first sink with pending deliveries; with ``nextSink`` a walk over the sinks that skips their deliveries.
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

    /// Everything that is handed out of a pending delivery.
    static let read = """
        SELECT d.id, d.sink, d.attempt, d.tries, d.since, d.expires, d.overlap,
            f.id, f.definition, f.occurrence, f.kind, f.due, f.payload, f.on_failure, d.interrupted
        FROM delivery d CROSS JOIN firing f ON f.id = d.firing
        WHERE d.number = ? AND d.state = 'pending'
        """

    /// Where a delivery belongs.
    static let place = "SELECT firing, definition, sink FROM delivery WHERE number = ?"

    static let claim = """
        UPDATE delivery
        SET state = 'claimed', attempt = attempt + 1, tries = tries + 1, started = ?,
            claim_token = ?, claim_owner = ?, claim_until = ?
        WHERE number = ? AND state = 'pending'
        """

    /// A claim that is held.
    static let held = """
        SELECT definition, sink, attempt, started, withdrawn FROM delivery
        WHERE number = ? AND id = ? AND state = 'claimed' AND claim_token = ?
        """

    /// Ends a held claim and its delivery; `?5`: 1 if no attempt was made.
    static let settle = """
        UPDATE delivery
        SET state = ?1, reason = ?2, report = ?3, settled = ?4, next_attempt = NULL,
            attempt = attempt - ?5, tries = tries - ?5, started = CASE ?5 WHEN 1 THEN NULL ELSE started END,
            claim_token = NULL, claim_owner = NULL, claim_until = NULL, withdrawn = NULL
        WHERE number = ?6 AND id = ?7 AND state = 'claimed' AND claim_token = ?8
        """

    /// Ends a claim; the delivery is attempted again. `?3`: 1 if no attempt was made.
    static let postpone = """
        UPDATE delivery
        SET state = 'pending', reason = ?1, next_attempt = ?2, attempt = attempt - ?3, tries = tries - ?3,
            interrupted = interrupted * ?3,
            claim_token = NULL, claim_owner = NULL, claim_until = NULL, withdrawn = NULL
        WHERE number = ?4
        """

    /// A claimed delivery of a sink that was interrupted so often.
    static let claimedOfInterrupted = """
        SELECT number FROM delivery
        WHERE settled IS NULL AND sink = ? AND claim_until IS NOT NULL AND interrupted >= ? LIMIT 1
        """

    /// The claims of an owner that a delivery waits to replace.
    static let replaced = """
        SELECT h.claim_token FROM delivery h
        WHERE h.state = 'claimed' AND h.overlap = 'replace' AND h.claim_owner = ?
            AND EXISTS (
                SELECT 1 FROM delivery q
                WHERE q.sink = h.sink AND q.definition = h.definition AND q.settled IS NULL
                    AND q.state = 'queued' AND q.overlap = 'replace' AND q.occurrence <> h.occurrence
            )
        """

    static let hasOpen = "SELECT 1 FROM delivery WHERE settled IS NULL LIMIT 1"

    private static let withdrawable = """
        SELECT d.number, d.firing, d.definition, d.sink, d.claim_owner, d.claim_token, d.occurrence, f.kind,
            f.action GLOB 'test:*'
        FROM delivery d CROSS JOIN firing f ON f.id = d.firing
        WHERE d.settled IS NULL
        """

    /// What a withdrawal has to know of each open delivery.
    static let allOpen = withdrawable
    static let openOfDefinition = withdrawable + " AND d.definition = ?"

    /// Marks a claimed delivery as withdrawn; the first reason stays.
    static let withdraw = "UPDATE delivery SET withdrawn = coalesce(withdrawn, ?) WHERE number = ?"

    static let shiftWaits = """
        UPDATE delivery SET next_attempt = next_attempt + ?1, since = since + ?1 WHERE settled IS NULL AND attempt > 0
        """

    /// What was never tried waits for its slot at most; it may have been written after the clock was set.
    static let endFirstWaits = """
        UPDATE delivery SET next_attempt = ?1 WHERE settled IS NULL AND attempt = 0 AND next_attempt > ?1
        """

    static let endWaitsFromTheFuture = """
        UPDATE delivery SET next_attempt = ?1
        WHERE settled IS NULL AND next_attempt > ?1 AND coalesce(started, created) > ?1
        """
}
