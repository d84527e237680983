/// Spreads catch-up deliveries over time, so that a start after a long downtime, or waking up from suspend, causes no
/// burst.
///
/// Each missed firing gets the next free slot, in the order of the due instants. Firings that are on time do not wait.
struct CatchUpSpread: Sendable {
    private var next = Timestamp.distantPast

    /// Assigns a slot to each missed firing.
    mutating func apply(to firings: inout [Firing], now: Timestamp) {
        let missed = firings.indices.filter { firings[$0].payload.isCatchUp }
        guard !missed.isEmpty else { return }
        // If the clock was set back, slots assigned before may lie far in the future; start again from now.
        if next > now.advanced(by: CatchUp.spacing * CatchUp.limit * 100) { next = now }
        for index in missed.sorted(by: { firings[$0].due < firings[$1].due }) {
            next = max(next, now)
            firings[index].notBefore = next
            next = next.advanced(by: CatchUp.spacing)
        }
    }
}
