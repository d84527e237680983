/// When to claim next, as far as it is known.
struct DueClaim: Sendable {
    /// Whether the store may have deliveries for which there is room.
    var isWanted = true
    /// When something that waits in the store is due.
    var nextAttempt: Timestamp?
    /// When a rate limit lets the next attempt through, in steady time, as of the last claim.
    var nextRefill: Timestamp?

    /// Whether a claim is due.
    func isDue(at reading: ClockReading) -> Bool {
        isWanted || nextAttempt.map { $0 <= reading.now } ?? false || nextRefill.map { $0 <= reading.steady } ?? false
    }
}
