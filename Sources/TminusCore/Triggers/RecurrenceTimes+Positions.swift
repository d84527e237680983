/// BYSETPOS over the days of a week, month or year. The set covers the whole period, even the period in which the rule
/// starts (RFC 5545 section 3.3.10).
extension RecurrenceTimes {
    /// The first time at one of the positions.
    func firstByPosition(from: Int, before limit: Int) -> Int? {
        let (day, time) = floorDivision(from, 86_400)
        var number = period(of: day, atLeast: true)
        while true {
            let first = firstDay(ofPeriod: number)
            guard first * 86_400 < limit else { return nil }
            if let found = earliest(in: PeriodDays(self, number, first: first), from: day, time) {
                return found < limit ? found : nil
            }
            number += interval
        }
    }

    private func earliest(in days: PeriodDays, from day: Int, _ time: Int) -> Int? {
        let perDay = times.count
        let total = days.count * perDay
        var rank = days.count(before: day) * perDay
        if days.contains(day) { rank += times.count(before: time) }
        var best = Int.max
        for position in positions {
            let place = position > 0 ? position - 1 : total + position
            if place >= rank, place < total { best = min(best, place) }
        }
        guard best < .max else { return nil }
        return days.element(best / perDay) * 86_400 + times.element(best % perDay)
    }
}

/// The days of one period that match a rule, in up to twelve runs.
private struct PeriodDays {
    private var firsts = InlineArray<12, Int>(repeating: 0)
    /// For each run, its days as bits, where bit 1 is the first day of the run.
    private var sets = InlineArray<12, UInt32>(repeating: 0)
    private var runs = 1

    init(_ times: RecurrenceTimes, _ number: Int, first: Int) {
        switch times.frequency {
        case .yearly:
            runs = 12
            for month in 1...12 {
                let month = CalendarMonth(number, month)
                firsts[month.month - 1] = month.first
                sets[month.month - 1] = times.days.days(of: month)
            }
        case .monthly:
            let date = CivilDay.date(first)
            firsts[0] = first
            sets[0] = times.days.days(of: CalendarMonth(date.year, date.month, first: first))
        default:
            firsts[0] = first
            var day = first
            while let next = times.days.first(from: day, before: first + 7) {
                sets[0] |= 1 << UInt32(next - first + 1)
                day = next + 1
            }
        }
    }

    var count: Int {
        var count = 0
        for run in 0..<runs { count += sets[run].nonzeroBitCount }
        return count
    }

    func count(before day: Int) -> Int {
        var count = 0
        for run in 0..<runs {
            let offset = day - firsts[run] + 1
            if offset > 0 { count += BitSet64.count(in: UInt64(sets[run]), below: offset) }
        }
        return count
    }

    func contains(_ day: Int) -> Bool {
        for run in 0..<runs {
            let offset = day - firsts[run] + 1
            if (1...31).contains(offset), sets[run] >> UInt32(offset) & 1 == 1 { return true }
        }
        return false
    }

    func element(_ rank: Int) -> Int {
        var rank = rank
        for run in 0..<runs {
            let count = sets[run].nonzeroBitCount
            if rank < count { return firsts[run] + BitSet64.element(rank, of: UInt64(sets[run])) - 1 }
            rank -= count
        }
        return 0
    }
}
