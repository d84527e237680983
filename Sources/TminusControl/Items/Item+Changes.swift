package import TminusCore

extension Item {
    /// Whether its times change as time passes.
    var isCounting: Bool {
        switch state {
        case .upcoming, .running, .expired: true
        case .disabled: due != nil
        case .idle, .paused, .acting: false
        }
    }

    /// The words that tell how it stands: what is left, or of a stopwatch what has passed.
    package var words: String? {
        (kind == .stopwatch ? elapsed : remaining).map { RemainingText.words($0.nanoseconds) }
    }

    /// When ``words`` are others, if nothing else happens; nil if they stay.
    package var wordsChange: Timestamp? {
        guard isCounting else { return nil }
        if kind == .stopwatch {
            return elapsed.map { asOf.advanced(by: RemainingText.steadyTime(growing: max(0, $0.nanoseconds))) }
        }
        return remaining.map { asOf.advanced(by: RemainingText.steadyTime(runningDown: $0.nanoseconds)) }
    }

    /// Whether a viewer who has `other` and counts on by itself has to be told: anything but the passing time is another, or the
    /// words are.
    package func differs(from other: Item) -> Bool {
        guard words == other.words else { return true }
        var passed = other
        (passed.asOf, passed.remaining, passed.elapsed) = (asOf, remaining, elapsed)
        return self != passed || !isCounting && (remaining != other.remaining || elapsed != other.elapsed)
    }
}
