/// Occurrences at equal intervals from a start: `every: 2 weeks`.
///
/// Months and days are counted on the calendar. Every occurrence is counted from the start, so the end of a month does
/// not drift (31 January, 28 February, 31 March). A span without months and days is elapsed time.
public final class EveryTrigger: Sendable, Hashable {
    /// The interval.
    public let span: CalendarSpan
    /// The zone in which days are counted.
    public let zone: Zone
    /// How skipped and repeated clock times are treated.
    public let daylightSaving: DaylightSaving
    /// The bounds; the start is the first occurrence.
    public let bounds: TriggerBounds
    private let start: Timestamp
    private let local: LocalDateTime
    private let limits: BoundInstants
    /// The index of the last occurrence, counted from 0.
    private let lastIndex: Int

    /// An interval from a start. Errors: no start, an interval of less than a second.
    public init(
        _ span: CalendarSpan, in zone: Zone, daylightSaving: DaylightSaving = .compatible, bounds: TriggerBounds
    ) throws(TriggerProblem) {
        guard let written = bounds.start else {
            throw TriggerProblem("start", "'every' needs a start; write 'start: 2026-12-01 09:00'")
        }
        guard span.months > 0 || span.days > 0 || span.nanoseconds >= 1_000_000_000 else {
            throw TriggerProblem("every", "'every' is at least a second")
        }
        lastIndex = try bounds.checkedCount().map { $0 - 1 } ?? .max
        self.span = span
        self.zone = zone
        self.daylightSaving = daylightSaving
        self.bounds = bounds
        start = written.earliest(in: zone)
        local = written.local(in: zone)
        limits = BoundInstants(bounds, in: zone)
    }

    /// The first occurrence strictly after `instant`; nil if there is none.
    public func next(after instant: Timestamp) -> Timestamp? {
        limits.next(after: instant) { isExact ? nextExact(after: $0) : nextOnCalendar(after: $0) }
    }

    private var isExact: Bool { span.months == 0 && span.days == 0 }

    private func nextExact(after instant: Timestamp) -> Timestamp? {
        guard instant >= start else { return start }
        let (elapsed, overflow) = instant.nanoseconds.subtractingReportingOverflow(start.nanoseconds)
        // The difference may exceed Int64 (292 years), from an early start to a late instant.
        let distance = overflow ? UInt64(bitPattern: elapsed) : UInt64(elapsed)
        let index = distance / UInt64(span.nanoseconds) + 1
        guard index <= UInt64(lastIndex) else { return nil }
        let (length, isTooLong) = index.multipliedReportingOverflow(by: UInt64(span.nanoseconds))
        let sum = start.nanoseconds &+ Int64(bitPattern: length)
        return isTooLong || sum < start.nanoseconds ? nil : Timestamp(nanoseconds: sum)
    }

    private func nextOnCalendar(after instant: Timestamp) -> Timestamp? {
        var index = earlyIndex(max(instant, start))
        while index <= lastIndex {
            let date = local.adding(months: index * span.months, days: index * span.days)
            guard date.year <= LocalDateTime.computedYears.upperBound else { return nil }
            let found = instants(of: date, index)
            if let first = found.first, first > instant { return first }
            if let second = found.second, second > instant { return second }
            index += 1
        }
        return nil
    }

    /// The index of an occurrence that is not after the next one, and at most a few before it.
    private func earlyIndex(_ instant: Timestamp) -> Int {
        let now = zone.local(instant)
        if span.nanoseconds == 0, span.months == 0 {
            return max(0, (now.dayNumber - local.dayNumber) / span.days - 1)
        }
        if span.nanoseconds == 0, span.days == 0 {
            return max(0, ((now.year - local.year) * 12 + now.month - local.month) / span.months - 1)
        }
        // An estimate by the mean length of a month, which is off by some days at most.
        let mean = span.months * 2_629_746 + span.days * 86_400 + Int(span.nanoseconds / 1_000_000_000)
        return max(0, (instant.parts.seconds - start.parts.seconds) / mean - 3)
    }

