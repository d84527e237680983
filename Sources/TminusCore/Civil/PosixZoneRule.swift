/// A zone's rule as a POSIX TZ string, such as `CET-1CEST,M3.5.0,M10.5.0/3` (POSIX.1-2024 section 8.3, RFC 9636
/// section 3.3.2).
struct PosixZoneRule: Sendable, Hashable {
    /// A day that occurs in every year.
    enum Day: Sendable, Hashable {
        /// `Jn`: 1 to 365, never the 29th of February.
        case julian(Int)
        /// `n`: 0 to 365, counting the 29th of February.
        case zeroBased(Int)
        /// `Mm.w.d`: a day of the week (0 is Sunday) in a week of the month; week 5 is the last.
        case weekday(month: Int, week: Int, day: Int)

        /// The day number of this day in a year.
        func number(in year: Int) -> Int {
            let start = CivilDay.number(year, 1, 1)
            switch self {
            case .julian(let day): return start + day - 1 + (day >= 60 && CivilDay.isLeap(year) ? 1 : 0)
            case .zeroBased(let day): return start + day
            case .weekday(let month, let week, let day):
                let first = CivilDay.number(year, month, 1)
                let date = (day - CivilDay.weekday(first) + 7) % 7 + 7 * (week - 1)
                return first + (date < CivilDay.count(inMonth: month, of: year) ? date : date - 7)
            }
        }
    }

    /// A moment of every year at which the offset changes.
    struct Boundary: Sendable, Hashable {
        /// The day.
        var day: Day
        /// Seconds after midnight of that day, by the offset before the change; -604,799 to 604,799.
        var time: Int

        /// Seconds since the epoch at which this moment falls in a year, on a clock `offset` seconds east of UTC.
        func seconds(in year: Int, offset: Int32) -> Int64 {
            Int64(day.number(in: year) * 86_400 + time - Int(offset))
        }
    }

    /// The part of the year with daylight saving time.
    struct Summer: Sendable, Hashable {
        /// Seconds east of UTC.
        var offset: Int32
        /// When it begins, in standard time.
        var start: Boundary
        /// When it ends, in daylight saving time.
        var end: Boundary
    }

    /// Seconds east of UTC.
    var standard: Int32
    /// Daylight saving time, if there is any.
    var summer: Summer?

    /// Reads a TZ string. If it names daylight saving time without rules, those of the USA apply, as in the C library.
    init(_ text: String) throws(ZoneDataError) {
        let problem = ZoneDataError("\(text.excerpt) is not a rule for a time zone")
        guard text.utf8.count <= 128 else { throw problem }
        var scanner = AsciiScanner(text)
        guard Self.takeName(&scanner), let west = Self.time(&scanner, hours: 24) else { throw problem }
        standard = Int32(-west)
        if scanner.isAtEnd { return }
        guard Self.takeName(&scanner) else { throw problem }
        var summer = Summer(
            offset: standard + 3_600, start: Boundary(day: .weekday(month: 3, week: 2, day: 0), time: 7_200),
            end: Boundary(day: .weekday(month: 11, week: 1, day: 0), time: 7_200))
        if !scanner.isAtEnd, scanner.next != UInt8(ascii: ",") {
            guard let west = Self.time(&scanner, hours: 24) else { throw problem }
            summer.offset = Int32(-west)
        }
        if !scanner.isAtEnd {
            guard scanner.take(","), let start = Self.boundary(&scanner), scanner.take(","),
                let end = Self.boundary(&scanner), scanner.isAtEnd
            else { throw problem }
            summer.start = start
            summer.end = end
        }
        guard ZoneTable.validOffsets.contains(Int(standard)), ZoneTable.validOffsets.contains(Int(summer.offset)) else {
            throw problem
        }
        self.summer = summer
    }

    /// Appends the changes after `instant`, or all of them if `instant` is nil.
    func extend(_ table: inout ZoneTable, after instant: Int64?) {
        guard let summer else { return }
        let first = instant.map { CivilDay.date(Int($0) / 86_400).year - 1 } ?? ZoneTable.years.lowerBound
        var changes: [(instant: Int64, offset: Int32)] = []
        for year in first...max(first, ZoneTable.years.upperBound) {
            changes.append((summer.start.seconds(in: year, offset: standard), summer.offset))
            changes.append((summer.end.seconds(in: year, offset: summer.offset), standard))
        }
        changes.sort { $0.instant < $1.instant }
        for (index, change) in changes.enumerated() where change.instant > instant ?? .min {
            // If daylight saving time ends at the instant at which the next begins, it lasts all year.
            let isTied =
                index > 0 && changes[index - 1].instant == change.instant
                || index + 1 < changes.count && changes[index + 1].instant == change.instant
            if isTied, change.offset == standard { continue }
            table.append(change.instant, offset: change.offset)
        }
    }

    /// Three or more letters, or three or more letters, digits and signs in angle brackets.
    private static func takeName(_ scanner: inout AsciiScanner) -> Bool {
        guard scanner.take("<") else { return scanner.skip(while: \.isLetter) >= 3 }
        return scanner.skip { $0.isLetter || $0.isDigit || $0 == 0x2B || $0 == 0x2D } >= 3 && scanner.take(">")
    }

    /// `[+-]hh[:mm[:ss]]` in seconds.
    private static func time(_ scanner: inout AsciiScanner, hours limit: Int) -> Int? {
        let sign = scanner.take("-") ? -1 : 1
        if sign == 1 { _ = scanner.take("+") }
        guard let hours = scanner.number(upTo: limit) else { return nil }
        var total = hours * 3_600
        for unit in [60, 1] where scanner.take(":") {
            guard let value = scanner.number(upTo: 59) else { return nil }
            total += value * unit
        }
        return sign * total
    }

    /// `date[/time]`, with times of -167 to 167 hours (RFC 9636 section 3.3.2).
    private static func boundary(_ scanner: inout AsciiScanner) -> Boundary? {
        let day: Day
        if scanner.take("J") {
            guard let number = scanner.number(upTo: 365), number >= 1 else { return nil }
            day = .julian(number)
        } else if scanner.take("M") {
            guard let month = scanner.number(upTo: 12), month >= 1, scanner.take("."),
                let week = scanner.number(upTo: 5), week >= 1, scanner.take("."),
                let weekday = scanner.number(upTo: 6)
            else { return nil }
            day = .weekday(month: month, week: week, day: weekday)
        } else {
            guard let number = scanner.number(upTo: 365) else { return nil }
            day = .zeroBased(number)
        }
        guard scanner.take("/") else { return Boundary(day: day, time: 7_200) }
        guard let time = time(&scanner, hours: 167) else { return nil }
        return Boundary(day: day, time: time)
    }
}
