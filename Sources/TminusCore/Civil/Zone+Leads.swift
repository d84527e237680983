extension Zone {
    /// A lower bound for occurrences: none at or before it has its reminder after `cursor`.
    ///
    /// The search for the next reminder starts here. This is the inverse of ``instant(_:_:of:)`` and as late as
    /// possible, so that the search tries few occurrences. Within some days of an offset change it is earlier by twice
    /// that change.
    package func searchStart(for lead: CalendarSpan, _ side: Reminder.Side, after cursor: Timestamp) -> Timestamp {
        let sign = side == .before ? 1 : -1
        let due = cursor.advanced(by: .nanoseconds(lead.nanoseconds) * sign)
        guard lead.months != 0 || lead.days != 0 else { return due }
        let months = sign * lead.months.clamped(to: -1_000_000...1_000_000)
        let days = sign * lead.days.clamped(to: -1_000_000_000...1_000_000_000)
        // Reverse order of ``instant(_:_:of:)``, which counts months before days.
        let day = local(due).adding(months: 0, days: days)
        var start = day.adding(months: months, days: 0)
        var isWhole = false
        if start.day < day.day {
            // The month has no such day, so the whole day is too early.
            start = LocalDateTime(epochSeconds: (start.dayNumber + 1) * 86_400, nanosecond: 0)
            isWhole = true
        }
        let found = instant(of: start)
        let spread = max(offsetSpread(around: due), offsetSpread(around: found))
        let slack = Duration.seconds(2 * spread) + .nanoseconds(isWhole ? 1 : 0)
        return found.advanced(by: .zero - slack)
    }

    /// How long after an occurrence a lead time keeps its length: until the local day ends, or until an offset change
    /// matters at the occurrence or at the other end of the lead. At least one nanosecond.
    package func steadySpan(of lead: CalendarSpan, _ side: Reminder.Side, from occurrence: Timestamp) -> Duration {
        let local = local(occurrence)
        var nanoseconds = local.nanosecondsLeftOfDay
        if let change = nextChange(after: occurrence) {
            let start = Timestamp(seconds: Int64(change.instant))
            nanoseconds = min(nanoseconds, occurrence.duration(to: start).nanoseconds)
        }
        let sign = side == .before ? -1 : 1
        let other = local.adding(
            months: sign * lead.months.clamped(to: -1_000_000...1_000_000),
            days: sign * lead.days.clamped(to: -1_000_000_000...1_000_000_000))
        // A change matters from where the clock shows one of its two edges.
        let clock = Int64(other.epochSeconds)
        var index = table.index(at: clock - Int64(table.largest))
        while index < table.changes.count, table.changes[index] <= clock + 86_400 - Int64(table.smallest) {
            for offset in [table.offsets[index], table.offsets[index + 1]] {
                let distance = table.changes[index] + Int64(offset) - clock
                guard distance > 0, distance <= 86_400 else { continue }
                nanoseconds = min(nanoseconds, distance * 1_000_000_000 - Int64(other.nanosecond))
            }
            index += 1
        }
        return .nanoseconds(max(1, nanoseconds))
    }

    /// The range of offsets, in seconds, within two days of an instant.
    private func offsetSpread(around instant: Timestamp) -> Int {
        let seconds = Int64(instant.parts.seconds)
        let first = table.index(at: seconds - 172_800)
        let last = table.index(at: seconds + 172_800)
        let offsets = table.offsets[first...last]
        return Int((offsets.max() ?? 0) - (offsets.min() ?? 0))
    }
}
