import Testing
import TminusCore

struct RecurrenceTests {
    @Test(
        "a problem has a message, a range and a suggestion",
        arguments: [
            ("FREQ=DAYLY", 5..<10, "'DAYLY' is not a frequency, did you mean 'DAILY'?"),
            ("FREQ=DAILY;BYHUOR=3", 11..<17, "did you mean 'BYHOUR'?"),
            ("FREQ=DAILY;BYHOUR=3,24", 20..<22, "'24' is not a number for BYHOUR: 0 to 23"),
            ("FREQ=MONTHLY;BYMONTHDAY=0", 24..<25, "1 to 31 or -31 to -1"),
            ("FREQ=WEEKLY;BYDAY=MON", 18..<21, "'MON' is not a day of the week"),
            ("FREQ=WEEKLY;BYDAY=1MO", 18..<21, "FREQ=MONTHLY and YEARLY only"),
            ("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", 0..<35, "never fires"),
            ("FREQ=YEARLY;BYMONTH=6;BYWEEKNO=5", 0..<32, "never fires"),
            ("COUNT=3", 0..<7, "FREQ is missing"), ("", 0..<0, "a rule is missing"),
            ("FREQ=DAILY;", 10..<11, "a part of the rule is empty"),
            ("FREQ=DAILY;UNTIL=20270132T000000Z", 17..<33, "January 2027 has 31 days"),
            // As many bytes as a time, but fewer characters.
            ("FREQ=DAILY;UNTIL=ÄÄÄÄÄÄÄÄ", 17..<25, "'ÄÄÄÄÄÄÄÄ' is not a time for UNTIL"),
            ("FREQ=DAILY;UNTIL=🎉🎉🎉🎉", 17..<21, "'🎉🎉🎉🎉' is not a time for UNTIL"),
        ])
    func problems(text: String, range: Range<Int>, message: String) throws {
        let problem = #expect(throws: RuleProblem.self) { try RecurrenceRule.parse(text).get() }
        #expect(problem?.range == range)
        #expect(problem?.message.contains(message) == true, "\(problem?.message ?? "")")
    }

    @Test(
        "UNTIL must have the form of the start",
        arguments: [
            ("UNTIL=20260103", "2026-01-01", 3), ("UNTIL=20260103", "2026-01-01 09:00", nil),
            ("UNTIL=20260103T090000", "2026-01-01 09:00", 3), ("UNTIL=20260103T090000", "2026-01-01T09:00:00Z", nil),
            ("UNTIL=20260103T085959Z", "2026-01-01 09:00", 2), ("UNTIL=20251231T000000Z", "2026-01-01 09:00", 0),
        ])
    func until(part: String, start: String, count: Int?) throws {
        let trigger = try? Trigger.rrule("FREQ=DAILY;\(part)", from: start)
        #expect(try trigger?.local().count == count)
    }

    @Test("a start outside of the rule is the first occurrence, counts, and is recognized")
    func start() throws {
        let bounds = TriggerBounds(start: try bound("2026-01-01 09:00"))
        let rule = try RecurrenceRule.parse("FREQ=WEEKLY;BYDAY=MO;COUNT=2").get()
        let trigger = try RecurrenceTrigger(rule, in: .utc, bounds: bounds)
        #expect(!trigger.startIsInRule)
        #expect(try Trigger.recurrence(trigger).local() == ["2026-01-01 09:00", "2026-01-05 09:00"])
        let daily = try RecurrenceTrigger(RecurrenceRule.parse("FREQ=DAILY").get(), in: .utc, bounds: bounds)
        #expect(daily.startIsInRule)
        #expect(throws: TriggerProblem.self) { try RecurrenceTrigger(rule, in: .utc, bounds: TriggerBounds()) }
    }

    @Test("policies apply to skipped and repeated times, and to the count")
    func policies() throws {
        let zone = try berlin()
        func days(_ policy: DaylightSaving, _ start: String) throws -> [String] {
            try Trigger.rrule("FREQ=DAILY;COUNT=3", from: start, zone, dst: policy).local(zone)
        }
        let spring = "2026-03-28 02:30"
        #expect(try days(.compatible, spring) == ["2026-03-28 02:30", "2026-03-29 03:30", "2026-03-30 02:30"])
        #expect(try days(.both, spring) == ["2026-03-28 02:30", "2026-03-29 03:30", "2026-03-30 02:30"])
        #expect(try days(.skip, spring) == ["2026-03-28 02:30", "2026-03-30 02:30", "2026-03-31 02:30"])
        #expect(try days(.skip, "2026-03-29 02:30") == ["2026-03-30 02:30", "2026-03-31 02:30", "2026-04-01 02:30"])
        let autumn = "2026-10-24 02:30"
        #expect(try days(.compatible, autumn) == ["2026-10-24 02:30", "2026-10-25 02:30", "2026-10-26 02:30"])
        #expect(try days(.skip, autumn) == ["2026-10-24 02:30", "2026-10-25 02:30", "2026-10-26 02:30"])
        #expect(try days(.both, autumn) == ["2026-10-24 02:30", "2026-10-25 02:30", "2026-10-25 02:30"])
    }

