package import TminusControl
package import TminusCore

extension Item {
    /// Returns the item projected to another instant, assuming no control until then. Viewers use it to count between
    /// updates.
    package func at(_ now: Timestamp) -> Item {
        let passed = asOf.duration(to: now)
        var item = self
        item.asOf = now
        switch state {
        case .running:
            item.remaining = remaining.map { $0 - passed }
            item.elapsed = elapsed.map { $0 + passed }
            if let behind = clockBehind {
                // Nothing elapses until the clock is where the counting began.
                item.elapsed = max(.zero, passed - behind)
                item.clockBehind = behind > passed ? behind - passed : nil
            }
        case .upcoming, .expired:
            item.remaining = remaining.map { $0 - passed }
            item.clockBehind = clockBehind.flatMap { $0 > passed ? $0 - passed : nil }
        case .idle, .paused, .acting, .disabled: break
        }
        return item
    }

    /// Whether the shown time changes from second to second.
    package var isCounting: Bool {
        switch state {
        case .running: true
        case .upcoming: remaining.map { $0 > .zero } ?? false
        case .idle, .paused, .acting, .expired, .disabled: false
        }
    }

    /// The time on the item's clock: the remaining time, or a stopwatch's elapsed time.
    package var shownTime: Duration? { kind == .stopwatch ? elapsed : remaining.map { max(.zero, $0) } }

    /// That time in parts; an idle timer shows its whole duration.
    package var shownParts: ClockText.Parts? {
        if kind == .stopwatch { return elapsed.map(ClockText.passed) }
        if state == .idle { return (remaining ?? total).map(ClockText.left) }
        return shownTime.map(ClockText.left)
    }

    /// The remaining time in words that change rarely, or a stopwatch's elapsed time in digits; empty if there is
    /// neither.
    package var remainingWords: String {
        if state == .idle { return (remaining ?? total).map(Self.words) ?? "" }
        if kind == .stopwatch { return elapsed.map { ClockText.digits(ClockText.passed($0)) } ?? "" }
        return remaining.map(Self.words) ?? ""
    }

    /// What is said of a clock before the start of what it counts.
    package static let clockSetBack = "clock set back"

    private static func words(_ time: Duration) -> String { RemainingText.words(time.nanoseconds) }

    /// The state, a clock that was set back, the overrides in force and whether it fails: `upcoming, muted, failing`.
    package var stateWords: String {
        guard !overrides.isEmpty || clockBehind != nil || isFailing else { return state.rawValue }
        var words = [state.rawValue]
        if clockBehind != nil { words.append(Self.clockSetBack) }
        if let mute = overrides.mute, mute.until > asOf { words.append("muted") }
        if overrides.skip != nil { words.append("skipped") }
        if overrides.snooze != nil { words.append("snoozed") }
        if isFailing, let undelivered { words.append(undelivered.dead > 0 ? "failing" : "retrying") }
        return words.joined(separator: ", ")
    }
}
