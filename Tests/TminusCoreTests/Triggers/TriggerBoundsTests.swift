import Testing

@testable import TminusCore

struct TriggerBoundsTests {
    @Test("excluded days, clock times and instants still count")
    func except() throws {
        let zone = try berlin()
        let trigger = try Trigger.rrule(
            "FREQ=DAILY;COUNT=6", from: "2026-03-27 02:30", zone,
            except: ["2026-03-28", "2026-03-29 02:30", "2026-03-31T00:30:00Z"])
        #expect(try trigger.local(zone) == ["2026-03-27 02:30", "2026-03-30 02:30", "2026-04-01 02:30"])
    }

    @Test("an excluded day of a rule for every second is skipped at once")
    func exceptedDays() throws {
        let days = (1...28).map { "2026-02-\($0 < 10 ? "0" : "")\($0)" }
        let trigger = try Trigger.cron(
            "* * * * * *", .utc, TriggerBounds(except: days.map { try bound($0) }))
        #expect(
            try trigger.local(after: "2026-01-31 23:59:58", limit: 2) == ["2026-01-31 23:59:59", "2026-03-01 00:00"])
    }

    @Test("an excluded day with two midnights is skipped completely")
    func midnightTwice() throws {
        let zone = try Zone(name: "Havana", posix: "CST5CDT,M3.2.0/0,M11.1.0/1")
        let trigger = try Trigger.cron("*/30 * * * *", zone, TriggerBounds(except: [bound("2026-11-01")]))
        #expect(
            try trigger.local(zone, after: "2026-10-31 23:00", limit: 2) == ["2026-10-31 23:30", "2026-11-02 00:00"])
    }

    @Test("a bound without a time covers the whole day")
    func days() throws {
        let bounds = TriggerBounds(start: try bound("2026-12-30"), until: try bound("2026-12-31"))
        #expect(
            try Trigger.cron("0 0,23 * * *", .utc, bounds).local()
                == ["2026-12-30 00:00", "2026-12-30 23:00", "2026-12-31 00:00", "2026-12-31 23:00"])
        let exact = TriggerBounds(until: try bound("2026-01-01 09:00"))
        #expect(
            try Trigger.cron("0 * * * *", .utc, exact).local(after: "2026-01-01 07:30") == [
                "2026-01-01 08:00", "2026-01-01 09:00",
            ])
    }

    @Test("bounds apply to lists of times")
    func list() throws {
        let times = try ["2026-01-03", "2026-01-01", "2026-01-02 00:00", "2026-01-02T00:00:00Z", "2026-01-04"].map(
            bound)
        let bounds = TriggerBounds(start: try bound("2026-01-02"), count: 2, except: [try bound("2026-01-02")])
        #expect(try Trigger.at(times, in: .utc, bounds: bounds) == .at([instant("2026-01-03")]))
        #expect(
            try Trigger.at(times, in: .utc).local()
                == ["2026-01-01 00:00", "2026-01-02 00:00", "2026-01-03 00:00", "2026-01-04 00:00"])
    }

    @Test(
        "the policy applies to each time of a list",
        arguments: [
            (DaylightSaving.compatible, ["2026-03-29 03:30", "2026-10-25 02:30"]), (.skip, ["2026-10-25 02:30"]),
            (.both, ["2026-03-29 03:30", "2026-10-25 02:30", "2026-10-25 02:30"]),
        ])
    func listPolicies(policy: DaylightSaving, expected: [String]) throws {
        let zone = try berlin()
        let times = try ["2026-03-29 02:30", "2026-10-25 02:30"].map(bound)
        #expect(try Trigger.at(times, in: zone, daylightSaving: policy).local(zone) == expected)
    }

    @Test("a trigger without occurrences reports it")
    func idle() throws {
        let never = try Trigger.cron(
            "@daily", .utc, TriggerBounds(start: bound("2026-02-01"), until: bound("2026-01-01")))
        #expect(try never.idleReason(after: instant("2020-01-01")) == "never fires")
        let past = try Trigger.every("1 day", from: "2026-01-01", count: 2)
        #expect(try past.idleReason(after: instant("2026-01-01")) == nil)
        #expect(try past.idleReason(after: instant("2026-02-01"))?.hasPrefix("never fires again") == true)
    }

    @Test("equal rules have equal texts, different rules different ones, and the text of a list is stable")
    func canonicalText() throws {
        #expect(
            Trigger.at([Timestamp(seconds: 1), Timestamp(seconds: 2)]).canonicalText == "at 1000000000,2000000000")
        let same = [try Trigger.cron("0 0 * * MON"), try Trigger.cron("0  0 * * 1")]
        #expect(same[0] == same[1])
        #expect(same[0].canonicalText == same[1].canonicalText)
        let others = [
            try Trigger.cron("0 0 * * 1"), try Trigger.cron("0 0 * * 2"), try Trigger.cron("0 0 * * 1", berlin()),
            try Trigger.cron("0 0 * * 1", dst: .skip),
            try Trigger.cron("0 0 * * 1", .utc, TriggerBounds(start: bound("2026-01-01"))),
            try Trigger.cron("0 0 * * 1", .utc, TriggerBounds(until: bound("2026-01-01"))),
            try Trigger.cron("0 0 * * 1", .utc, TriggerBounds(except: [bound("2026-01-01")])),
            try Trigger.cron("0 0 * * 1", .utc, TriggerBounds(except: [bound("2026-01-01 00:00")])),
            try Trigger.every("1 week", from: "2026-01-01"), try Trigger.every("168 hours", from: "2026-01-01"),
            try Trigger.rrule("FREQ=WEEKLY", from: "2026-01-01"),
            try Trigger.rrule("FREQ=WEEKLY", from: "2026-01-01 00:00:00.5"),
            try Trigger.rrule("FREQ=WEEKLY;WKST=SU", from: "2026-01-01"),
        ]
        #expect(Set(others.map(\.canonicalText)).count == others.count)
        #expect(Set(others).count == others.count)
    }
}
