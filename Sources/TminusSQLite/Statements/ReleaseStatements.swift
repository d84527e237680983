/// The statements over `delivery` that release claims.
struct ReleaseStatements {
    /// Records that the attempts were interrupted; the first parameter is the end of the attempts, those of the condition follow.
    let record: String
    /// The released deliveries that were withdrawn.
    let withdrawn: String
    /// Makes the deliveries pending.
    let release: String

    /// The claims of all owners but one.
    static let ofOthers = ReleaseStatements(condition)
    /// Those of them that end no later than an instant.
    static let expired = ReleaseStatements(condition + " AND claim_until <= ?")

    // Read from the index of open deliveries: every claimed one has the end of its claim there.
    private static let condition = "settled IS NULL AND claim_until IS NOT NULL AND claim_owner <> ?"

    private init(_ condition: String) {
        record = """
            INSERT OR REPLACE INTO attempt (delivery, number, started, ended, outcome, reason)
            SELECT number, attempt, coalesce(started, created), ?, 'interrupted', 'the process that made it ended'
            FROM delivery WHERE \(condition)
            """
        withdrawn = """
            SELECT number, definition, sink, withdrawn FROM delivery WHERE \(condition) AND withdrawn IS NOT NULL
            """
        release = """
            UPDATE delivery
            SET state = 'pending', reason = 'the process that made the last attempt ended',
                claim_token = NULL, claim_owner = NULL, claim_until = NULL, withdrawn = NULL
            WHERE \(condition)
            """
    }
}