    private func instants(of date: LocalDateTime, _ index: Int) -> (first: Timestamp?, second: Timestamp?) {
        let exact = Duration.nanoseconds(span.nanoseconds) * index
        func moved(_ instant: Timestamp) -> Timestamp? {
            let result = span.nanoseconds == 0 ? instant : instant.advanced(by: exact)
            return result == .distantFuture ? nil : result
        }
        if index == 0 { return (start, nil) }
        switch zone.resolve(date) {
        case .unique(let instant): return (moved(instant), nil)
        case .gap(_, let after): return (daylightSaving == .skip ? nil : moved(after), nil)
        case .overlap(let first, let second):
            return (moved(first), daylightSaving == .both ? moved(second) : nil)
        }
    }

    /// The occurrences from one occurrence through an instant, except for the last `kept`: the last of them and their
    /// number. Nil if there are none, for an interval on the calendar, and with exceptions.
    func run(from occurrence: Timestamp, through end: Timestamp, leaving kept: Int) -> (last: Timestamp, count: Int)? {
        guard isExact, bounds.except.isEmpty, occurrence >= start else { return nil }
        let end = min(end, limits.last)
        guard occurrence <= end else { return nil }
        let length = Duration.nanoseconds(span.nanoseconds)
        var more = Int(occurrence.duration(to: end).nanoseconds / span.nanoseconds)
        if lastIndex < .max {
            let index = Int(start.duration(to: occurrence).nanoseconds / span.nanoseconds)
            more = min(more, lastIndex - index)
        }
        more -= kept
        return more < 0 ? nil : (occurrence.advanced(by: length * more), more + 1)
    }

    /// The occurrence with that number after an instant, if it is not later than `end`; exceptions are counted.
    func occurrence(_ number: Int, after instant: Timestamp, upTo end: Timestamp) -> Timestamp? {
        guard var found = next(after: instant) else { return nil }
        if isExact {
            let length = Int128(span.nanoseconds) * Int128(number - 1)
            guard let nanoseconds = Int64(exactly: Int128(found.nanoseconds) + length) else { return nil }
            found = Timestamp(nanoseconds: nanoseconds)
            guard found <= min(end, limits.last) else { return nil }
            let index = start.duration(to: found).nanoseconds / span.nanoseconds
            return index <= Int64(clamping: lastIndex) ? found : nil
        }
        // An interval on the calendar is at least a day; a repeated clock time doubles an occurrence at most.
        guard Int64(number) <= 2 * (instant.duration(to: end).nanoseconds / 86_400_000_000_000 + 2) else { return nil }
        for _ in 1..<number {
            guard found <= end, let next = next(after: found) else { return nil }
            found = next
        }
        return found
    }

    /// How a skipped clock time is treated; nil if the interval has an exact part.
    var gap: ClockWalk.Gap? { span.nanoseconds != 0 ? nil : daylightSaving == .skip ? .drop : .shift }

    /// The first clock time of a calendar interval in a span of the uniform clock.
    func clockTime(in clock: Range<Int>) -> Int? {
        // The offset of a zone is never more than a day and some hours.
        var index = earlyIndex(Timestamp(seconds: Int64(clock.lowerBound - 2 * 86_400)))
        while index <= lastIndex {
            let date = local.adding(months: index * span.months, days: index * span.days)
            let seconds = date.epochSeconds
            guard seconds < clock.upperBound, date.year <= LocalDateTime.computedYears.upperBound else { return nil }
            if seconds >= clock.lowerBound { return seconds }
            index += 1
        }
        return nil
    }

    /// A text that is equal for equal rules.
    var canonicalText: String {
        "every \(span.iso8601) in \(zone.name) \(daylightSaving.rawValue) \(bounds.canonicalText)"
    }

    public static func == (left: EveryTrigger, right: EveryTrigger) -> Bool {
        left === right
            || left.span == right.span && left.daylightSaving == right.daylightSaving && left.bounds == right.bounds
                && left.zone == right.zone
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(span)
        hasher.combine(bounds)
        hasher.combine(zone)
    }
}
