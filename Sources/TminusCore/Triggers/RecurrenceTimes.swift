/// The clock times of a recurrence rule with its start (RFC 5545 section 3.3.10), on a uniform clock.
struct RecurrenceTimes: LocalTimes, Sendable {
    let frequency: RecurrenceRule.Frequency
    let interval: Int
    let days: RecurrenceDays
    /// The times within a day, an hour or a minute, depending on the period of the rule.
    let times: ClockTimes
    let weekStart: Int
    /// BYSETPOS for periods of several days; for shorter periods, ``times`` already applies it.
    let positions: [Int]
    /// The clock time of the start, in seconds since 1970-01-01 00:00.
    let anchor: Int
    /// The day number of the start.
    let anchorDay: Int
    private let hours: UInt64
    private let minutes: UInt64
    private let takesMinuteOfAnchor: Bool
    private let takesSecondOfAnchor: Bool
    private let isEmpty: Bool

    /// A rule that starts at a clock time.
    init(_ rule: RecurrenceRule, start: LocalDateTime) {
        frequency = rule.frequency
        interval = rule.interval
        days = RecurrenceDays(rule, start: start)
        weekStart = rule.weekStart
        anchor = start.epochSeconds
        anchorDay = start.dayNumber
        let length = rule.frequency.length
        hours = rule.hours.isEmpty ? 0xFF_FFFF : BitSet64.set(rule.hours)
        minutes = rule.minutes.isEmpty ? ~0 >> 4 : BitSet64.set(rule.minutes)
        takesMinuteOfAnchor = rule.minutes.isEmpty && length == 3_600
        takesSecondOfAnchor = rule.seconds.isEmpty && (length == 3_600 || length == 60)
        var times = ClockTimes(
            hours: rule.hours.isEmpty ? 1 << UInt64(start.hour) : BitSet64.set(rule.hours),
            minutes: rule.minutes.isEmpty ? 1 << UInt64(start.minute) : BitSet64.set(rule.minutes),
            seconds: rule.seconds.isEmpty ? 1 << UInt64(start.second) : BitSet64.set(rule.seconds))
        if length != nil { times.hours = 1 }
        if length ?? 3_600 < 3_600 { times.minutes = 1 }
        if length == 1 { times.seconds = rule.seconds.isEmpty ? ~0 >> 4 : BitSet64.set(rule.seconds) }
        if length != nil || rule.frequency == .daily {
            let total = length == 1 ? 1 : times.combinations
            let places = Self.places(rule.positions, of: total)
            isEmpty = !rule.positions.isEmpty && places.isEmpty
            if length != 1 { times.places = places }
            positions = []
        } else {
            isEmpty = false
            positions = rule.positions
        }
        self.times = times
    }

    /// Converts positions, counted from 1 or from the end, to ascending ranks from 0.
    private static func places(_ positions: [Int], of total: Int) -> [Int] {
        Set(positions.map { $0 > 0 ? $0 - 1 : total + $0 }.filter { (0..<total).contains($0) }).sorted()
    }

    @inline(__always)
    func first(from: Int, before limit: Int, shift: Int, budget: inout Int) -> Int? {
        guard from < limit, !isEmpty else { return nil }
        if frequency.length != nil { return firstInDay(from: from, before: limit, shift: shift, budget: &budget) }
        if !positions.isEmpty { return firstByPosition(from: from, before: limit) }
        let (day, time) = floorDivision(from, 86_400)
        let lastDay = floorDivision(limit - 1, 86_400).quotient + 1
        guard var found = firstDay(from: day, before: lastDay) else { return nil }
        var second = times.earliest
        if found == day {
            if let later = times.first(from: time) {
                second = later
            } else {
                guard let next = firstDay(from: day + 1, before: lastDay) else { return nil }
                found = next
            }
        }
        let result = found * 86_400 + second
        return result < limit ? result : nil
    }

    /// The first matching day, for periods of a day or more.
    @inline(__always)
    private func firstDay(from day: Int, before limit: Int) -> Int? {
        switch frequency {
        case .daily where days.isEveryDay:
            let day = aligned(day, to: anchorDay, by: interval)
            return day < limit ? day : nil
        case .weekly where days.months == 0x1FFE: return firstOfWeek(from: day, before: limit)
        default:
            if interval == 1 { return days.first(from: day, before: limit) }
            // Takes the next day that the parts choose, unless the interval skips its period.
            var day = day
            while let found = days.first(from: day, before: limit) {
                day = firstDayOfPeriod(containing: found)
                if day <= found { return found }
            }
            return nil
        }
    }

    /// The weekly rule without BYMONTH, computed on bits.
    private func firstOfWeek(from day: Int, before limit: Int) -> Int? {
        guard let weekdays = days.weekdays else { return nil }
        var day = day
        for _ in 0..<3 {
            let start = day - (CivilDay.weekday(day) - weekStart + 7) % 7
            let period = aligned(start, to: week(of: anchorDay), by: 7 * interval)
            if period > start { day = period }
            let shift = UInt64(CivilDay.weekday(day))
            let coming = (weekdays >> shift | weekdays << (7 - shift)) & 0x7F
            let found = day + coming.trailingZeroBitCount
            if found < period + 7 { return found < limit ? found : nil }
            day = period + 7
        }
        return nil
    }

