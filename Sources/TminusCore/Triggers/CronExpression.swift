/// A cron expression: five fields as in crontab(5) of Debian's cron, or six with seconds first.
///
/// Equal expressions have the same text (``description``) and the same occurrences.
public struct CronExpression: Sendable, Hashable, CustomStringConvertible {
    /// One field: the matching numbers, and whether it starts with a star, which cron(8) distinguishes.
    struct Field: Sendable, Hashable {
        /// The numbers that match; days of the week are 0 (Sunday) to 6.
        var set: UInt64
        /// Whether the first character was `*`.
        var isStar: Bool
    }

    /// 0 to 59; nil if there are five fields.
    let second: Field?
    /// 0 to 59.
    let minute: Field
    /// 0 to 23.
    let hour: Field
    /// 1 to 31.
    let dayOfMonth: Field
    /// 1 to 12.
    let month: Field
    /// 0 to 6.
    let dayOfWeek: Field

    /// Creates an expression that matches at least one date; ``parse(_:)`` checks that.
    init(second: Field?, minute: Field, hour: Field, dayOfMonth: Field, month: Field, dayOfWeek: Field) {
        self.second = second
        self.minute = minute
        self.hour = hour
        self.dayOfMonth = dayOfMonth
        self.month = month
        self.dayOfWeek = dayOfWeek
    }

    /// Whether neither the minute nor the hour starts with a star. cron(8) runs such a job late if the clock skips its
    /// time, and only once if the clock repeats it. Other jobs follow the clock as shown.
    public var hasFixedTimes: Bool { !minute.isStar && !hour.isStar }

    /// Whether a day must match both day fields. If neither field starts with a star, one match is enough (crontab(5)).
    var needsBothDays: Bool { dayOfMonth.isStar || dayOfWeek.isStar }

    /// The first occurrence strictly after an instant on the clock of a zone; nil beyond the range of a ``Timestamp``.
    public func next(
        after instant: Timestamp, in zone: Zone, daylightSaving: DaylightSaving = .compatible
    ) -> Timestamp? {
        let from = instant.parts.seconds + 1
        return walk(in: zone, daylightSaving).first(of: CronTimes(self), from: from).map {
            Timestamp(seconds: Int64($0))
        }
    }

    /// How this expression reads the clock of a zone.
    func walk(in zone: Zone, _ daylightSaving: DaylightSaving) -> ClockWalk {
        guard hasFixedTimes else { return ClockWalk(zone: zone, gap: .drop, isTwice: true) }
        return ClockWalk(
            zone: zone, gap: daylightSaving == .skip ? .drop : .end, isTwice: daylightSaving == .both)
    }
}

/// The dates and times of a cron expression.
struct CronTimes: LocalTimes, MonthDays, Sendable {
    private let times: ClockTimes
    private let dayOfMonth: UInt32
    private let dayOfWeek: UInt64
    private let needsBothDays: Bool
    let months: UInt64

    /// The times of an expression.
    @inline(__always)
    init(_ expression: CronExpression) {
        times = ClockTimes(
            hours: expression.hour.set, minutes: expression.minute.set, seconds: expression.second?.set ?? 1)
        dayOfMonth = UInt32(truncatingIfNeeded: expression.dayOfMonth.set)
        dayOfWeek = expression.dayOfWeek.set
        needsBothDays = expression.needsBothDays
        months = expression.month.set
    }

    @inline(__always)
    func days(of month: CalendarMonth) -> UInt32 {
        if dayOfWeek == 0x7F, needsBothDays { return month.days & dayOfMonth }
        let weekdays = month.days(onWeekdays: dayOfWeek)
        return needsBothDays ? weekdays & dayOfMonth : weekdays | month.days & dayOfMonth
    }

    @inline(__always)
    func first(from: Int, before limit: Int, shift: Int, budget: inout Int) -> Int? {
        guard from < limit else { return nil }
        let (day, time) = floorDivision(from, 86_400)
        let lastDay = floorDivision(limit - 1, 86_400).quotient + 1
        guard var found = first(from: day, before: lastDay) else { return nil }
        var second = times.earliest
        if found == day {
            if let later = times.first(from: time) {
                second = later
            } else {
                guard let next = first(from: day + 1, before: lastDay) else { return nil }
                found = next
            }
        }
        let result = found * 86_400 + second
        return result < limit ? result : nil
    }

    var isCountedByDays: Bool { true }

    func count(on day: Int, from: Int, to: Int, shift: Int, cache: inout [Int: Int]) -> Int {
        times.count(before: to) - times.count(before: from)
    }
}
