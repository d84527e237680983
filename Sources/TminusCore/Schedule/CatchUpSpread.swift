/// Spreads what was missed over time, so that a start after a long downtime, or waking up from suspend, is no storm.
///
/// In the order of the due instants each gets the next free slot; what is on time does not wait.
struct CatchUpSpread: Sendable {
    private var next = Timestamp.distantPast

    /// Gives each missed firing its slot.
    mutating func apply(to firings: inout [Firing], now: Timestamp) {
        let missed = firings.indices.filter { firings[$0].payload.isCatchUp }
        guard !missed.isEmpty else { return }
        // A clock that was set back leaves no slots far ahead.
        if next > now.advanced(by: CatchUp.spacing * CatchUp.limit * 100) { next = now }
        for index in missed.sorted(by: { firings[$0].due < firings[$1].due }) {
            next = max(next, now)
            firings[index].notBefore = next
            next = next.advanced(by: CatchUp.spacing)
        }
    }
}
