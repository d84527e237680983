/// When to claim next, as far as it is known.
struct DueClaim: Sendable {
    /// Whether the store may have deliveries for which there is room.
    var isWanted = true
    /// When something that waits in the store is due.
    var nextAttempt: Timestamp?
    /// When a rate limit lets the next attempt through, in steady time, as of the last claim.
    var nextRefill: Timestamp?
    /// Nothing is claimed before this, in steady time.
    var notBefore: Timestamp?

    /// Whether anything may be claimed.
    func isAllowed(at reading: ClockReading) -> Bool { notBefore.map { $0 <= reading.steady } ?? true }

    /// Whether a claim is due.
    func isDue(at reading: ClockReading) -> Bool {
        guard isAllowed(at: reading) else { return false }
        return isWanted || nextAttempt.map { $0 <= reading.now } ?? false
            || nextRefill.map { $0 <= reading.steady } ?? false
    }

    /// When a claim that nobody asks for becomes due, in wall time.
    func wakeAt(_ reading: ClockReading) -> Timestamp? {
        hold(reading) ?? [nextAttempt, nextRefill?.advanced(by: reading.setBy)].compactMap(\.self).min()
    }

    /// Until when nothing may be claimed, in wall time; nil if something may.
    func hold(_ reading: ClockReading) -> Timestamp? {
        isAllowed(at: reading) ? nil : notBefore?.advanced(by: reading.setBy)
    }
}
