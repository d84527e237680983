import Testing
import TminusCore

struct DateTimeTextTests {
    @Test(
        "every local form",
        arguments: [
            ("2026-12-01", LocalDateTime(2026, 12, 1)),
            ("2026-12-01 09:00", LocalDateTime(2026, 12, 1, 9)),
            ("2026-12-01T09:00", LocalDateTime(2026, 12, 1, 9)),
            ("2026-12-01t09:00", LocalDateTime(2026, 12, 1, 9)),
            ("  2026-12-01  09:00:30 ", LocalDateTime(2026, 12, 1, 9, 0, 30)),
            ("2026-12-01 09:00:30.25", LocalDateTime(2026, 12, 1, 9, 0, 30, nanosecond: 250_000_000)),
            ("2028-02-29 23:59:59.999999999", LocalDateTime(2028, 2, 29, 23, 59, 59, nanosecond: 999_999_999)),
        ])
    func local(text: String, expected: LocalDateTime) {
        #expect(DateTimeText.parse(text) == .success(.local(expected)))
    }

    @Test(
        "every form with an offset",
        arguments: [
            ("2026-12-01T09:00:00Z", 1_796_115_600), ("2026-12-01T09:00Z", 1_796_115_600),
            ("2026-12-01 09:00:00z", 1_796_115_600), ("2026-12-01T10:30:00+01:30", 1_796_115_600),
            ("2026-12-01T01:00:00-08:00", 1_796_115_600), ("1970-01-01T00:00:00-00:00", 0),
            ("1969-12-31T23:59:59Z", -1),
        ] as [(String, Int64)])
    func instant(text: String, expected: Int64) {
        #expect(DateTimeText.parse(text) == .success(.instant(Timestamp(seconds: expected))))
    }

    @Test(
        "an error names the part that does not exist",
        arguments: [
            ("2026-13-01", "month 13 does not exist"), ("2026-00-01", "month 0 does not exist"),
            ("2026-02-30", "February 2026 has 28 days"), ("2024-02-30", "February 2024 has 29 days"),
            ("2100-02-29", "February 2100 has 28 days"), ("2026-04-31", "April 2026 has 30 days"),
            ("2026-01-00", "day 0 does not exist"),
            ("2026-01-01 24:00", "hour 24 does not exist, hours go from 0 to 23"),
            ("2026-01-01 09:60", "minute 60 does not exist"),
            ("2026-01-01 09:00:60", "second 60 does not exist, leap seconds are not counted"),
            ("2026-01-01 09:00:61", "second 61 does not exist"),
            ("9999-01-01", "year 9999 is out of range; write a year from 1900 to 2200"),
            ("1899-12-31T23:59:59Z", "year 1899 is out of range; write a year from 1900 to 2200"),
            ("2201-01-01", "year 2201 is out of range; write a year from 1900 to 2200"),
            ("", "a date is missing; write a date such as '2026-12-01' or '2026-12-01 09:00'"),
            ("12/01/2026", "'12/01/2026' is not a date; write a date such as '2026-12-01' or '2026-12-01 09:00'"),
            ("2026-1-5", "'2026-1-5' is not a date; write a date such as '2026-12-01' or '2026-12-01 09:00'"),
            ("2026-01-01x", "'2026-01-01x' is not a date; write a date such as '2026-12-01' or '2026-12-01 09:00'"),
            ("09:00", "'09:00' is not a date; write a date such as '2026-12-01' or '2026-12-01 09:00'"),
            ("2026-01-01 9:00", "write the time as HH:MM or HH:MM:SS, such as '09:00'"),
            ("2026-01-01 09:00:00.", "a fraction of a second has 1 to 9 digits"),
            ("2026-01-01 09:00:00.1234567891", "a fraction of a second has 1 to 9 digits"),
            ("2026-01-01 09:00+0100", "write the offset as 'Z' or '+01:00'"),
            ("2026-01-01 09:00+24:00", "an offset goes from -23:59 to +23:59"),
            ("2026-01-01 09:00Zulu", "'ulu' after the time is not an offset"),
            ("2026-01-01 09:00 Europe/Berlin", "a zone's name goes under 'timezone'"),
            ("\u{FF12}026-01-01", "is not a date"),
        ])
    func errors(text: String, expected: String) {
        guard case .failure(let problem) = DateTimeText.parse(text) else {
            Issue.record("no error")
            return
        }
        #expect(problem.message.contains(expected), "\(problem.message)")
    }

    @Test("a million digits are not a date")
    func manyDigits() {
        errors(text: String(repeating: "2", count: 1_000_000), expected: "is not a date")
    }

    @Test(
        "RFC 3339 in UTC has milliseconds, or nanoseconds if needed",
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (1_000_000, "1970-01-01T00:00:00.001Z"),
            (1_500_000, "1970-01-01T00:00:00.001500000Z"), (-1, "1969-12-31T23:59:59.999999999Z"),
            (1_796_115_600_000_000_000, "2026-12-01T09:00:00.000Z"), (.max, "2262-04-11T23:47:16.854775807Z"),
            (.min, "1677-09-21T00:12:43.145224192Z"),
        ] as [(Int64, String)])
    func rfc3339(nanoseconds: Int64, expected: String) {
        #expect(Timestamp(nanoseconds: nanoseconds).rfc3339 == expected)
    }

    @Test(
        "RFC 3339 in a zone has its offset, to the minute",
        arguments: [
            ("CET-1", "1970-01-01T01:00:00.000+01:00"), ("<-0330>3:30", "1969-12-31T20:30:00.000-03:30"),
            ("LMT-0:53:28", "1970-01-01T00:53:00.000+00:53"), ("LMT0:00:20", "1970-01-01T00:00:00.000+00:00"),
        ])
    func rfc3339InZone(rule: String, expected: String) throws {
        #expect(Timestamp(nanoseconds: 0).rfc3339(in: try Zone(name: "Test", posix: rule)) == expected)
    }

    @Test("a formatted instant reads back to the same instant")
    func roundTrip() throws {
        let zone = try Zone(name: "Test", posix: "CET-1CEST,M3.5.0,M10.5.0/3")
        for _ in 0..<5_000 {
            let instant = Timestamp(nanoseconds: .random(in: -9_200_000_000_000_000_000...9_200_000_000_000_000_000))
            #expect(Timestamp(rfc3339: instant.rfc3339) == instant)
            #expect(Timestamp(rfc3339: instant.rfc3339(in: zone)) == instant)
        }
        for instant in [Timestamp.distantPast, .distantFuture] {
            #expect(Timestamp(rfc3339: instant.rfc3339) == instant)
        }
        // The zone's clock shows an instant beyond the range there, which the range ends.
        #expect(Timestamp(rfc3339: "2262-12-31T23:59:59.999Z") == .distantFuture)
        #expect(Timestamp(rfc3339: "2263-01-01T00:00:00Z") == nil)
        #expect(Timestamp(rfc3339: "2026-01-01 09:00") == nil)
    }
}