    @Test("a time in a gap uses the offset before it, even if it then follows later clock times")
    func gapOrder() throws {
        let zone = try berlin()
        let trigger = try Trigger.rrule("FREQ=DAILY;BYHOUR=2,3;BYMINUTE=10,40", from: "2026-03-28 02:10", zone)
        #expect(
            try trigger.local(zone, after: "2026-03-28 12:00", limit: 4)
                == ["2026-03-29 03:10", "2026-03-29 03:40", "2026-03-30 02:10", "2026-03-30 02:40"])
        let mixed = try Trigger.rrule("FREQ=DAILY;BYHOUR=2,3;BYMINUTE=5,30", from: "2026-03-28 02:05", zone)
        #expect(
            try mixed.local(zone, after: "2026-03-29 00:00", limit: 3)
                == ["2026-03-29 03:05", "2026-03-29 03:30", "2026-03-30 02:05"])
    }

    @Test("hours and shorter periods are elapsed time: no hour is dropped or doubled")
    func realTime() throws {
        let zone = try berlin()
        for (rule, start) in [("FREQ=MINUTELY", "2026-10-25"), ("FREQ=HOURLY;BYMINUTE=0,30", "2026-03-29")] {
            let trigger = try Trigger.rrule(rule, from: start, zone)
            var last = try instant(start, zone)
            let step = rule == "FREQ=MINUTELY" ? 60 : 1_800
            for _ in 0..<300 {
                let next = try #require(trigger.next(after: last))
                #expect(last.duration(to: next) == .seconds(step))
                last = next
            }
        }
    }

    @Test(
        "a rule that never repeats is recognized in bounded time",
        arguments: [
            ("FREQ=SECONDLY;INTERVAL=2;BYSECOND=1", "2026-01-01 00:00"),
            ("FREQ=SECONDLY;INTERVAL=3;COUNT=2523;BYSECOND=6,24,39", "2026-01-01 00:00:01"),
            ("FREQ=HOURLY;INTERVAL=24;BYHOUR=3", "2026-01-01 00:00"), ("FREQ=DAILY;INTERVAL=7;BYDAY=MO", "2026-01-06"),
            ("FREQ=YEARLY;INTERVAL=2;BYMONTH=2;BYMONTHDAY=29", "2025-01-01"),
            ("FREQ=MONTHLY;BYDAY=MO;BYSETPOS=300", "2026-01-05"), ("FREQ=DAILY;BYHOUR=1;BYSETPOS=2", "2026-01-01"),
            ("FREQ=MONTHLY;BYMONTH=2;COUNT=5", "2026-01-31"),
        ])
    func never(rule: String, start: String) throws {
        let zone = try berlin()
        let clock = ContinuousClock()
        let begin = clock.now
        #expect(try Trigger.rrule(rule, from: start, zone).local(zone).count == 1)
        #expect(begin.duration(to: clock.now) < .seconds(2))
    }

    @Test("a large count is found without walking")
    func largeCount() throws {
        let zone = try berlin()
        let start = try instant("2026-01-01", zone)
        let trigger = try Trigger.rrule("FREQ=SECONDLY;COUNT=1000000000", from: "2026-01-01", zone)
        let last = start.advanced(by: .seconds(999_999_999))
        #expect(trigger.next(after: last.advanced(by: .seconds(-1))) == last)
        #expect(trigger.next(after: last) == nil)
    }

    @Test(
        "the end of a count matches a walk",
        arguments: [
            "FREQ=MINUTELY;INTERVAL=7;BYHOUR=1,2,3", "FREQ=SECONDLY;INTERVAL=11;BYMINUTE=5;BYSECOND=1,2,3,4,5,6",
            "FREQ=HOURLY;INTERVAL=5;BYMINUTE=0,30;BYDAY=MO,SU", "FREQ=DAILY;BYHOUR=2,3;BYMINUTE=15,45",
            "FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=1,-1", "FREQ=WEEKLY;INTERVAL=3;BYDAY=SU,WE;BYHOUR=1,2",
        ], [DaylightSaving.compatible, .skip, .both])
    func count(rule: String, policy: DaylightSaving) throws {
        let zone = try berlin()
        let endless = try Trigger.rrule(rule, from: "2025-10-25 01:15", zone, dst: policy)
        var walked: [Timestamp] = []
        while walked.count < 800, let next = endless.next(after: walked.last ?? .distantPast) { walked.append(next) }
        for count in [1, 2, 3, 50, 799] {
            let bounded = try Trigger.rrule("\(rule);COUNT=\(count)", from: "2025-10-25 01:15", zone, dst: policy)
            #expect(bounded.next(after: walked[count - 1]) == nil, "\(count)")
            #expect(count == 1 || bounded.next(after: walked[count - 2]) == walked[count - 1], "\(count)")
        }
    }

    @Test(
        "a rule is printed in one form",
        arguments: [
            ("freq=daily;interval=1;count=3", "FREQ=DAILY;COUNT=3"),
            ("BYDAY=+1MO,-1fr,SU;WKST=MO;FREQ=MONTHLY", "FREQ=MONTHLY;BYDAY=-1FR,SU,1MO"),
            (
                "FREQ=YEARLY;UNTIL=20270101T000000Z;BYSECOND=60,0;WKST=SU",
                "FREQ=YEARLY;UNTIL=20270101T000000Z;BYSECOND=0,59;WKST=SU"
            ),
        ])
    func text(written: String, canonical: String) throws {
        let rule = try RecurrenceRule.parse(written).get()
        #expect(rule.description == canonical)
        #expect(try RecurrenceRule.parse(canonical).get() == rule)
    }
}
