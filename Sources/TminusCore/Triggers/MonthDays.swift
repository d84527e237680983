/// One month of one year.
struct CalendarMonth {
    /// The year.
    var year: Int
    /// 1 to 12.
    var month: Int
    /// The day number of its first day.
    var first: Int
    /// The number of its days.
    var length: Int

    /// The given month.
    @inline(__always)
    init(_ year: Int, _ month: Int) {
        self.init(year, month, first: CivilDay.number(year, month, 1))
    }

    /// The given month, if the number of its first day is known.
    @inline(__always)
    init(_ year: Int, _ month: Int, first: Int) {
        self.year = year
        self.month = month
        self.first = first
        length = CivilDay.count(inMonth: month, of: year)
    }

    /// Its days as bits 1 to 31.
    @inline(__always)
    var days: UInt32 { UInt32(truncatingIfNeeded: (2 << UInt64(length)) - 2) }

    /// The days that fall on a set of days of the week (bit 0 is Sunday).
    @inline(__always)
    func days(onWeekdays weekdays: UInt64) -> UInt32 {
        let shift = UInt64(CivilDay.weekday(first))
        let rotated = (weekdays >> shift | weekdays << (7 - shift)) & 0x7F
        // The multiplication makes five copies of the week, starting with the first day of the month.
        return UInt32(truncatingIfNeeded: rotated &* 0x1020_4081 << 1) & days
    }
}

/// A rule for days that can be evaluated for a month at once.
protocol MonthDays {
    /// The months that can have matching days, as bits 1 to 12.
    var months: UInt64 { get }
    /// The days of a month that match, as bits 1 to 31.
    func days(of month: CalendarMonth) -> UInt32
}

extension MonthDays {
    /// The first matching day at or after `day` and before `limit`, both day numbers.
    @inline(__always)
    func first(from day: Int, before limit: Int) -> Int? {
        guard day < limit, months != 0 else { return nil }
        let date = CivilDay.date(day)
        var month = CalendarMonth(date.year, date.month, first: day - date.day + 1)
        var rest = UInt32.max << UInt32(date.day)
        while true {
            if months >> UInt64(month.month) & 1 == 1 {
                let found = days(of: month) & rest
                if found != 0 {
                    let number = month.first + found.trailingZeroBitCount - 1
                    return number < limit ? number : nil
                }
            }
            if months & (months - 1) == 0, month.month == months.trailingZeroBitCount {
                let leapYear = month.month > 2 ? month.year + 1 : month.year
                month = CalendarMonth(
                    month.year + 1, month.month, first: month.first + (CivilDay.isLeap(leapYear) ? 366 : 365))
            } else if let later = BitSet64.first(in: months, from: month.month + 1) {
                month = CalendarMonth(month.year, later)
            } else {
                month = CalendarMonth(month.year + 1, months.trailingZeroBitCount)
            }
            guard month.first < limit else { return nil }
            rest = .max
        }
    }
}
