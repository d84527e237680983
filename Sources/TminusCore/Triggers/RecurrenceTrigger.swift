/// A recurrence rule in a zone, with a start and bounds.
///
/// The start is always the first occurrence and counts as one (RFC 5545 section 3.3.10). Rules with periods of a day or
/// more keep the local time. Rules with shorter periods count elapsed time, so an offset change neither drops nor
/// doubles an occurrence.
public final class RecurrenceTrigger: Sendable, Hashable {
    /// The rule.
    public let rule: RecurrenceRule
    /// The zone in which it is read.
    public let zone: Zone
    /// How skipped and repeated clock times are treated.
    public let daylightSaving: DaylightSaving
    /// The bounds; the start is that of the rule.
    public let bounds: TriggerBounds
    private let times: RecurrenceTimes
    private let walk: ClockWalk
    private let limits: BoundInstants
    /// The first occurrence; nil if the clock skips it and skipped times are dropped.
    private let start: Timestamp?
    /// The fraction of a second of every occurrence, in nanoseconds.
    private let nanosecond: Int

    /// A rule from a start. Errors: no start, an UNTIL whose form does not match the start (section 3.3.10).
    public init(
        _ rule: RecurrenceRule, in zone: Zone, daylightSaving: DaylightSaving = .compatible, bounds: TriggerBounds
    ) throws(TriggerProblem) {
        guard let written = bounds.start else {
            throw TriggerProblem("start", "a rule needs a start; write 'start: 2026-12-01 09:00'")
        }
        self.rule = rule
        self.zone = zone
        self.daylightSaving = daylightSaving
        self.bounds = bounds
        let isElapsed = rule.frequency.length != nil
        let instant = written.earliest(in: zone)
        let local = isElapsed ? zone.local(instant) : written.local(in: zone)
        nanosecond = local.nanosecond
        times = RecurrenceTimes(rule, start: local)
        walk = ClockWalk(
            zone: zone, gap: isElapsed || daylightSaving == .skip ? .drop : .shift,
            isTwice: isElapsed || daylightSaving == .both,
            anchorOffset: isElapsed ? zone.offset(at: instant) : nil)
        var start: Timestamp? = instant
        if daylightSaving == .skip, !isElapsed, case .local(let local) = written, case .gap = zone.resolve(local) {
            start = nil
        }
        self.start = start
        var limits = BoundInstants(bounds, in: zone)
        limits.first = instant
        if let until = rule.until { limits.last = min(limits.last, try Self.last(until, of: written, in: zone)) }
        let second = Self.second(after: instant, nanosecond)
        let count = [rule.count, try bounds.checkedCount()].compactMap(\.self).min()
        let others = count.map { start == nil ? $0 : $0 - 1 }
        if others == 0 || start != nil && walk.first(of: times, from: second) == nil {
            // This also covers a rule that never occurs again: the limit makes later searches unnecessary.
            limits.last = min(limits.last, instant)
        } else if let others, let last = walk.nth(others, of: times, from: second) {
            limits.last = min(limits.last, Timestamp(seconds: Int64(last), nanosecond: Int64(nanosecond)))
        }
        self.limits = limits
    }

    /// The first occurrence strictly after `instant`; nil if there is none.
    public func next(after instant: Timestamp) -> Timestamp? {
        limits.next(after: instant) { instant in
            if let start, instant < start { return start }
            return walk.first(of: times, from: Self.second(after: instant, nanosecond))
                .map { Timestamp(seconds: Int64($0), nanosecond: Int64(nanosecond)) }
        }
    }

    /// The occurrence with that number after an instant, if it is not later than `end`; exceptions are counted, and a
    /// start that the rule does not yield is not.
    func occurrence(_ number: Int, after instant: Timestamp, upTo end: Timestamp) -> Timestamp? {
        let from = Self.second(after: max(instant, limits.first.previous), nanosecond)
        let last = min(end, limits.last)
        return walk.nth(number, of: times, from: from, upTo: last.parts.seconds)
            .map { Timestamp(seconds: Int64($0), nanosecond: Int64(nanosecond)) }.flatMap { $0 <= last ? $0 : nil }
    }

    /// Whether the rule by itself yields its start, as RFC 5545 section 3.8.5.3 requires.
    public var startIsInRule: Bool {
        var budget = ClockWalk.budget
        return times.first(from: times.anchor, before: times.anchor + 1, shift: 0, budget: &budget) != nil
    }

    /// The first whole second that, with this fraction added, is after `instant`.
    @inline(__always)
    private static func second(after instant: Timestamp, _ nanosecond: Int) -> Int {
        let (seconds, rest) = instant.parts
        return rest < nanosecond ? seconds : seconds + 1
    }

    private static func last(
        _ until: RecurrenceRule.Until, of start: DateOrTime, in zone: Zone
    ) throws(TriggerProblem) -> Timestamp {
        switch until {
        case .instant(let instant): return instant
        case .local(let local):
            if case .instant = start {
                throw TriggerProblem("rrule", "UNTIL must be in UTC, with a 'Z', because the start has an offset")
            }
            return DateOrTime.local(local).latest(in: zone)
        case .day(let day):
            guard case .day = start else {
                throw TriggerProblem(
                    "rrule", "UNTIL is a date, but the start has a time; write one such as 'UNTIL=20261231T235959Z'")
            }
            return DateOrTime.day(day).latest(in: zone)
        }
    }

    /// How a skipped clock time is treated; nil for a rule that counts elapsed time.
    var gap: ClockWalk.Gap? { walk.anchorOffset == nil ? walk.gap : nil }

    /// The first clock time of the rule in a span of the uniform clock.
    func clockTime(in span: Range<Int>) -> Int? {
        var budget = ClockWalk.budget
        return times.first(from: span.lowerBound, before: span.upperBound, shift: 0, budget: &budget)
    }

    /// A text that is equal for equal rules.
    var canonicalText: String {
        "rrule \(rule) in \(zone.name) \(daylightSaving.rawValue) \(bounds.canonicalText)"
    }

    public static func == (left: RecurrenceTrigger, right: RecurrenceTrigger) -> Bool {
        left === right
            || left.rule == right.rule && left.daylightSaving == right.daylightSaving && left.bounds == right.bounds
                && left.zone == right.zone
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(rule)
        hasher.combine(bounds)
        hasher.combine(zone)
    }
}
