/// The parts of a recurrence rule that choose days: BYMONTH, BYWEEKNO, BYYEARDAY, BYMONTHDAY, BYDAY.
///
/// A day must satisfy all parts that are present. BYWEEKNO is searched in calendar years: the last days of a year may
/// belong to week 1, and the first days to the last week of the year before.
struct RecurrenceDays: MonthDays, Sendable {
    private(set) var months: UInt64 = 0x1FFE
    /// Whether every day matches.
    private(set) var isEveryDay = true
    private var monthDays: UInt32?
    private var monthDaysFromEnd: UInt32 = 0
    /// Days of the week without an ordinal, as bits; nil without BYDAY.
    private(set) var weekdays: UInt64?
    private var nthWeekdays: [RecurrenceRule.Weekday] = []
    private var isNthOfYear = false
    private var yearDays: [Int] = []
    private var weekNumbers: [Int] = []
    private var weekStart = 1

    /// The days that the parts of a rule choose, without regard to a start.
    init(_ rule: RecurrenceRule) {
        weekStart = rule.weekStart
        if !rule.months.isEmpty { months = BitSet64.set(rule.months) }
        if !rule.monthDays.isEmpty {
            monthDays = UInt32(truncatingIfNeeded: BitSet64.set(rule.monthDays.filter { $0 > 0 }))
            monthDaysFromEnd = UInt32(truncatingIfNeeded: BitSet64.set(rule.monthDays.filter { $0 < 0 }.map { -$0 }))
        }
        if !rule.weekdays.isEmpty {
            weekdays = BitSet64.set(rule.weekdays.filter { $0.ordinal == 0 }.map(\.day))
            nthWeekdays = rule.weekdays.filter { $0.ordinal != 0 }
            isNthOfYear = rule.frequency == .yearly && rule.months.isEmpty
        }
        yearDays = rule.yearDays
        weekNumbers = rule.weekNumbers
        if !weekNumbers.isEmpty { months &= Self.months(ofWeeks: weekNumbers) }
        isEveryDay =
            rule.months.isEmpty && monthDays == nil && weekdays == nil && yearDays.isEmpty && weekNumbers.isEmpty
    }

    /// The days of a rule, with the day taken from its start where the rule names none (section 3.3.10).
    init(_ rule: RecurrenceRule, start: LocalDateTime) {
        var rule = rule
        switch rule.frequency {
        case .yearly:
            if rule.weekdays.isEmpty, rule.monthDays.isEmpty, rule.yearDays.isEmpty {
                if rule.weekNumbers.isEmpty {
                    rule.monthDays = [start.day]
                    if rule.months.isEmpty { rule.months = [start.month] }
                } else {
                    rule.weekdays = [RecurrenceRule.Weekday(day: start.weekday)]
                }
            }
        case .monthly:
            if rule.weekdays.isEmpty, rule.monthDays.isEmpty { rule.monthDays = [start.day] }
        case .weekly:
            if rule.weekdays.isEmpty { rule.weekdays = [RecurrenceRule.Weekday(day: start.weekday)] }
        default: break
        }
        self.init(rule)
    }

    /// The months that can contain days of these weeks; all others are skipped.
    private static func months(ofWeeks numbers: [Int]) -> UInt64 {
        let all = numbers.flatMap { number -> [Int] in
            // A week begins up to three days before or after a multiple of seven, and years differ in length by a day.
            let first = number > 0 ? number * 7 - 10 : 366 + number * 7 - 4
            let months = (first...first + 14).map {
                CivilDay.date(CivilDay.number(2000, 1, min(max($0, 1), 366))).month
            }
            // The first and the last week of a year can lie in two years.
            return [1, 52, 53].contains(number) || [-1, -52, -53].contains(number) ? months + [1, 12] : months
        }
        return BitSet64.set(all)
    }

    @inline(__always)
    func days(of month: CalendarMonth) -> UInt32 {
        guard months >> UInt64(month.month) & 1 == 1 else { return 0 }
        var result = month.days
        if let monthDays {
            var days = monthDays
            var rest = monthDaysFromEnd
            while rest != 0 {
                let day = month.length + 1 - rest.trailingZeroBitCount
                if day > 0 { days |= 1 << UInt32(day) }
                rest &= rest &- 1
            }
            result &= days
        }
        if let weekdays {
            var days = month.days(onWeekdays: weekdays)
            if !nthWeekdays.isEmpty { days |= nthDays(of: month) }
            result &= days
        }
        if !yearDays.isEmpty { result &= daysOfYear(month) }
        if !weekNumbers.isEmpty { result &= daysOfWeeks(month) }
        return result
    }

    private func nthDays(of month: CalendarMonth) -> UInt32 {
        var first = month.first
        var length = month.length
        if isNthOfYear {
            first = CivilDay.number(month.year, 1, 1)
            length = CivilDay.isLeap(month.year) ? 366 : 365
        }
        var days: UInt32 = 0
        for item in nthWeekdays {
            let earliest = (item.day - CivilDay.weekday(first) + 7) % 7
            let index: Int
            if item.ordinal > 0 {
                index = earliest + (item.ordinal - 1) * 7
            } else {
                index = earliest + ((length - 1 - earliest) / 7 + 1 + item.ordinal) * 7
            }
            guard index >= 0, index < length else { continue }
            let day = first + index - month.first + 1
            if day >= 1, day <= month.length { days |= 1 << UInt32(day) }
        }
        return days
    }

    private func daysOfYear(_ month: CalendarMonth) -> UInt32 {
        let before = month.first - CivilDay.number(month.year, 1, 1)
        let length = CivilDay.isLeap(month.year) ? 366 : 365
        var days: UInt32 = 0
        for number in yearDays {
            let day = (number > 0 ? number : length + 1 + number) - before
            if day >= 1, day <= month.length { days |= 1 << UInt32(day) }
        }
        return days
    }

    private func daysOfWeeks(_ month: CalendarMonth) -> UInt32 {
        var days: UInt32 = 0
        var start = month.first - (CivilDay.weekday(month.first) - weekStart + 7) % 7
        while start < month.first + month.length {
            // A week belongs to the year of its fourth day.
            let fourth = start + 3
            let year = CivilDay.date(fourth).year
            let week = (fourth - CivilDay.number(year, 1, 1)) / 7 + 1
            let weeks = week + (CivilDay.number(year, 12, 31) - fourth) / 7
            if weekNumbers.contains(week) || weekNumbers.contains(week - weeks - 1) {
                for day in start..<start + 7 where day >= month.first && day < month.first + month.length {
                    days |= 1 << UInt32(day - month.first + 1)
                }
            }
            start += 7
        }
        return days
    }
}
