import Testing
import TminusCore

@Suite("Plain dates")
struct PlainDateTests {
    private static let zone = try? Zone(name: "Europe/Berlin", posix: ZoneTests.berlin)

    private func parse(_ text: String, now: String, allowsPast: Bool = false) throws -> Result<PlainDate, SpanProblem> {
        guard case .instant(let now) = try DateTimeText.parse(now).get() else { throw SpanProblem("no offset") }
        return PlainDate.parse(text, now: now, zone: try #require(Self.zone), allowsPast: allowsPast)
    }

    // A Saturday.
    @Test(
        "every form, on Saturday 21 November 2026 at 17:10:20.7 in Berlin",
        arguments: [
            ("tomorrow 9:00", "2026-11-22T09:00:00.000+01:00"),
            ("9:00 tomorrow", "2026-11-22T09:00:00.000+01:00"),
            ("Tomorrow at 9am", "2026-11-22T09:00:00.000+01:00"),
            ("tomorrow", "2026-11-22T00:00:00.000+01:00"),
            ("today 18:30", "2026-11-21T18:30:00.000+01:00"),
            ("today 5:10:21 pm", "2026-11-21T17:10:21.000+01:00"),
            ("18:30", "2026-11-21T18:30:00.000+01:00"),
            ("9:00", "2026-11-22T09:00:00.000+01:00"),
            ("noon", "2026-11-22T12:00:00.000+01:00"),
            ("midnight", "2026-11-22T00:00:00.000+01:00"),
            ("12am", "2026-11-22T00:00:00.000+01:00"),
            ("12 p.m.", "2026-11-22T12:00:00.000+01:00"),
            ("9:30pm", "2026-11-21T21:30:00.000+01:00"),
            ("fri 15:30", "2026-11-27T15:30:00.000+01:00"),
            ("sat 18:00", "2026-11-21T18:00:00.000+01:00"),
            ("sat 17:10", "2026-11-28T17:10:00.000+01:00"),
            ("sat", "2026-11-28T00:00:00.000+01:00"),
            ("saturday noon", "2026-11-28T12:00:00.000+01:00"),
            ("this saturday 18:00", "2026-11-21T18:00:00.000+01:00"),
            ("next saturday 18:00", "2026-11-28T18:00:00.000+01:00"),
            ("next monday", "2026-11-23T00:00:00.000+01:00"),
            ("next Mon, 9:00", "2026-11-23T09:00:00.000+01:00"),
            ("thurs 8am", "2026-11-26T08:00:00.000+01:00"),
            ("next week", "2026-11-28T17:10:20.000+01:00"),
            ("next month 9:00", "2026-12-21T09:00:00.000+01:00"),
            ("next year", "2027-11-21T17:10:20.000+01:00"),
            ("in 2h", "2026-11-21T19:10:21.000+01:00"),
            ("in 90 s", "2026-11-21T17:11:51.000+01:00"),
            ("in an hour and 30 minutes", "2026-11-21T18:40:21.000+01:00"),
            ("+3d", "2026-11-24T17:10:20.000+01:00"),
            ("+ 3d 9:00", "2026-11-24T09:00:00.000+01:00"),
            ("in 2 weeks at 9 am", "2026-12-05T09:00:00.000+01:00"),
            ("in 1M", "2026-12-21T17:10:20.000+01:00"),
            ("2026-12-01 09:00", "2026-12-01T09:00:00.000+01:00"),
            ("2026-12-01 9:00", "2026-12-01T09:00:00.000+01:00"),
            ("9pm 2026-12-01", "2026-12-01T21:00:00.000+01:00"),
            ("2026-12-01T09:00", "2026-12-01T09:00:00.000+01:00"),
            ("2026-12-01T09:00:00Z", "2026-12-01T10:00:00.000+01:00"),
            ("2026-12-01T09:00+05:30", "2026-12-01T04:30:00.000+01:00"),
            ("2026-12-01", "2026-12-01T00:00:00.000+01:00"),
            ("dec 24 18:00", "2026-12-24T18:00:00.000+01:00"),
            ("24 dec", "2026-12-24T00:00:00.000+01:00"),
            ("24. December 2027 noon", "2027-12-24T12:00:00.000+01:00"),
            ("the 3rd of january, 7:00", "2027-01-03T07:00:00.000+01:00"),
            ("20 nov 9:00", "2027-11-20T09:00:00.000+01:00"),
            ("feb 29 9:00", "2028-02-29T09:00:00.000+01:00"),
            ("thu dec 24 2026", "2026-12-24T00:00:00.000+01:00"),
            ("24 dec thursday 8:00", "2026-12-24T08:00:00.000+01:00"),
        ])
    func forms(text: String, expected: String) throws {
        let date = try parse(text, now: "2026-11-21T16:10:20.7Z").get()
        #expect(date.instant.rfc3339(in: date.zone) == expected)
        #expect(date.note == nil)
    }

    @Test(
        "looking back, a time, a weekday or a day without a year is the last one",
        arguments: [
            ("yesterday", "2026-11-20T00:00:00.000+01:00"), ("yesterday 9:00", "2026-11-20T09:00:00.000+01:00"),
            ("9:00", "2026-11-21T09:00:00.000+01:00"), ("18:30", "2026-11-20T18:30:00.000+01:00"),
            ("fri 15:30", "2026-11-20T15:30:00.000+01:00"), ("sat 9:00", "2026-11-21T09:00:00.000+01:00"),
            ("sat 18:00", "2026-11-14T18:00:00.000+01:00"), ("mon", "2026-11-16T00:00:00.000+01:00"),
            ("dec 24 18:00", "2025-12-24T18:00:00.000+01:00"), ("20 nov 9:00", "2026-11-20T09:00:00.000+01:00"),
            ("feb 29 9:00", "2024-02-29T09:00:00.000+01:00"), ("2026-12-01 09:00", "2026-12-01T09:00:00.000+01:00"),
            ("today 9:00", "2026-11-21T09:00:00.000+01:00"),
        ])
    func back(text: String, expected: String) throws {
        guard case .instant(let now) = try DateTimeText.parse("2026-11-21T16:10:20.7Z").get() else { return }
        let zone = try #require(Self.zone)
        let date = try PlainDate.parse(text, now: now, zone: zone, allowsPast: true, looking: .back).get()
        #expect(date.instant.rfc3339(in: zone) == expected)
    }

    @Test(
        "a day without a time is a whole day, and is written as a bound that includes it",
        arguments: [
            ("tomorrow", "2026-11-22"), ("dec 24", "2026-12-24"), ("mon", "2026-11-23"), ("2026-12-01", "2026-12-01"),
            ("dec 24 18:00", "2026-12-24 18:00"), ("midnight", "2026-11-22 00:00"),
            ("in 2 weeks", "2026-12-05 17:10:20"),
            ("2026-12-01 00:00", "2026-12-01 00:00"),
        ])
    func wholeDays(text: String, written: String) throws {
        #expect(try parse(text, now: "2026-11-21T16:10:20.7Z").get().writtenBound == written)
    }

    @Test(
        "both edges of daylight saving, ends of months, leap days",
        arguments: [
            // The clock goes from 02:00 to 03:00 on 29 March 2026, and from 03:00 to 02:00 on 25 October.
            ("2026-03-28T12:00:00+01:00", "tomorrow 2:30", "2026-03-29T03:30:00.000+02:00"),
            ("2026-03-28T02:30:00+01:00", "+1d", "2026-03-29T03:30:00.000+02:00"),
            ("2026-03-28T02:30:00+01:00", "in 24h", "2026-03-29T03:30:00.000+02:00"),
            ("2026-03-28T12:00:00+01:00", "in 24h", "2026-03-29T13:00:00.000+02:00"),
            ("2026-03-28T12:00:00+01:00", "in 1 day", "2026-03-29T12:00:00.000+02:00"),
            ("2026-03-29T01:59:00+01:00", "2:30", "2026-03-29T03:30:00.000+02:00"),
            ("2026-10-24T12:00:00+02:00", "sun 2:30", "2026-10-25T02:30:00.000+02:00"),
            ("2026-10-25T02:10:00+02:00", "in 1h", "2026-10-25T02:10:00.000+01:00"),
            ("2026-10-25T02:40:00+02:00", "in 2h", "2026-10-25T03:40:00.000+01:00"),
            ("2026-01-31T09:00:00+01:00", "in 1 month", "2026-02-28T09:00:00.000+01:00"),
            ("2028-01-31T09:00:00+01:00", "next month", "2028-02-29T09:00:00.000+01:00"),
            ("2028-02-29T09:00:00+01:00", "+1y", "2029-02-28T09:00:00.000+01:00"),
            ("2026-12-31T23:59:59+01:00", "tomorrow 0:00", "2027-01-01T00:00:00.000+01:00"),
            ("2026-02-28T12:00:00+01:00", "tomorrow noon", "2026-03-01T12:00:00.000+01:00"),
            ("2028-02-29T12:00:00+01:00", "feb 29 9:00", "2032-02-29T09:00:00.000+01:00"),
            // A Friday, before and after.
            ("2026-11-27T15:29:59+01:00", "fri 15:30", "2026-11-27T15:30:00.000+01:00"),
            ("2026-11-27T15:30:00+01:00", "fri 15:30", "2026-12-04T15:30:00.000+01:00"),
            ("2026-11-27T12:00:00+01:00", "next fri 15:30", "2026-12-04T15:30:00.000+01:00"),
        ])
    func edges(now: String, text: String, expected: String) throws {
        let date = try parse(text, now: now).get()
        #expect(date.instant.rfc3339(in: date.zone) == expected)
    }

    @Test("the written form reads back to the same instant, even in a repeated hour")
    func written() throws {
        let plain = try parse("fri 15:30", now: "2026-11-21T16:10:20.7Z").get()
        #expect(plain.written == "2026-11-27 15:30")
        let seconds = try parse("in 10 s", now: "2026-11-21T16:10:20Z").get()
        #expect(seconds.written == "2026-11-21 17:10:30")
        let second = try parse("in 1h", now: "2026-10-25T02:10:00+02:00").get()
        #expect(second.written == "2026-10-25T02:10:00+01:00")
        for date in [plain, seconds, second] {
            let instant =
                switch try DateTimeText.parse(date.written).get() {
                case .local(let local): date.zone.instant(of: local)
                case .instant(let instant): instant
                }
            #expect(instant == date.instant)
        }
    }

    @Test(
        "the echo shows the day, the zone, the distance, and the effect of daylight saving",
        arguments: [
            ("dec 1 9:00", "Tue 1 December 2026, 09:00 Europe/Berlin (in 10 days)"),
            ("in 45s", "Sat 21 November 2026, 17:11:05 Europe/Berlin (in 45 s)"),
            (
                "2027-03-28 02:30",
                "Sun 28 March 2027, 03:30 Europe/Berlin (in 126 days); the clock skips 02:30 on that day"
            ),
            (
                "2027-10-31 02:30",
                "Sun 31 October 2027, 02:30 Europe/Berlin (in 343 days); "
                    + "the clock shows 02:30 twice on that day, this is the first"
            ),
        ])
    func echo(text: String, expected: String) throws {
        let date = try parse(text, now: "2026-11-21T16:10:20Z").get()
        #expect(date.text(now: Timestamp(seconds: 1_795_277_420)) == expected)
    }

    @Test(
        "a past, nonexistent or unknown date is refused with a message",
        arguments: [
            (
                "today 9:00",
                "'today 9:00' is in the past: understood as Sat 21 November 2026, 09:00 Europe/Berlin (8 hours ago)"
            ),
            (
                "21 nov",
                "'21 nov' is in the past: understood as Sat 21 November 2026, 00:00 Europe/Berlin (17 hours ago)"
            ),
            (
                "this sat 9:00",
                "'this sat 9:00' is in the past: understood as Sat 21 November 2026, 09:00 Europe/Berlin (8 hours ago)"
            ),
            ("2026-02-30", "'2026-02-30': February 2026 has 28 days"),
            ("in 180 years", "'in 180 years': year 2206 is out of range; write a year from 1900 to 2200"),
            ("24 dec 2201", "'24 dec 2201': year 2201 is out of range; write a year from 1900 to 2200"),
            ("feb 30", "'feb 30': February has no day 30"),
            ("24 dec 2023x", "'24 dec 2023x': '2023x' is not understood; \(examples)"),
            ("25:00", "'25:00': hour 25 does not exist, hours go from 0 to 23"),
            ("13pm", "'13pm': with am and pm, hours go from 1 to 12"),
            ("fri 9", "'fri 9': '9' alone is neither a time nor a date; write '9:00', '9am' or '9 dec'"),
            ("mon tue 9:00", "'mon tue 9:00': there are two days in it"),
            ("9:00 10:00", "'9:00 10:00': there are two times in it"),
            ("fri 24 dec 2026", "'fri 24 dec 2026': 2026-12-24 is a Thursday"),
            ("tomorow 9:00", "'tomorow 9:00': 'tomorow' is not understood, did you mean 'tomorrow'?"),
            ("next", "'next': a weekday is missing behind 'next', as in 'next friday'"),
            ("dec", "'dec': a day of the month is missing, as in 'dec 24'"),
            ("12/24", "'12/24': '12/24' is not understood; \(examples)"),
            ("in 5", "'5' has no unit: write '5s' or '5m'"),
            ("in 2h 9:00", "'in 2h 9:00': a time of day can follow days, weeks, months and years only"),
            ("", "a date is missing; \(examples)"),
        ])
    func refused(text: String, message: String) throws {
        let result = try parse(text, now: "2026-11-21T16:10:20Z")
        guard case .failure(let problem) = result else {
            Issue.record("understood as \(result)")
            return
        }
        #expect(problem.message == message)
    }

    private static let examples =
        "write '2026-12-01 09:00', 'tomorrow 9:00', 'fri 15:30', 'dec 24 18:00', 'in 2h' or '+3d'"

    @Test("a past date is accepted if allowed")
    func past() throws {
        let date = try parse("today 9:00", now: "2026-11-21T16:10:20Z", allowsPast: true).get()
        #expect(date.written == "2026-11-21 09:00")
    }

    @Test("no text makes the process crash", arguments: 0..<400)
    func hostile(seed: Int) throws {
        let words = [
            "in", "+", "+3d", "fri", "next", "dec", "24", "9:00", "99", "2026-12-01", "-", "1e9", "9999999999999", "am",
            "pm", "\u{0}", "\u{1F600}", "2026-99-99", "24.", "3rd", ":", "week", "in", "0", "4711", "m\u{e4}rz", "999y",
        ]
        var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 &+ 1
        func next(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        let text = (0..<(1 + next(5))).map { _ in words[next(words.count)] }.joined(separator: " ")
        // Every date that was understood can be written.
        if case .success(let date) = try parse(text, now: "2026-11-21T16:10:20Z") {
            #expect(!date.written.isEmpty, "\(text)")
        }
    }
}
