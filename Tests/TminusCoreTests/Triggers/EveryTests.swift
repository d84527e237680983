import Testing
import TminusCore

struct EveryTests {
    @Test("a month's end is clamped from the start and does not drift")
    func monthEnd() throws {
        #expect(
            try Trigger.every("1 month", from: "2026-01-31 12:00").local()
                == [
                    "2026-01-31 12:00", "2026-02-28 12:00", "2026-03-31 12:00", "2026-04-30 12:00", "2026-05-31 12:00",
                    "2026-06-30 12:00",
                ])
        #expect(
            try Trigger.every("1 year", from: "2024-02-29").local(limit: 5)
                == [
                    "2024-02-29 00:00", "2025-02-28 00:00", "2026-02-28 00:00", "2027-02-28 00:00", "2028-02-29 00:00",
                ])
    }

    @Test("days keep the local time, hours are elapsed time")
    func clock() throws {
        let zone = try berlin()
        #expect(
            try Trigger.every("1 day", from: "2026-03-28 02:30", zone).local(zone, limit: 3)
                == ["2026-03-28 02:30", "2026-03-29 03:30", "2026-03-30 02:30"])
        #expect(
            try Trigger.every("24 hours", from: "2026-03-28 02:30", zone).local(zone, limit: 3)
                == ["2026-03-28 02:30", "2026-03-29 03:30", "2026-03-30 03:30"])
        #expect(
            try Trigger.every("1 day", from: "2026-03-28 02:30", zone, dst: .skip).local(zone, limit: 2)
                == ["2026-03-28 02:30", "2026-03-30 02:30"])
        #expect(
            try Trigger.every("1 day", from: "2026-10-24 02:30", zone, dst: .both).local(zone, limit: 4)
                == ["2026-10-24 02:30", "2026-10-25 02:30", "2026-10-25 02:30", "2026-10-26 02:30"])
    }

    @Test(
        "the next occurrence after any instant matches a walk",
        arguments: [
            "90s", "1 day", "3 days", "1 week", "1 month", "5 months", "1 month 1 day", "1 day 1 hour", "4 years",
        ])
    func walk(span: String) throws {
        let zone = try berlin()
        let trigger = try Trigger.every(span, from: "2024-01-31 02:30:00.25", zone)
        var walked: [Timestamp] = []
        var last = Timestamp.distantPast
        while walked.count < 60, let next = trigger.next(after: last) {
            #expect(next > last)
            walked.append(next)
            last = next
        }
        let parsed = try CalendarSpan.parse(span).get()
        let start = LocalDateTime(2024, 1, 31, 2, 30, 0, nanosecond: 250_000_000)
        for (index, found) in walked.enumerated() {
            let local = start.adding(months: parsed.months * index, days: parsed.days * index)
            let expected = zone.instant(of: local).advanced(by: .nanoseconds(parsed.nanoseconds) * index)
            #expect(found == expected, "\(index)")
            #expect(trigger.next(after: expected.advanced(by: .nanoseconds(-1))) == expected)
        }
    }

    @Test("it ends at its count and at the end of time")
    func ends() throws {
        #expect(
            try Trigger.every("1h", from: "2026-01-01", count: 2).local() == ["2026-01-01 00:00", "2026-01-01 01:00"])
        #expect(try Trigger.every("1 day", from: "2026-01-01", count: 1).local() == ["2026-01-01 00:00"])
        for span in ["1s", "100 years", "1 day", "1 month 1s"] {
            let trigger = try Trigger.every(span, from: "1900-01-01")
            #expect(trigger.next(after: .distantFuture) == nil)
            #expect(try trigger.next(after: .distantPast) == instant("1900-01-01"))
            #expect(try trigger.next(after: instant("2250-01-01")) != nil || span == "100 years")
        }
    }

    @Test("a start and an interval of at least a second are required")
    func problems() throws {
        let start = #expect(throws: TriggerProblem.self) {
            try EveryTrigger(CalendarSpan(days: 1), in: .utc, bounds: TriggerBounds())
        }
        #expect(start?.key == "start")
        let every = #expect(throws: TriggerProblem.self) { try Trigger.every("1ms", from: "2026-01-01") }
        #expect(every?.key == "every")
    }
}
