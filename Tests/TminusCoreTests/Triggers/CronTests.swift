import Testing
import TminusCore

struct CronTests {
    @Test(
        "a problem has a message, a range and a suggestion",
        arguments: [
            ("0 25 * * *", 2..<4, "25 is out of range for the hour field: 0–23"),
            ("0 0 * * FRI-SUN", 8..<15, "'FRI-SUN' runs backwards; write '5-7', Sunday is also 7"),
            ("0 22-2 * * *", 2..<6, "'22-2' runs backwards; write '22-23,0-2'"),
            ("0 0 * * MOM", 8..<11, "'MOM' is not a value for the day-of-week field, did you mean 'MON'?"),
            ("0 4/6 * * *", 2..<5, "'4/6' has a step without a range; write '4-23/6', or '4' alone"),
            ("0 0 31 2,4 *", 4..<10, "never fires: none of its months has a day 31"),
            ("@dayly", 0..<6, "'@dayly' is not known, did you mean '@daily'?"),
            ("*/5", 0..<3, "this has 1"), ("0 0 L * *", 4..<5, "BYMONTHDAY=-1"),
            ("CRON_TZ=UTC 0 0 * * *", 0..<11, "a zone goes under 'timezone'"), ("0 0 * * ?", 8..<9, "write '*'"),
        ])
    func problems(text: String, range: Range<Int>, message: String) throws {
        let problem = #expect(throws: RuleProblem.self) { try CronExpression.parse(text).get() }
        #expect(problem?.range == range)
        #expect(problem?.message.contains(message) == true, "\(problem?.message ?? "")")
    }

    @Test(
        "an expression is printed in its shortest form and keeps significant stars",
        arguments: [
            ("@weekly", "0 0 * * 0"), ("*/15 9-17 * JAN,FEB,MAR MON-FRI", "*/15 9-17 * 1-3 1-5"),
            ("0 0 1-31 * 7", "0 0 1-31 * 0"), ("*,5 0 */2,4 * *", "* 0 */2,4 * *"),
            ("1,0 30 4 1 1 *", "0,1 30 4 1 1 *"),
        ])
    func text(written: String, canonical: String) throws {
        let expression = try CronExpression.parse(written).get()
        #expect(expression.description == canonical)
        #expect(try CronExpression.parse(canonical).get() == expression)
    }

    @Test("day of month and day of week are joined by 'or', and by 'and' if one of them begins with a star")
    func days() throws {
        let zone = try berlin()
        let either = try Trigger.cron("0 0 13 * 5", zone)
        #expect(
            try either.local(zone, after: "2026-04-09 12:00", limit: 3)
                == ["2026-04-10 00:00", "2026-04-13 00:00", "2026-04-17 00:00"])
        let both = try Trigger.cron("0 0 */2 * 5", zone)
        #expect(
            try both.local(zone, after: "2026-04-01 12:00", limit: 3)
                == ["2026-04-03 00:00", "2026-04-17 00:00", "2026-05-01 00:00"])
    }

    @Test("a fixed time in a gap runs once right after it; of a repeated time the first runs")
    func fixedTimes() throws {
        let zone = try berlin()
        let twice = try Trigger.cron("15,30 2 * * *", zone)
        #expect(
            try twice.local(zone, after: "2026-03-28 12:00", limit: 3)
                == ["2026-03-29 03:00", "2026-03-30 02:15", "2026-03-30 02:30"])
        let once = try Trigger.cron("30 2 * * *", zone)
        #expect(try once.next(after: instant("2026-10-24T12:00:00Z")) == instant("2026-10-25T00:30:00Z"))
        #expect(try once.next(after: instant("2026-10-25T00:30:00Z")) == instant("2026-10-26T01:30:00Z"))
    }

    @Test("with seconds, all fixed times in a gap become one run right after it")
    func fixedTimesWithSeconds() throws {
        let zone = try berlin()
        let trigger = try Trigger.cron("*/20 30 2 * * *", zone)
        #expect(
            try trigger.local(zone, after: "2026-03-28 12:00", limit: 3)
                == ["2026-03-29 03:00", "2026-03-30 02:30", "2026-03-30 02:30:20"])
    }

    @Test("policies apply to fixed times; wildcards follow the clock under every policy")
    func policies() throws {
        let zone = try berlin()
        let skip = try Trigger.cron("30 2 * * *", zone, dst: .skip)
        #expect(try skip.local(zone, after: "2026-03-28 12:00", limit: 1) == ["2026-03-30 02:30"])
        #expect(try skip.next(after: instant("2026-10-25T00:30:00Z")) == instant("2026-10-26T01:30:00Z"))
        let both = try Trigger.cron("30 2 * * *", zone, dst: .both)
        #expect(try both.local(zone, after: "2026-03-28 12:00", limit: 1) == ["2026-03-29 03:00"])
        #expect(try both.next(after: instant("2026-10-25T00:30:00Z")) == instant("2026-10-25T01:30:00Z"))
        for policy in DaylightSaving.allCases {
            let wildcard = try Trigger.cron("*/30 2 * * *", zone, dst: policy)
            #expect(try wildcard.local(zone, after: "2026-03-28 12:00", limit: 1) == ["2026-03-30 02:00"])
            let hourly = try Trigger.cron("@hourly", zone, dst: policy)
            #expect(try hourly.next(after: instant("2026-10-25T00:00:00Z")) == instant("2026-10-25T01:00:00Z"))
        }
    }

    @Test("a count counts from the start, over gaps and repeated hours")
    func count() throws {
        let zone = try berlin()
        let bounds = TriggerBounds(start: try bound("2026-03-28"), count: 3)
        #expect(
            try Trigger.cron("30 2 * * *", zone, bounds).local(zone)
                == ["2026-03-28 02:30", "2026-03-29 03:00", "2026-03-30 02:30"])
        // On the 29th both times are one instant.
        let four = TriggerBounds(start: try bound("2026-03-28"), count: 4)
        #expect(
            try Trigger.cron("0 2,3 * * *", zone, four).local(zone)
                == ["2026-03-28 02:00", "2026-03-28 03:00", "2026-03-29 03:00", "2026-03-30 02:00"])
        let second = TriggerBounds(start: try bound("2026-01-01"), count: 1_000_000_000)
        let last = try instant("2026-01-01").advanced(by: .seconds(999_999_999))
        let trigger = try Trigger.cron("* * * * * *", .utc, second)
        #expect(trigger.next(after: last.advanced(by: .seconds(-1))) == last)
        #expect(trigger.next(after: last) == nil)
        let problem = #expect(throws: TriggerProblem.self) { try Trigger.cron("@daily", .utc, TriggerBounds(count: 3)) }
        #expect(problem?.key == "count")
        #expect(throws: TriggerProblem.self) {
            try Trigger.cron("@daily", .utc, TriggerBounds(start: bound("2026-01-01"), count: 0))
        }
    }

    @Test("a search for a rare date ends, even at both ends of time")
    func ends() throws {
        let rare = try Trigger.cron("0 0 29 2 */7")
        #expect(try rare.local(after: "2088-03-01", limit: 1) == ["2128-02-29 00:00"])
        #expect(try rare.local(after: "2250-01-01", limit: 1) == ["2252-02-29 00:00"])
        #expect(try rare.local(after: "2252-03-01").isEmpty)
        #expect(rare.next(after: .distantFuture) == nil)
        #expect(rare.next(after: .distantPast) != nil)
        #expect(try Trigger.cron("* * * * *", berlin()).next(after: .distantFuture) == nil)
    }
}
