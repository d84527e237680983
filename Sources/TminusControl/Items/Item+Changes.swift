package import TminusCore

extension Item {
    /// Whether the remaining or elapsed time changes with the clock.
    var isCounting: Bool {
        switch state {
        case .upcoming, .running, .expired: true
        case .disabled: due != nil
        case .idle, .paused, .acting: false
        }
    }

    /// The remaining time in words, or a stopwatch's elapsed time.
    package var words: String? {
        (kind == .stopwatch ? elapsed : remaining).map { RemainingText.words($0.nanoseconds) }
    }

    /// The instant at which ``words`` change if nothing else happens, nil if they do not.
    package var wordsChange: Timestamp? {
        guard isCounting else { return nil }
        if kind == .stopwatch {
            return elapsed.map { asOf.advanced(by: RemainingText.steadyTime(growing: max(0, $0.nanoseconds))) }
        }
        return remaining.map { asOf.advanced(by: RemainingText.steadyTime(runningDown: $0.nanoseconds)) }
    }

    /// Whether a viewer that shows `other` and keeps counting needs an update: the words differ, or anything except the
    /// passing of time.
    package func differs(from other: Item) -> Bool {
        guard words == other.words else { return true }
        var passed = other
        (passed.asOf, passed.remaining, passed.elapsed) = (asOf, remaining, elapsed)
        if clockBehind != nil, other.clockBehind != nil { passed.clockBehind = clockBehind }
        return self != passed || !isCounting && (remaining != other.remaining || elapsed != other.elapsed)
    }
}
