extension Trigger {
    /// The last occurrence at or before `instant`; nil if there is none.
    ///
    /// A trigger only searches forward. `next(after: t)` is at or before `instant` exactly for those `t` that are
    /// before the wanted occurrence. Usually it lies a few periods back; otherwise a binary search finds it.
    package func last(atOrBefore instant: Timestamp) -> Timestamp? {
        func found(after start: Timestamp) -> Timestamp? { next(after: start).flatMap { $0 <= instant ? $0 : nil } }
        if let coming = next(after: instant), let following = next(after: coming) {
            let period = coming.duration(to: following)
            for periods in [1, 4, 16] {
                guard var latest = found(after: coming.advanced(by: .zero - period * periods - .nanoseconds(1))) else {
                    continue
                }
                for _ in 0..<(4 * periods) {
                    guard let later = found(after: latest) else { return latest }
                    latest = later
                }
            }
        }
        guard var latest = found(after: .distantPast) else { return nil }
        var end = instant.nanoseconds
        while latest.nanoseconds < end {
            let middle = Int64((Int128(latest.nanoseconds) + Int128(end)) >> 1)
            if let later = found(after: Timestamp(nanoseconds: middle)) { latest = later } else { end = middle }
        }
        return latest
    }
}
