/// The effects of offset changes on the occurrences of a trigger.
extension Trigger {
    /// The effect of daylight saving on one occurrence; nil if there is none.
    package func clockChange(at occurrence: Timestamp, in zone: Zone) -> ClockChange? {
        moved(occurrence, in: zone) ?? repeated(occurrence, in: zone)
    }

    /// The first dropped clock time of the rule in each gap between two instants; at most 100.
    ///
    /// Rules that count elapsed time have none, nor does a `cron` for every hour: they do not depend on the clock
    /// shown. Of the times of `at`, all that the clock skips are named.
    package func leftOut(after start: Timestamp, upTo end: Timestamp, in zone: Zone) -> [ClockChange] {
        if case .at(_, let changes) = self {
            let dropped = changes.filter { change in
                let instant = zone.instant(of: change.clock)
                return change.effect == .leftOut && start < instant && instant <= end
            }
            return Array(dropped.prefix(100))
        }
        guard gap == .drop else { return [] }
        let bounds = bounds
        var found: [ClockChange] = []
        var last = max(start, bounds.start?.earliest(in: zone) ?? start)
        while found.count < 100, let change = zone.nextChange(after: last), change.instant <= end.parts.seconds {
            last = Timestamp(seconds: Int64(change.instant))
            guard !change.skipped.isEmpty, let clock = clockTime(in: change.skipped) else { continue }
            let local = LocalDateTime(epochSeconds: clock, nanosecond: 0)
            let isExcepted = bounds.except.contains {
                if case .day(let day) = $0 { day.dayNumber == local.dayNumber } else { false }
            }
            if !isExcepted {
                found.append(ClockChange(effect: .leftOut, clock: local, span: change.clocks))
            }
        }
        return found
    }

    private func moved(_ occurrence: Timestamp, in zone: Zone) -> ClockChange? {
        if case .at(_, let changes) = self {
            return changes.first { $0.effect == .moved && zone.instant(of: $0.clock) == occurrence }
        }
        let bounds = bounds
        if let start = bounds.start, gap == .shift, start.earliest(in: zone) == occurrence,
            let change = start.clockChange(in: zone, .compatible), change.effect == .moved
        {
            return change
        }
        let seconds = occurrence.parts.seconds
        guard let change = zone.lastChange(at: occurrence) else { return nil }
        let clock: Int?
        switch gap {
        case .end: clock = seconds == change.instant ? clockTime(in: change.skipped) : nil
        case .shift:
            let written = seconds + change.before
            clock = change.skipped.contains(written) ? clockTime(in: written..<written + 1) : nil
        case .drop, nil: clock = nil
        }
        return clock.map {
            ClockChange(
                effect: .moved,
                clock: LocalDateTime(epochSeconds: $0, nanosecond: gap == .shift ? occurrence.parts.nanosecond : 0),
                span: change.clocks, shown: zone.local(occurrence))
        }
    }

    private func repeated(_ occurrence: Timestamp, in zone: Zone) -> ClockChange? {
        let (seconds, local) = (occurrence.parts.seconds, zone.local(occurrence))
        if let change = zone.nextChange(after: occurrence), change.after < change.before,
            seconds >= change.instant - (change.before - change.after)
        {
            return ClockChange(effect: .first, clock: local, span: change.clocks)
        }
        if let change = zone.lastChange(at: occurrence), change.after < change.before,
            seconds < change.instant + (change.before - change.after)
        {
            return ClockChange(effect: .second, clock: local, span: change.clocks)
        }
        return nil
    }

    private var bounds: TriggerBounds {
        switch self {
        case .at: TriggerBounds()
        case .every(let trigger): trigger.bounds
        case .cron(let trigger): trigger.bounds
        case .recurrence(let trigger): trigger.bounds
        }
    }

    /// How a skipped clock time is treated; nil if the rule counts elapsed time.
    private var gap: ClockWalk.Gap? {
        switch self {
        case .at: nil
        case .every(let trigger): trigger.gap
        case .cron(let trigger): trigger.gap
        case .recurrence(let trigger): trigger.gap
        }
    }

    /// The first clock time of the rule in a span of the uniform clock.
    private func clockTime(in span: Range<Int>) -> Int? {
        switch self {
        case .at: nil
        case .every(let trigger): trigger.clockTime(in: span)
        case .cron(let trigger): trigger.clockTime(in: span)
        case .recurrence(let trigger): trigger.clockTime(in: span)
        }
    }
}
