/// The header field `Retry-After` (RFC 9110, section 10.2.3): seconds, or an HTTP-date (section 5.6.7).
enum RetryAfter {
    /// The wait that the field asks for, from zero to a year; nil if it is in neither form.
    ///
    /// - Parameter now: Seconds since the Unix epoch, by which a date is understood.
    static func parse(_ text: String, now: Int64) -> Duration? {
        let text = text.drop { $0 == " " || $0 == "\t" }
        if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            // More digits than fit mean a very long time.
            return .seconds(min(Int64(text) ?? longest, longest))
        }
        guard let date = HTTPDate.parse(text, now: now) else { return nil }
        return .seconds(min(max(0, date - now), longest))
    }

    private static let longest: Int64 = 366 * 86_400
}

/// A date of HTTP in one of its three forms (RFC 9110, section 5.6.7). All are in GMT.
enum HTTPDate {
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Seconds since the Unix epoch; nil if it is no such date. `now` decides the century of a year of two digits.
    static func parse(_ text: Substring, now: Int64) -> Int64? {
        let words = text.split { $0 == " " || $0 == "," || $0 == "-" }.map(String.init)
        // IMF-fixdate: Sun, 06 Nov 1994 08:49:37 GMT; rfc850: Sunday, 06-Nov-94 08:49:37 GMT.
        if words.count == 6, words[5] == "GMT" {
            return seconds(year: words[3], month: words[2], day: words[1], time: words[4], now: now)
        }
        // asctime: Sun Nov  6 08:49:37 1994.
        if words.count == 5 {
            return seconds(year: words[4], month: words[1], day: words[2], time: words[3], now: now)
        }
        return nil
    }

    private static func seconds(year: String, month: String, day: String, time: String, now: Int64) -> Int64? {
        let clock = time.split(separator: ":", omittingEmptySubsequences: false).map {
            number(String($0), digits: 2...2)
        }
        guard var year = number(year, digits: 2...4), let month = months.firstIndex(of: month),
            let day = number(day, digits: 1...2), (1...31).contains(day), clock.count == 3,
            let hour = clock[0], let minute = clock[1], let second = clock[2], hour < 24, minute < 60, second <= 60
        else { return nil }
        if year < 100 {
            // More than 50 years ahead means the past (the rule of section 5.6.7).
            let thisYear = 1970 + now / 31_556_952
            year += thisYear / 100 * 100
            if year > thisYear + 50 { year -= 100 }
        }
        return days(year, Int64(month) + 1, day) * 86_400 + hour * 3600 + minute * 60 + second
    }

    private static func number(_ text: String, digits: ClosedRange<Int>) -> Int64? {
        digits.contains(text.utf8.count) && text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int64(text) : nil
    }

    /// Days from 1970-01-01 to a date of the Gregorian calendar, counted in years that begin in March, so that the leap day
    /// is the last one.
    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let shifted = month > 2 ? year : year - 1
        let monthFromMarch = (month + 9) % 12
        let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
        return 365 * shifted + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
    }
}