    /// The first day of the first period that the interval selects and that does not end before `day`.
    private func firstDayOfPeriod(containing day: Int) -> Int {
        switch frequency {
        case .weekly: return aligned(week(of: day), to: week(of: anchorDay), by: 7 * interval)
        case .monthly, .yearly: return firstDay(ofPeriod: period(of: day, atLeast: true))
        default: return aligned(day, to: anchorDay, by: interval)
        }
    }

    /// The first day of the week of a day.
    private func week(of day: Int) -> Int { day - (CivilDay.weekday(day) - weekStart + 7) % 7 }

    /// The number of the period (year, month or week) of a day, or of the next period that the interval selects.
    func period(of day: Int, atLeast isAligned: Bool) -> Int {
        func number(_ day: Int) -> Int {
            let date = CivilDay.date(day)
            switch frequency {
            case .yearly: return date.year
            case .monthly: return date.year * 12 + date.month - 1
            default: return floorDivision(day + 4 - weekStart, 7).quotient
            }
        }
        return isAligned ? aligned(number(day), to: number(anchorDay), by: interval) : number(day)
    }

    /// The first day of a period, given by its number.
    func firstDay(ofPeriod number: Int) -> Int {
        switch frequency {
        case .yearly: CivilDay.number(number, 1, 1)
        case .monthly: CivilDay.number(floorDivision(number, 12).quotient, floorDivision(number, 12).remainder + 1, 1)
        default: number * 7 - 4 + weekStart
        }
    }

    /// Periods shorter than a day: alternates between the parts and the interval until both allow the time.
    private func firstInDay(from: Int, before limit: Int, shift: Int, budget: inout Int) -> Int? {
        let length = frequency.length ?? 1
        let anchorPeriod = floorDivision(anchor + shift, length).quotient
        let times = times(shift: shift)
        let lastDay = floorDivision(limit - 1, 86_400).quotient + 1
        var time = from
        var allowedDay = Int.min
        while time < limit, budget > 0 {
            budget -= 1
            if !days.isEveryDay {
                let day = floorDivision(time, 86_400).quotient
                if day != allowedDay {
                    guard let next = days.first(from: day, before: lastDay) else { return nil }
                    allowedDay = next
                    if next > day { time = next * 86_400 }
                }
            }
            let period = aligned(floorDivision(time, length).quotient, to: anchorPeriod, by: interval) * length
            if period > time {
                time = period
                if !days.isEveryDay, floorDivision(time, 86_400).quotient != allowedDay { continue }
            }
            let (day, second) = floorDivision(time, 86_400)
            let hour = second / 3_600
            guard hours >> UInt64(hour) & 1 == 1 else {
                time = day * 86_400 + (BitSet64.first(in: hours, from: hour + 1) ?? 24) * 3_600
                continue
            }
            let minute = second / 60 % 60
            guard length == 3_600 || minutes >> UInt64(minute) & 1 == 1 else {
                time = day * 86_400 + hour * 3_600 + (BitSet64.first(in: minutes, from: minute + 1) ?? 60) * 60
                continue
            }
            if length == 1 {
                guard let next = BitSet64.first(in: times.seconds, from: second % 60) else {
                    time += 60 - second % 60
                    continue
                }
                if next == second % 60 { return time }
                time += next - second % 60
                continue
            }
            if let found = times.first(from: time - period) {
                return period + found < limit ? period + found : nil
            }
            time = period + length
        }
        return nil
    }

    /// The times of a period. Minute and second are those of the start after its clock moved by `shift`.
    private func times(shift: Int) -> ClockTimes {
        guard takesMinuteOfAnchor || takesSecondOfAnchor, shift != 0 else { return times }
        var times = times
        let second = floorDivision(anchor + shift, 3_600).remainder
        if takesMinuteOfAnchor { times.minutes = 1 << UInt64(second / 60) }
        if takesSecondOfAnchor { times.seconds = 1 << UInt64(second % 60) }
        return times
    }

    var isCountedByDays: Bool { positions.isEmpty }

    func count(on day: Int, from: Int, to: Int, shift: Int, cache: inout [Int: Int]) -> Int {
        guard let length = frequency.length else { return times.count(before: to) - times.count(before: from) }
        // Days at the same phase of the interval have the same count.
        let phase = floorDivision(day * 86_400 / length - floorDivision(anchor + shift, length).quotient, interval)
            .remainder
        let key = (phase * 86_400 + from) * 7_200 + floorDivision(shift, 7_200).remainder
        if to == 86_400, let known = cache[key] { return known }
        var count = 0
        var budget = ClockWalk.budget
        var time = day * 86_400 + from
        while let found = first(from: time, before: day * 86_400 + to, shift: shift, budget: &budget) {
            count += 1
            time = found + 1
        }
        if to == 86_400 { cache[key] = count }
        return count
    }
}
