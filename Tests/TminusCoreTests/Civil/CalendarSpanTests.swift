import Testing
import TminusCore

struct CalendarSpanTests {
    private func message(_ text: String) -> String {
        if case .failure(let problem) = CalendarSpan.parseDuration(text) { return problem.message }
        return "no error"
    }

    @Test("a bare number is an error that names the units", arguments: ["90", "1h 90", " 90 ", "90 5s"])
    func bareNumber(text: String) {
        #expect(message(text) == "'90' has no unit: write '90s' or '90m'")
    }

    @Test(
        "an error says what to write instead",
        arguments: [
            ("", "a length of time is missing; write '1h 30m'"),
            ("  ", "a length of time is missing; write '1h 30m'"),
            ("5:30", "'5:30': write H:MM:SS, such as '1:30:00', or units, such as '1h 30m'"),
            ("1:2:03", "'1:2:03': write H:MM:SS, such as '1:30:00', or units, such as '1h 30m'"),
            ("1:60:00", "'1:60:00': minutes go from 00 to 59"),
            ("1:00:60", "'1:00:60': seconds go from 00 to 59"),
            ("-5m", "'-5m' is negative; a length of time has no sign"),
            ("-P1D", "'-P1D' is negative; a length of time has no sign"),
            ("P-1D", "'P-1D' has a negative part; a length of time has no sign"),
            ("5 hour5", "'5' has no unit: write '5s' or '5m'"),
            ("5 mins", "unknown unit 'mins', did you mean 'min'?"),
            ("2 HOURS", "unknown unit 'HOURS', did you mean 'hours'?"),
            ("2 zzzzzz", "unknown unit 'zzzzzz'; units are s, m, h, d, w, mo, y"),
            ("p1d", "'p1d': write ISO 8601 in capitals, such as 'PT1H30M'"),
            ("P1M", "'P1M': years and months have no fixed length; write days"),
            ("PT1.5H30M", "'PT1.5H30M': only the last part may have a fraction"),
            ("201y", "'201y' is too long; write at most 200 years"),
            ("200y 1us", "'200y 1us' is too long; write at most 200 years"),
            ("73051d", "'73051d' is too long; write at most 200 years"),
            ("99999999999999999999h", "'99999999999999999999' is too large a number"),
            ("18446744073709551615y", "'18446744073709551615y' is too long; write at most 200 years"),
            ("1h\u{1B}[31mh", "expected a number with a unit, such as '90s' or '1h 30m', not '\\u{1b}[31mh'"),
        ])
    func errors(text: String, expected: String) {
        #expect(message(text).hasSuffix(expected) || message(text) == expected, "\(message(text))")
    }

    @Test("no text makes the process crash")
    func hostile() {
        let texts = [
            String(repeating: "9", count: 255), String(repeating: "1y", count: 120), String(repeating: "P", count: 256),
            String(repeating: "1h ", count: 100_000), "1." + String(repeating: "0", count: 240) + "s", "\u{0}", "P",
            "PT", "P1DT",
            "1.999999999999999999999y", "18446744073709551615.999999999999999999us", ":", "::", "1::", "+", "-", "+P1D",
            ".",
            "1\u{B5}s", "\u{B5}", "P18446744073709551615Y", "1h\u{0}",
        ]
        for text in texts {
            _ = CalendarSpan.parse(text)
            _ = CalendarSpan.parseDuration(text)
        }
    }

    @Test(
        "a lead time must be longer than zero", arguments: ["0s", "P0D", "PT0S", "0 days", "0:00:00", "0.0000000001s"])
    func zeroLead(text: String) {
        guard case .failure(let problem) = CalendarSpan.parse(text) else {
            Issue.record("no error")
            return
        }
        #expect(problem.message == "'\(text)' is zero; a lead time must be longer")
        #expect(CalendarSpan.parseDuration(text) == .success(.zero))
    }

    @Test(
        "calendar units and exact units stay separate",
        arguments: [
            ("1 year", CalendarSpan(months: 12)), ("1.5y", CalendarSpan(months: 18)), ("2M", CalendarSpan(months: 2)),
            ("1 week", CalendarSpan(days: 7)), ("24 hours", CalendarSpan(nanoseconds: 86_400_000_000_000)),
            ("1.5 days", CalendarSpan(days: 1, nanoseconds: 43_200_000_000_000)),
            ("1.5 weeks", CalendarSpan(days: 10, nanoseconds: 43_200_000_000_000)),
            ("1:30:00", CalendarSpan(nanoseconds: 5_400_000_000_000)),
            ("0:00:00.000000001", CalendarSpan(nanoseconds: 1)),
            ("36:00:00", CalendarSpan(nanoseconds: 129_600_000_000_000)),
            ("PT1,5S", CalendarSpan(nanoseconds: 1_500_000_000)),
            ("3\u{B5}s", CalendarSpan(nanoseconds: 3_000)), ("3\u{3BC}s", CalendarSpan(nanoseconds: 3_000)),
        ])
    func parts(text: String, expected: CalendarSpan) {
        #expect(CalendarSpan.parse(text) == .success(expected))
    }

