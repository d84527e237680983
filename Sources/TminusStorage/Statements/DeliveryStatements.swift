internal import TminusCore

/// The statements that write, claim and end rows of `delivery`.
enum DeliveryStatements {
    /// The number is a parameter, because the token of the claim contains it. Two columns share a parameter with another:
    /// `tries` with `attempt`, and `since` with `created`.
    static let insert = GroupedText([1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 10, 10, 11, 12, 13, 14, 15, 16, 17, 18]) { values in
        """
        INSERT INTO delivery (
            number, id, firing, definition, occurrence, sink, state, overlap, attempt, tries, created, since, expires,
            next_attempt, started, claim_token, claim_owner, claim_until, reason, settled
        )
        VALUES \(values)
        ON CONFLICT (firing, sink) DO NOTHING
        """
    }

    static let isWritten = "SELECT 1 FROM delivery WHERE number = ?1 AND id = ?2"

    static let lastNumber = "SELECT max(number) FROM delivery"

    /// The first open delivery of a definition to a sink. One whose overlap is `allow`, such as a test, holds up no other.
    static let head = """
        SELECT occurrence, claim_until FROM delivery
        WHERE sink = ?1 AND definition = ?2 AND settled IS NULL AND overlap <> 'allow' ORDER BY number LIMIT 1
        """

    /// The waiting deliveries that a delivery of another occurrence replaces.
    static let replaceable = """
        SELECT number, firing FROM delivery
        WHERE sink = ?1 AND definition = ?2 AND settled IS NULL AND state IN ('queued', 'pending') AND occurrence <> ?3
            AND overlap <> 'allow'
        """

    /// Ends a waiting delivery. Its attempts are rows of `attempt`, so `started` is cleared.
    static let endWaiting = """
        UPDATE delivery SET state = ?1, reason = ?2, settled = ?3, next_attempt = NULL, started = NULL
        WHERE number = ?4 AND (state = 'queued' OR state = 'pending')
        """

    static let hasQueued = "SELECT number FROM delivery WHERE state = 'queued' LIMIT 1"

    static let promote = """
        UPDATE delivery SET state = 'pending'
        WHERE number = (
                SELECT number FROM delivery
                WHERE state = 'queued' AND sink = ?1 AND definition = ?2 ORDER BY number LIMIT 1
            )
            AND NOT EXISTS (
                SELECT 1 FROM delivery
                WHERE sink = ?1 AND definition = ?2 AND settled IS NULL AND state <> 'queued' AND overlap <> 'allow'
            )
        """

    static let firstAttempt = """
        SELECT next_attempt FROM delivery
        WHERE state = 'pending' AND sink = ?1 AND next_attempt > ?2
        ORDER BY next_attempt LIMIT 1
        """

    static let due = """
        SELECT next_attempt, number FROM delivery
        WHERE state = 'pending' AND sink = ?1 AND next_attempt <= ?2
        ORDER BY next_attempt, number LIMIT ?3
        """

    /// All data that claiming needs of a pending delivery.
    static let read = """
        SELECT d.id, d.sink, d.attempt, d.tries, d.since, d.expires, d.overlap,
            f.id, f.definition, f.occurrence, f.kind, f.due, f.payload, f.on_failure, d.interrupted
        FROM delivery d CROSS JOIN firing f ON f.id = d.firing
        WHERE d.number = ?1 AND d.state = 'pending'
        """

    /// The firing, the definition and the sink of a delivery.
    static let place = "SELECT firing, definition, sink FROM delivery WHERE number = ?1"

    static let claim = """
        UPDATE delivery
        SET state = 'claimed', attempt = attempt + 1, tries = tries + 1, started = ?1,
            claim_token = ?2, claim_owner = ?3, claim_until = ?4
        WHERE number = ?5 AND state = 'pending'
        """

    /// The data of a held claim; no row if it is not held.
    static let held = """
        SELECT definition, sink, attempt, started, withdrawn FROM delivery
        WHERE number = ?1 AND id = ?2 AND state = 'claimed' AND claim_token = ?3
        """

