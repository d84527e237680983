import Testing
import TminusCore

struct ZoneTests {
    static let berlin = "CET-1CEST,M3.5.0,M10.5.0/3"

    private func instant(_ text: String) throws -> Timestamp {
        guard case .instant(let instant) = try DateTimeText.parse(text).get() else { throw SpanProblem("no offset") }
        return instant
    }

    @Test("skipped and repeated clock times are recognized and resolved as compatible")
    func resolution() throws {
        let zone = try Zone(name: "Berlin", posix: Self.berlin)
        #expect(
            zone.resolve(LocalDateTime(2026, 3, 29, 2, 30))
                == .gap(before: try instant("2026-03-29T00:30:00Z"), after: try instant("2026-03-29T01:30:00Z")))
        #expect(zone.resolve(LocalDateTime(2026, 3, 29, 3)) == .unique(try instant("2026-03-29T01:00:00Z")))
        #expect(
            zone.resolve(LocalDateTime(2026, 10, 25, 2, 30))
                == .overlap(first: try instant("2026-10-25T00:30:00Z"), second: try instant("2026-10-25T01:30:00Z")))
        #expect(zone.resolve(LocalDateTime(2026, 10, 25, 3)) == .unique(try instant("2026-10-25T02:00:00Z")))
        #expect(zone.instant(of: LocalDateTime(2026, 3, 29, 2, 30)) == (try instant("2026-03-29T01:30:00Z")))
        #expect(zone.instant(of: LocalDateTime(2026, 10, 25, 2, 30)) == (try instant("2026-10-25T00:30:00Z")))
    }

    @Test(
        "a lead counts the calendar part first, then the exact part",
        arguments: [
            ("2026-03-30T07:00:00Z", "1 day", Reminder.Side.before, "2026-03-29T07:00:00Z"),
            ("2026-03-29T07:00:00Z", "1 day", .before, "2026-03-28T08:00:00Z"),
            ("2026-03-29T07:00:00Z", "24 hours", .before, "2026-03-28T07:00:00Z"),
            ("2026-03-31T07:00:00Z", "1 month", .before, "2026-02-28T08:00:00Z"),
            ("2026-01-31T08:00:00Z", "1 month", .after, "2026-02-28T08:00:00Z"),
            ("2026-03-29T10:00:00Z", "1.5 days", .before, "2026-03-27T23:00:00Z"),
            ("2026-03-28T01:30:00Z", "1 day", .after, "2026-03-29T01:30:00Z"),
            ("2026-10-25T01:30:00Z", "10m", .before, "2026-10-25T01:20:00Z"),
            ("2024-02-29T11:00:00Z", "1 year", .after, "2025-02-28T11:00:00Z"),
        ])
    func leads(occurrence: String, lead: String, side: Reminder.Side, expected: String) throws {
        let zone = try Zone(name: "Berlin", posix: Self.berlin)
        let span = try CalendarSpan.parse(lead).get()
        #expect(zone.instant(span, side, of: try instant(occurrence)) == (try instant(expected)))
    }

    @Test("a lead beyond the range of instants saturates")
    func saturation() throws {
        let zone = try Zone(name: "Berlin", posix: Self.berlin)
        for span in [
            CalendarSpan(months: .max, days: .max, nanoseconds: .max), CalendarSpan(months: .max),
            CalendarSpan(days: .max),
        ] {
            #expect(zone.instant(span, .before, of: .distantPast) == .distantPast)
            #expect(zone.instant(span, .after, of: .distantFuture) == .distantFuture)
            #expect(zone.instant(span, .before, of: Timestamp(nanoseconds: 0)) == .distantPast)
        }
        for instant in [Timestamp.distantPast, .distantFuture] {
            #expect(zone.instant(of: zone.local(instant)) == instant)
            #expect(Zone.utc.instant(of: Zone.utc.local(instant)) == instant)
            _ = zone.instant(CalendarSpan(months: .min, days: .min, nanoseconds: .min), .before, of: instant)
        }
    }

    @Test(
        "a rule's days and times of every form",
        arguments: [
            // POSIX TZ string, an instant just before and one at its first change in 2027, and both offsets.
            ("AAA0BBB,J60/0,J300", "2027-02-28T23:59:59Z", "2027-03-01T00:00:00Z", 0, 3_600),
            ("AAA0BBB,J60/0,J300", "2028-02-29T23:59:59Z", "2028-03-01T00:00:00Z", 0, 3_600),
            ("AAA0BBB,59/0,300", "2028-02-28T23:59:59Z", "2028-02-29T00:00:00Z", 0, 3_600),
            ("AAA0BBB,59/0,300", "2027-02-28T23:59:59Z", "2027-03-01T00:00:00Z", 0, 3_600),
            // Nuuk: the Saturday before the last Sunday, at -1 o'clock.
            ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2027-03-28T00:59:59Z", "2027-03-28T01:00:00Z", -7_200, -3_600),
            // A Thursday at 50 o'clock is the Saturday at 2.
            ("IST-2IDT,M3.4.4/50,M10.4.4/50", "2027-03-26T23:59:59Z", "2027-03-27T00:00:00Z", 7_200, 10_800),
            // Dublin: standard time is in summer.
            ("IST-1GMT0,M10.5.0,M3.5.0/1", "2027-03-28T00:59:59Z", "2027-03-28T01:00:00Z", 0, 3_600),
            // Without rules, those of the USA apply.
            ("EST5EDT", "2027-03-14T06:59:59Z", "2027-03-14T07:00:00Z", -18_000, -14_400),
            // Daylight saving time all year (RFC 9636 section 3.3.2).
            ("EST5EDT,0/0,J365/25", "2027-01-01T04:59:59Z", "2027-01-01T05:00:00Z", -14_400, -14_400),
            // Southern hemisphere: daylight saving time spans the turn of the year.
            ("NZST-12NZDT,M9.5.0,M4.1.0/3", "2027-04-03T13:59:59Z", "2027-04-03T14:00:00Z", 46_800, 43_200),
            ("<+0530>-5:30", "2027-04-03T13:59:59Z", "2027-04-03T14:00:00Z", 19_800, 19_800),
        ])
    func rules(rule: String, before: String, after: String, offset: Int, next: Int) throws {
        let zone = try Zone(name: "Test", posix: rule)
        #expect(zone.offset(at: try instant(before)) == offset)
        #expect(zone.offset(at: try instant(after)) == next)
    }

    @Test(
        "an invalid rule is an error",
        arguments: [
            "", "A", "AB1", "CET", "CET-25", "CET-1CEST,", "CET-1CEST,M3.5.0", "CET-1CEST,M13.5.0,M10.5.0",
            "CET-1CEST,M3.6.0,M10.5.0",
            "CET-1CEST,M3.5.7,M10.5.0", "CET-1CEST,J0,J100", "CET-1CEST,J366,J100", "CET-1CEST,366,100", "<CET-1",
            "CET-1CEST,M3.5.0/168,M10.5.0",
            "CET-1CEST,M3.5.0,M10.5.0x", "CET-99999999999999999999", "C\u{E9}T-1", "<>1", "CET-1:60",
        ])
    func badRules(rule: String) {
        #expect(throws: ZoneDataError.self) { try Zone(name: "Test", posix: rule) }
    }

    @Test("zones are equal if names and rules are equal")
    func identity() throws {
        let first = try Zone(name: "A", posix: Self.berlin)
        let second = try Zone(name: "A", posix: "XXX-1YYY,M3.5.0,M10.5.0/3")
        #expect(first == second)
        #expect(first.hashValue == second.hashValue)
        #expect(first != (try Zone(name: "B", posix: Self.berlin)))
        #expect(first != (try Zone(name: "A", posix: "CET-1")))
        #expect(Zone.utc == (try Zone(name: "UTC", posix: "UTC0")))
    }
}