    @Test("a lead time is at most 200 years, whatever units make it up")
    func longest() {
        for text in ["200y", "2400M", "100y 36525d", "73050d", "199y 365d 6h"] {
            #expect(throws: Never.self, "\(text)") { try CalendarSpan.parse(text).get() }
            #expect(throws: SpanProblem.self, "\(text)") { try CalendarSpan.parse(text + " 1us").get() }
        }
    }

    @Test("a month is 'mo'; 'M' alone is refused in an exact duration and doubtful in a lead time")
    func bareMonth() {
        for text in ["25M", "1h 4M", "4 M"] {
            let doubt = "'\(text)': m is minutes, mo or month are months"
            #expect(CalendarSpan.monthDoubt(about: text) == doubt)
            #expect(CalendarSpan.parseExactDuration(text) == .failure(SpanProblem(doubt)))
        }
        for text in ["25m", "4mo", "4 months", "PT4M", "1:30:00", "M", "4MM", "mM"] {
            #expect(CalendarSpan.monthDoubt(about: text) == nil)
            #expect(CalendarSpan.parseExactDuration(text) == CalendarSpan.parseDuration(text))
        }
        #expect(CalendarSpan.parse("4mo") == .success(CalendarSpan(months: 4)))
    }

    @Test("a fraction of a month has no meaning on a calendar", arguments: ["1.5 months", "0.3y", "P0.5M"])
    func fractionOfMonth(text: String) {
        #expect(throws: SpanProblem.self) { try CalendarSpan.parse(text).get() }
    }

    @Test(
        "units are singular or plural, and whole weeks are written as weeks",
        arguments: [
            ("1 day", "1 day"), ("7d", "1 week"), ("14 days", "2 weeks"), ("10d", "10 days"),
            ("90m", "1 hour 30 minutes"),
            ("1s", "1 second"), ("61s", "1 minute 1 second"), ("500ms", "0.5 seconds"), ("1.5s", "1.5 seconds"),
            ("13 months", "1 year 1 month"), ("24h", "24 hours"), ("1d 2h", "1 day 2 hours"),
            ("30 minutes", "30 minutes"),
            ("1us", "0.000001 seconds"), ("24 months", "2 years"),
        ])
    func words(text: String, expected: String) throws {
        #expect(try CalendarSpan.parse(text).get().text == expected)
    }

    @Test("any values, in or out of range, have words and an ISO form")
    func extremes() {
        for value in [Int.min, -1, 0, 1, .max] {
            let span = CalendarSpan(months: value, days: value, nanoseconds: Int64(value))
            #expect(!span.text.isEmpty)
            #expect(span.iso8601.hasPrefix("P"))
            _ = span.exactDuration
            _ = CalendarSpan(days: value, nanoseconds: Int64(value)).exactDuration
        }
        #expect(CalendarSpan().text == "0 seconds")
        #expect(CalendarSpan().iso8601 == "PT0S")
    }

    @Test("the ISO form reads back to the same span")
    func roundTrip() throws {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<20_000 {
            func part(_ limit: Int64) -> Int64 {
                switch random.next() % 4 {
                case 0: 0
                case 1: Int64.random(in: 0...min(limit, 100), using: &random)
                case 2: min(limit, Int64.random(in: 0...10_000, using: &random) * 1_000_000_000)
                default: Int64.random(in: 0...limit, using: &random)
                }
            }
            let span = CalendarSpan(
                months: Int(part(800)), days: Int(part(24_350)), nanoseconds: part(2_000_000_000_000_000_000))
            guard span != CalendarSpan() else { continue }
            #expect(CalendarSpan.parse(span.iso8601) == .success(span), "\(span.iso8601)")
        }
    }

    @Test(
        "the ISO form, which is stored, never changes",
        arguments: [
            ("1 day", "P1D"), ("1 week", "P7D"), ("10m", "PT10M"), ("90m", "PT1H30M"), ("24h", "PT24H"),
            ("1y 1M 1d 1h 1.25s", "P1Y1M1DT1H1.25S"), ("0.5s", "PT0.5S"),
        ])
    func isoForm(text: String, expected: String) throws {
        #expect(try CalendarSpan.parse(text).get().iso8601 == expected)
    }
}