    /// Ends a held claim and its delivery. `?5` is 1 if no attempt was made.
    static let settle = """
        UPDATE delivery
        SET state = ?1, reason = ?2, report = ?3, settled = ?4, next_attempt = NULL,
            attempt = attempt - ?5, tries = tries - ?5, started = CASE ?5 WHEN 1 THEN NULL ELSE started END,
            claim_token = NULL, claim_owner = NULL, claim_until = NULL, withdrawn = NULL
        WHERE number = ?6 AND id = ?7 AND state = 'claimed' AND claim_token = ?8
        """

    /// Ends a claim whose delivery is attempted again. `?3` is 1 if no attempt was made.
    static let postpone = """
        UPDATE delivery
        SET state = 'pending', reason = ?1, next_attempt = ?2, attempt = attempt - ?3, tries = tries - ?3,
            interrupted = interrupted * ?3,
            claim_token = NULL, claim_owner = NULL, claim_until = NULL, withdrawn = NULL
        WHERE number = ?4
        """

    /// A claimed delivery of a sink whose attempts were interrupted at least that many times.
    static let claimedOfInterrupted = """
        SELECT number FROM delivery
        WHERE settled IS NULL AND sink = ?1 AND claim_until IS NOT NULL AND interrupted >= ?2 LIMIT 1
        """

    static let heldByOwner = """
        SELECT claim_token, withdrawn, id, definition FROM delivery WHERE state = 'claimed' AND claim_owner = ?1
        """

    /// The claims of an owner that a queued delivery will replace.
    static let replaced = """
        SELECT h.claim_token FROM delivery h
        WHERE h.state = 'claimed' AND h.overlap = 'replace' AND h.claim_owner = ?1
            AND EXISTS (
                SELECT 1 FROM delivery q
                WHERE q.sink = h.sink AND q.definition = h.definition AND q.settled IS NULL
                    AND q.state = 'queued' AND q.overlap = 'replace' AND q.occurrence <> h.occurrence
            )
        """

    static let hasOpen = "SELECT 1 FROM delivery WHERE settled IS NULL LIMIT 1"

    private static let withdrawable = """
        SELECT d.number, d.firing, d.definition, d.sink, d.claim_owner, d.claim_token, d.occurrence, f.kind,
            f.action LIKE 'test:%'
        FROM delivery d CROSS JOIN firing f ON f.id = d.firing
        WHERE d.settled IS NULL
        """

    /// The data of all open deliveries that a withdrawal needs.
    static let allOpen = withdrawable
    static let openOfDefinition = withdrawable + " AND d.definition = ?1"

    /// Marks a claimed delivery as withdrawn. The first reason is kept.
    static let withdraw = "UPDATE delivery SET withdrawn = coalesce(withdrawn, ?1) WHERE number = ?2"

    /// Moves what retries count from, and the waits of deliveries that were tried, by a step of the clock.
    static let shiftWaits = """
        UPDATE delivery
        SET since = since + ?1, next_attempt = CASE WHEN attempt > 0 THEN next_attempt + ?1 ELSE next_attempt END
        WHERE settled IS NULL
        """

    /// Makes untried deliveries due that wait for a later instant. They wait only for a slot, and may have been written
    /// after the clock was set, so their wait cannot be shifted.
    static let endFirstWaits = """
        UPDATE delivery SET next_attempt = ?1 WHERE settled IS NULL AND attempt = 0 AND next_attempt > ?1
        """

    /// The reasons of what went back unattempted, which are words of the program and have no quotation marks.
    private static let givenBack = FixedReason.givenBack.map { "'\($0.rawValue)'" }.joined(separator: ", ")

    /// Makes due what waits for a later instant than a clock that was set back while no process ran will show for long.
    static let endWaitsFromTheFuture = """
        UPDATE delivery SET next_attempt = ?1
        WHERE settled IS NULL AND next_attempt > ?1
            AND (coalesce(started, created) > ?1 OR reason IN (\(givenBack)))
        """
}
