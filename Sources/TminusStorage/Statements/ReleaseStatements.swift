internal import TminusCore

/// The statements over `delivery` that release claims of all owners except `?1`, at the instant `?2`.
package struct ReleaseStatements: Sendable {
    /// Records that the attempts were interrupted.
    let record: String
    /// The released deliveries that were withdrawn.
    let withdrawn: String
    /// Makes the deliveries pending.
    let release: String
    /// The claims that were interrupted at least `?2` times before and are not withdrawn; nil if nothing was interrupted.
    let interruptedOften: String?

    /// For all claims of other owners.
    static let ofOthers = ReleaseStatements(condition, counting: 1)
    /// For expired claims of other owners.
    static let expired = ReleaseStatements(condition + " AND claim_until <= ?2", counting: 0)

    /// For the claims of all other owners that the statement `living` does not return, or for those among them that have expired.
    package static func ofAllBut(_ living: String, onlyExpired: Bool) -> ReleaseStatements {
        let others = "state = 'claimed' AND \(condition) AND claim_owner NOT IN (\(living))"
        return ReleaseStatements(
            onlyExpired ? others + " AND claim_until <= ?2" : others, counting: onlyExpired ? 0 : 1)
    }

    // Uses the index of open deliveries, which contains the end of every claim.
    private static let condition = "settled IS NULL AND claim_until IS NOT NULL AND claim_owner <> ?1"

    static let setAside = """
        UPDATE delivery
        SET state = 'dead', reason = ?1, settled = ?2, next_attempt = NULL, interrupted = interrupted + 1,
            claim_token = NULL, claim_owner = NULL, claim_until = NULL
        WHERE number = ?3
        """

    private init(_ condition: String, counting counted: Int) {
        interruptedOften =
            counted == 0
            ? nil
            : """
            SELECT number, sink, definition FROM delivery
            WHERE \(condition) AND interrupted >= ?2 AND withdrawn IS NULL
            """
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
