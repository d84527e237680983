internal import TminusCore

/// The statements over `delivery` that release claims of all owners except `?1`, at the instant `?2`.
struct ReleaseStatements {
    /// Records that the attempts were interrupted.
    let record: String
    /// The released deliveries that were withdrawn.
    let withdrawn: String
    /// Makes the deliveries pending.
    let release: String

    /// For all claims of other owners.
    static let ofOthers = ReleaseStatements(condition, counting: 1)
    /// For expired claims of other owners.
    static let expired = ReleaseStatements(condition + " AND claim_until <= ?2")

    // Uses the index of open deliveries, which contains the end of every claim.
    private static let condition = "settled IS NULL AND claim_until IS NOT NULL AND claim_owner <> ?1"

    /// The claims of other owners that were interrupted too often before and are not withdrawn.
    static let interruptedOften =
        "SELECT number, sink, definition FROM delivery WHERE \(condition) AND interrupted >= ?2 AND withdrawn IS NULL"

    static let setAside = """
        UPDATE delivery
        SET state = 'dead', reason = ?1, settled = ?2, next_attempt = NULL, interrupted = interrupted + 1,
            claim_token = NULL, claim_owner = NULL, claim_until = NULL
        WHERE number = ?3
        """

    private init(_ condition: String, counting counted: Int = 0) {
        record = """
            INSERT INTO attempt (delivery, number, started, ended, outcome, reason)
            SELECT number, attempt, coalesce(started, created), ?2, 'interrupted', '\(FixedReason.attemptInterrupted.rawValue)'
            FROM delivery WHERE \(condition)
            \(AttemptStatements.replacing)
            """
        withdrawn = """
            SELECT number, definition, sink, withdrawn FROM delivery WHERE \(condition) AND withdrawn IS NOT NULL
            """
        release = """
            UPDATE delivery
            SET state = 'pending', reason = '\(FixedReason.processEnded.rawValue)',
                interrupted = interrupted + \(counted),
                claim_token = NULL, claim_owner = NULL, claim_until = NULL, withdrawn = NULL
            WHERE \(condition)
            """
    }
}
