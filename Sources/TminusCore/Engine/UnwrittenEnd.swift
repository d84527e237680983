/// The end of a claimed delivery that no commit has written.
struct UnwrittenEnd: Sendable {
    /// What to write.
    var settlement: Settlement
    /// How far the clock had been set when the instant of a retry was chosen.
    var setBy: Duration

    /// What to write now: the instant of a retry moves along with the clock.
    func settlement(at reading: ClockReading) -> Settlement {
        guard setBy != reading.setBy, case .retry(let next, let reason) = settlement.outcome else { return settlement }
        var moved = settlement
        moved.outcome = .retry(at: next.advanced(by: reading.setBy - setBy), reason: reason)
        return moved
    }
}
