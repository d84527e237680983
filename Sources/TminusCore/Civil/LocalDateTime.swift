/// A date and a time of day without a zone (proleptic Gregorian calendar).
public struct LocalDateTime: Sendable, Hashable, Comparable {
    /// The year, numbered astronomically: 0 is the year before 1.
    public var year: Int
    /// 1 to 12.
    public var month: Int
    /// 1 to the length of the month.
    public var day: Int
    /// 0 to 23.
    public var hour: Int
    /// 0 to 59.
    public var minute: Int
    /// 0 to 59; leap seconds are not counted.
    public var second: Int
    /// 0 to 999,999,999.
    public var nanosecond: Int

    /// Stores these parts unchecked; see ``problem``.
    public init(
        _ year: Int, _ month: Int, _ day: Int, _ hour: Int = 0, _ minute: Int = 0, _ second: Int = 0,
        nanosecond: Int = 0
    ) {
        self.year = year
        self.month = month
        self.day = day
        self.hour = hour
        self.minute = minute
        self.second = second
        self.nanosecond = nanosecond
    }

    /// The local time this many seconds after 1970-01-01 00:00 on the same clock.
    package init(epochSeconds: Int, nanosecond: Int) {
        var day = epochSeconds / 86_400
        var time = epochSeconds % 86_400
        if time < 0 {
            day -= 1
            time += 86_400
        }
        let date = CivilDay.date(day)
        self.init(
            date.year, date.month, date.day, time / 3_600, time / 60 % 60, time % 60, nanosecond: nanosecond)
    }

    /// The years that users may write. Adding any valid ``CalendarSpan`` to them cannot overflow.
    public static let years = 1900...2200

    /// The years in which every local time, in every zone, is an instant that a ``Timestamp`` can hold.
    static let computedYears = 1678...2261

    /// Why the date or time does not exist, and what to write instead; nil if it exists.
    public var problem: String? { problem(in: Self.years) }

    /// The same for another range of years.
    func problem(in years: ClosedRange<Int>) -> String? {
        if !years.contains(year) {
            return "year \(year) is out of range; write a year from \(years.lowerBound) to \(years.upperBound)"
        }
        if !(1...12).contains(month) { return "month \(month) does not exist" }
        let days = CivilDay.count(inMonth: month, of: year)
        if !(1...days).contains(day) {
            return day < 1 ? "day \(day) does not exist" : "\(Self.monthNames[month - 1]) \(year) has \(days) days"
        }
        if !(0...23).contains(hour) { return "hour \(hour) does not exist, hours go from 0 to 23" }
        if !(0...59).contains(minute) { return "minute \(minute) does not exist" }
        if second == 60 { return "second 60 does not exist, leap seconds are not counted" }
        if !(0...59).contains(second) { return "second \(second) does not exist" }
        if !(0...999_999_999).contains(nanosecond) { return "nanosecond \(nanosecond) does not exist" }
        return nil
    }

    /// The day of the week: 0 is Sunday.
    public var weekday: Int { CivilDay.weekday(dayNumber) }

    public static func < (left: Self, right: Self) -> Bool {
        if left.year != right.year { return left.year < right.year }
        if left.month != right.month { return left.month < right.month }
        if left.day != right.day { return left.day < right.day }
        if left.hour != right.hour { return left.hour < right.hour }
        if left.minute != right.minute { return left.minute < right.minute }
        if left.second != right.second { return left.second < right.second }
        return left.nanosecond < right.nanosecond
    }

    /// The same time of day, `months` and then `days` later (earlier if negative).
    ///
    /// A day beyond the end of the month becomes its last day. The year is limited to ±10 million.
    public func adding(months: Int, days: Int) -> LocalDateTime {
        var date = (year: clampedYear, month: clampedMonth, day: day)
        if months != 0 {
            let total = date.year * 12 + date.month - 1 + months.clamped(to: -120_000_000...120_000_000)
            let year = total >= 0 ? total / 12 : (total - 11) / 12
            date = (year.clamped(to: Self.safeYears), total - year * 12 + 1, day)
            date.day = min(day, CivilDay.count(inMonth: date.month, of: date.year))
        }
        if days != 0 {
            let number = CivilDay.number(date.year, date.month, date.day.clamped(to: 1...31))
            date = CivilDay.date(number + days.clamped(to: -3_652_425_000...3_652_425_000))
        }
        return LocalDateTime(
            date.year.clamped(to: Self.safeYears), date.month, date.day, hour, minute, second, nanosecond: nanosecond)
    }

    /// Seconds since 1970-01-01 00:00 on the same clock. Parts outside their ranges are clamped.
    package var epochSeconds: Int {
        dayNumber * 86_400 + hour.clamped(to: 0...23) * 3_600 + minute.clamped(to: 0...59) * 60
            + second.clamped(to: 0...59)
    }

    /// The nanoseconds left until the clock shows midnight: 1 to 86,400 * 10^9.
    package var nanosecondsLeftOfDay: Int64 {
        let seconds = hour.clamped(to: 0...23) * 3_600 + minute.clamped(to: 0...59) * 60 + second.clamped(to: 0...59)
        return Int64(86_400 - seconds) * 1_000_000_000 - Int64(nanosecond.clamped(to: 0...999_999_999))
    }

    /// The day number: 0 is 1970-01-01.
    package var dayNumber: Int { CivilDay.number(clampedYear, clampedMonth, day.clamped(to: 1...31)) }

    /// Years in which the arithmetic of this file cannot overflow.
    private static let safeYears = -10_000_000...10_000_000
    private var clampedYear: Int { year.clamped(to: -10_000_000...10_000_000) }
    private var clampedMonth: Int { month.clamped(to: 1...12) }

    /// `January` to `December`.
    static let monthNames = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]
}

extension Comparable {
    /// The nearest value within the range.
    func clamped(to range: ClosedRange<Self>) -> Self {
        self < range.lowerBound ? range.lowerBound : self > range.upperBound ? range.upperBound : self
    }
}
