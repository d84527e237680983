import TminusCore

/// The header field `Retry-After` (RFC 9110, section 10.2.3): seconds, or an HTTP-date (section 5.6.7).
enum RetryAfter {
    /// The wait that the field asks for, from zero to a year; nil if it has neither form.
    ///
    /// - Parameter now: Seconds since the Unix epoch, to which a date is relative.
    static func parse(_ text: String, now: Int64) -> Duration? {
        let text = text.drop { $0 == " " || $0 == "\t" }
        if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            // More digits than an integer holds mean a very long time.
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

    /// Seconds since the Unix epoch; nil if the text is not a date. `now` decides the century of a two-digit year.
    static func parse(_ text: Substring, now: Int64) -> Int64? {
        let words = text.split { $0 == " " || $0 == "," || $0 == "-" }
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

    private static func seconds(
        year: Substring, month: Substring, day: Substring, time: Substring, now: Int64
    ) -> Int64? {
        let clock = time.split(separator: ":", omittingEmptySubsequences: false).map { number($0, digits: 2...2) }
        guard var year = number(year, digits: 2...4), let month = months.firstIndex(of: String(month)),
            let day = number(day, digits: 1...2), (1...31).contains(day), clock.count == 3,
            let hour = clock[0], let minute = clock[1], let second = clock[2], hour < 24, minute < 60, second <= 60
        else { return nil }
        if year < 100 {
            // A date more than 50 years ahead is in the past (section 5.6.7).
            let thisYear = CivilDay.date(Int(now / 86_400)).year
            year += thisYear / 100 * 100
            if year > thisYear + 50 { year -= 100 }
        }
        return Int64(CivilDay.number(year, month + 1, day) * 86_400 + hour * 3600 + minute * 60 + second)
    }

    private static func number(_ text: Substring, digits: ClosedRange<Int>) -> Int? {
        digits.contains(text.utf8.count) && text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
    }
}
