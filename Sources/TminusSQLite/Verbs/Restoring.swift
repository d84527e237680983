import TminusCore
import TminusStorage

extension Transaction {
    /// Keeps from being sent what was due up to `now`: the open deliveries are discarded, and each schedule records what
    /// came due since as ``Omission/Reason/restored`` when it goes on. Returns the number of discarded deliveries.
    func markRestored(now: Timestamp) throws -> Int {
        let schedules = try snapshot().schedules.map { state in
            var state = state
            state.overrides.restored = now
            return state
        }
        try write(schedules)
        return try run(RestoringStatements.discardOpen, now)
    }
}

/// The statements of a restore.
private enum RestoringStatements {
    /// All open deliveries. None is left in a queue, so nothing has to be promoted.
    static let discardOpen = """
        UPDATE delivery
        SET state = 'discarded', reason = 'discarded: the store was restored from a copy, so it may have been sent already',
            settled = ?, next_attempt = NULL, started = NULL,
            claim_token = NULL, claim_owner = NULL, claim_until = NULL, withdrawn = NULL
        WHERE settled IS NULL
        """
}
