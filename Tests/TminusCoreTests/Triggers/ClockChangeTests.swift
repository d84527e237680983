import Testing

@testable import TminusCore

/// The reported effects of clock changes, by the rules of Berlin.
struct ClockChangeTests {
    let zone = try! berlin()

    private func texts(_ trigger: Trigger, after text: String, _ count: Int) throws -> [String?] {
        var instant = try instant(text, zone)
        return (0..<count).map { _ in
            instant = trigger.next(after: instant) ?? .distantFuture
            return trigger.clockChange(at: instant, in: zone)?.text
        }
    }

    private func leftOut(_ trigger: Trigger, _ from: String, _ to: String) throws -> [String] {
        try trigger.leftOut(after: instant(from, zone), upTo: instant(to, zone), in: zone)
            .map { "\($0.clock.dateText) \($0.text)" }
    }

    private func cron(_ text: String, _ daylightSaving: DaylightSaving = .compatible) throws -> Trigger {
        .cron(try CronTrigger(CronExpression.parse(text).get(), in: zone, daylightSaving: daylightSaving))
    }

    private func rule(_ text: String, _ start: String, _ daylightSaving: DaylightSaving = .compatible) throws -> Trigger
    {
        .recurrence(
            try RecurrenceTrigger(
                RecurrenceRule.parse(text).get(), in: zone, daylightSaving: daylightSaving,
                bounds: TriggerBounds(start: DateOrTime.parse(start).get())))
    }

    private func every(_ text: String, _ start: String, _ daylightSaving: DaylightSaving = .compatible) throws
        -> Trigger
    {
        .every(
            try EveryTrigger(
                CalendarSpan.parse(text).get(), in: zone, daylightSaving: daylightSaving,
                bounds: TriggerBounds(start: DateOrTime.parse(start).get())))
    }

    private static let skip = "does not exist this day, the clock skips 02:00 to 03:00"

    @Test("a skipped time reports its replacement, on that day only")
    func moved() throws {
        let expected = [nil, "02:30 \(Self.skip): 03:00 instead", nil]
        #expect(try texts(cron("30 2 * * *"), after: "2026-03-27 12:00", 3) == expected)
        let shifted = [nil, "02:30 \(Self.skip): 03:30 instead", nil]
        #expect(try texts(rule("FREQ=DAILY", "2026-01-01 02:30"), after: "2026-03-27 12:00", 3) == shifted)
        #expect(try texts(every("1 day", "2026-01-01 02:30"), after: "2026-03-27 12:00", 3) == shifted)
        #expect(try texts(every("1 week", "2026-03-29 02:30"), after: "2026-03-27 12:00", 2) == [shifted[1], nil])
        #expect(
            try texts(rule("FREQ=WEEKLY", "2026-03-29 02:30:10"), after: "2026-03-27 12:00", 2) == [
                "02:30:10 \(Self.skip): 03:30:10 instead", nil,
            ])
        // A written 03:30 is not moved.
        #expect(try texts(rule("FREQ=DAILY", "2026-01-01 03:30"), after: "2026-03-28 12:00", 1) == [nil])
    }

    @Test("a repeated time reports which of the two it is")
    func repeated() throws {
        let (first, second) = ("02:30 comes twice this day: the first", "02:30 comes twice this day: the second")
        #expect(try texts(cron("30 2 * * *"), after: "2026-10-24 12:00", 2) == [first, nil])
        #expect(try texts(cron("30 2 * * *", .both), after: "2026-10-24 12:00", 3) == [first, second, nil])
        #expect(try texts(cron("30 * * * *"), after: "2026-10-25 01:00", 4) == [nil, first, second, nil])
        #expect(try texts(.at([instant("2026-10-25 02:30", zone)]), after: "2026-10-24 12:00", 1) == [first])
    }

    @Test("dropped times are reported, except for rules that run every hour")
    func left() throws {
        let expected = ["2026-03-29 02:30 \(Self.skip): left out"]
        let (from, to) = ("2026-03-01", "2026-04-30")
        #expect(try leftOut(cron("30 2 * * *", .skip), from, to) == expected)
        #expect(try leftOut(rule("FREQ=DAILY", "2026-01-01 02:30", .skip), from, to) == expected)
        #expect(try leftOut(every("1 day", "2026-01-01 02:30", .skip), from, to) == expected)
        #expect(try leftOut(cron("*/20 2 * * *"), from, to) == ["2026-03-29 02:00 \(Self.skip): left out"])
        for trigger in [
            try cron("30 2 * * *"), try cron("*/20 * * * *"), try cron("30 4 * * *", .skip),
            try rule("FREQ=HOURLY", "2026-01-01 00:30", .skip), try every("30m", "2026-01-01", .skip),
            try rule("FREQ=DAILY", "2026-03-30 02:30", .skip), try rule("FREQ=DAILY;COUNT=3", "2026-01-01 02:30"),
        ] {
            #expect(try leftOut(trigger, from, to) == [])
        }
    }

    @Test("written times report what became of them, and each that is left out")
    func at() throws {
        func list(_ texts: [String], _ daylightSaving: DaylightSaving, _ bounds: TriggerBounds = .init()) throws
            -> Trigger
        {
            .at(
                try texts.map { try DateOrTime.parse($0).get() }, in: zone, daylightSaving: daylightSaving,
                bounds: bounds)
        }
        let (before, gap, later) = ("2026-03-28 02:30", "2026-03-29 02:30", "2027-03-28 02:15")
        let moved = "02:30 \(Self.skip): 03:30 instead"
        #expect(try texts(list([gap, before], .compatible), after: "2026-03-01", 2) == [nil, moved])
        #expect(try texts(list(["2026-03-29 03:30"], .compatible), after: "2026-03-01", 1) == [nil])
        let expected = ["2026-03-29 02:30 \(Self.skip): left out", "2027-03-28 02:15 \(Self.skip): left out"]
        #expect(try leftOut(list([later, gap, before], .skip), "2026-03-01", "2030-01-01") == expected)
        #expect(try leftOut(list([later, gap], .skip), "2026-06-01", "2030-01-01") == [expected[1]])
        #expect(try leftOut(list([later, gap], .both), "2026-03-01", "2030-01-01") == [])
        let bounds = TriggerBounds(
            until: try DateOrTime.parse("2027-01-01").get(), except: [try DateOrTime.parse("2026-03-29").get()])
        #expect(try leftOut(list([later, gap, before], .skip, bounds), "2026-03-01", "2030-01-01") == [])
        #expect(try leftOut(list([later], .skip, .init(count: 1)), "2026-03-01", "2030-01-01") == [])
    }

    @Test("a gap over midnight names the days")
    func midnight() throws {
        let cairo = try Zone(name: "Cairo", posix: "EET-2EEST,M4.5.5/0,M10.5.4/24")
        let change = try DateOrTime.parse("2026-04-24").get().clockChange(in: cairo, .compatible)
        #expect(
            change?.text == "00:00 does not exist this day, the clock skips 00:00 to 01:00: 01:00 instead")
        let apia = try Zone(name: "Apia", posix: "<-10>10<+14>-14,J364/0,J365/12")
        let day = try DateOrTime.parse("2026-12-30 10:00").get().clockChange(in: apia, .compatible)
        #expect(
            day?.text
                == "2026-12-30 10:00 does not exist, the clock skips 2026-12-30 00:00 to 2026-12-31 00:00: "
                + "2026-12-31 10:00 instead")
    }
}
