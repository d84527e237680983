import Testing
import TminusCore

/// The worked examples of RFC 5545 section 3.8.5.3, all in New York.
struct RecurrenceExampleTests {
    struct Example: Sendable, CustomTestStringConvertible {
        var rule: String
        var start = "1997-09-02 09:00"
        /// The year, then `month/day`, with `hour:minute` if it differs from the start.
        var days: String
        /// Whether the rule has no further occurrence.
        var ends = true
        var testDescription: String { rule }
    }

    static let examples: [Example] = [
        Example(rule: "FREQ=DAILY;COUNT=10", days: "1997 9/2 9/3 9/4 9/5 9/6 9/7 9/8 9/9 9/10 9/11"),
        Example(rule: "FREQ=DAILY;INTERVAL=2", days: "1997 9/2 9/4 9/6 9/8 9/10 9/12 9/14 9/16", ends: false),
        Example(rule: "FREQ=DAILY;INTERVAL=10;COUNT=5", days: "1997 9/2 9/12 9/22 10/2 10/12"),
        Example(rule: "FREQ=WEEKLY;COUNT=10", days: "1997 9/2 9/9 9/16 9/23 9/30 10/7 10/14 10/21 10/28 11/4"),
        Example(
            rule: "FREQ=WEEKLY;UNTIL=19971224T000000Z",
            days: "1997 9/2 9/9 9/16 9/23 9/30 10/7 10/14 10/21 10/28 11/4 11/11 11/18 11/25 12/2 12/9 12/16 12/23"),
        Example(
            rule: "FREQ=WEEKLY;INTERVAL=2;WKST=SU",
            days: "1997 9/2 9/16 9/30 10/14 10/28 11/11 11/25 12/9 12/23 1998 1/6 1/20 2/3", ends: false),
        Example(
            rule: "FREQ=WEEKLY;UNTIL=19971007T000000Z;WKST=SU;BYDAY=TU,TH",
            days: "1997 9/2 9/4 9/9 9/11 9/16 9/18 9/23 9/25 9/30 10/2"),
        Example(
            rule: "FREQ=WEEKLY;COUNT=10;WKST=SU;BYDAY=TU,TH",
            days: "1997 9/2 9/4 9/9 9/11 9/16 9/18 9/23 9/25 9/30 10/2"),
        Example(
            rule: "FREQ=WEEKLY;INTERVAL=2;UNTIL=19971224T000000Z;WKST=SU;BYDAY=MO,WE,FR", start: "1997-09-01 09:00",
            days:
                "1997 9/1 9/3 9/5 9/15 9/17 9/19 9/29 10/1 10/3 10/13 10/15 10/17 10/27 10/29 10/31 11/10 11/12 11/14 "
                + "11/24 11/26 11/28 12/8 12/10 12/12 12/22"),
        Example(
            rule: "FREQ=WEEKLY;INTERVAL=2;COUNT=8;WKST=SU;BYDAY=TU,TH",
            days: "1997 9/2 9/4 9/16 9/18 9/30 10/2 10/14 10/16"),
        Example(
            rule: "FREQ=MONTHLY;COUNT=10;BYDAY=1FR", start: "1997-09-05 09:00",
            days: "1997 9/5 10/3 11/7 12/5 1998 1/2 2/6 3/6 4/3 5/1 6/5"),
        Example(
            rule: "FREQ=MONTHLY;UNTIL=19971224T000000Z;BYDAY=1FR", start: "1997-09-05 09:00",
            days: "1997 9/5 10/3 11/7 12/5"),
        Example(
            rule: "FREQ=MONTHLY;INTERVAL=2;COUNT=10;BYDAY=1SU,-1SU", start: "1997-09-07 09:00",
            days: "1997 9/7 9/28 11/2 11/30 1998 1/4 1/25 3/1 3/29 5/3 5/31"),
        Example(
            rule: "FREQ=MONTHLY;COUNT=6;BYDAY=-2MO", start: "1997-09-22 09:00",
            days: "1997 9/22 10/20 11/17 12/22 1998 1/19 2/16"),
        Example(
            rule: "FREQ=MONTHLY;BYMONTHDAY=-3", start: "1997-09-28 09:00",
            days: "1997 9/28 10/29 11/28 12/29 1998 1/29 2/26",
            ends: false),
        Example(
            rule: "FREQ=MONTHLY;COUNT=10;BYMONTHDAY=2,15",
            days: "1997 9/2 9/15 10/2 10/15 11/2 11/15 12/2 12/15 1998 1/2 1/15"),
        Example(
            rule: "FREQ=MONTHLY;COUNT=10;BYMONTHDAY=1,-1", start: "1997-09-30 09:00",
            days: "1997 9/30 10/1 10/31 11/1 11/30 12/1 12/31 1998 1/1 1/31 2/1"),
        Example(
            rule: "FREQ=MONTHLY;INTERVAL=18;COUNT=10;BYMONTHDAY=10,11,12,13,14,15", start: "1997-09-10 09:00",
            days: "1997 9/10 9/11 9/12 9/13 9/14 9/15 1999 3/10 3/11 3/12 3/13"),
        Example(
            rule: "FREQ=MONTHLY;INTERVAL=2;BYDAY=TU",
            days: "1997 9/2 9/9 9/16 9/23 9/30 11/4 11/11 11/18 11/25 1998 1/6 1/13 1/20 1/27 3/3 3/10 3/17 3/24 3/31",
            ends: false),
        Example(
            rule: "FREQ=YEARLY;COUNT=10;BYMONTH=6,7", start: "1997-06-10 09:00",
            days: "1997 6/10 7/10 1998 6/10 7/10 1999 6/10 7/10 2000 6/10 7/10 2001 6/10 7/10"),
        Example(
            rule: "FREQ=YEARLY;INTERVAL=2;COUNT=10;BYMONTH=1,2,3", start: "1997-03-10 09:00",
            days: "1997 3/10 1999 1/10 2/10 3/10 2001 1/10 2/10 3/10 2003 1/10 2/10 3/10"),
        Example(
            rule: "FREQ=YEARLY;INTERVAL=3;COUNT=10;BYYEARDAY=1,100,200", start: "1997-01-01 09:00",
            days: "1997 1/1 4/10 7/19 2000 1/1 4/9 7/18 2003 1/1 4/10 7/19 2006 1/1"),
        Example(
            rule: "FREQ=YEARLY;BYDAY=20MO", start: "1997-05-19 09:00", days: "1997 5/19 1998 5/18 1999 5/17",
            ends: false),
        Example(
            rule: "FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO", start: "1997-05-12 09:00", days: "1997 5/12 1998 5/11 1999 5/17",
            ends: false),
        // Not in the RFC's list: the missing weekday is taken from the start.
        Example(
            rule: "FREQ=YEARLY;BYWEEKNO=20", start: "1997-05-14 09:00", days: "1997 5/14 1998 5/13 1999 5/19",
            ends: false),
        Example(
            rule: "FREQ=YEARLY;BYMONTH=3;BYDAY=TH", start: "1997-03-13 09:00",
            days: "1997 3/13 3/20 3/27 1998 3/5 3/12 3/19 3/26 1999 3/4 3/11 3/18 3/25", ends: false),
        Example(
            rule: "FREQ=YEARLY;BYDAY=TH;BYMONTH=6,7,8", start: "1997-06-05 09:00",
            days:
                "1997 6/5 6/12 6/19 6/26 7/3 7/10 7/17 7/24 7/31 8/7 8/14 8/21 8/28 1998 6/4 6/11 6/18 6/25 7/2 7/9 7/16 "
                + "7/23 7/30 8/6 8/13 8/20 8/27 1999 6/3", ends: false),
        Example(
            rule: "FREQ=MONTHLY;BYDAY=SA;BYMONTHDAY=7,8,9,10,11,12,13", start: "1997-09-13 09:00",
            days: "1997 9/13 10/11 11/8 12/13 1998 1/10 2/7 3/7 4/11 5/9 6/13", ends: false),
        Example(
            rule: "FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8", start: "1996-11-05 09:00",
            days: "1996 11/5 2000 11/7 2004 11/2", ends: false),
        Example(
            rule: "FREQ=MONTHLY;COUNT=3;BYDAY=TU,WE,TH;BYSETPOS=3", start: "1997-09-04 09:00",
            days: "1997 9/4 10/7 11/6"),
        Example(
            rule: "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2", start: "1997-09-29 09:00",
            days: "1997 9/29 10/30 11/27 12/30 1998 1/29 2/26 3/30", ends: false),
        // The RFC also prints 15:00, but its UNTIL is 13:00 in New York (erratum of the RFC).
        Example(rule: "FREQ=HOURLY;INTERVAL=3;UNTIL=19970902T170000Z", days: "1997 9/2 12:00"),
        Example(rule: "FREQ=MINUTELY;INTERVAL=15;COUNT=6", days: "1997 9/2 9:15 9:30 9:45 10:00 10:15"),
        Example(rule: "FREQ=MINUTELY;INTERVAL=90;COUNT=4", days: "1997 9/2 10:30 12:00 13:30"),
        Example(
            rule: "FREQ=DAILY;BYHOUR=9,10;BYMINUTE=0,20,40", days: hours(["9:20", "9:40", "10:00", "10:20", "10:40"]),
            ends: false),
        Example(
            rule: "FREQ=MINUTELY;INTERVAL=20;BYHOUR=9,10", days: hours(["9:20", "9:40", "10:00", "10:20", "10:40"]),
            ends: false),
        Example(
            rule: "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO", start: "1997-08-05 09:00",
            days: "1997 8/5 8/10 8/19 8/24"),
        Example(
            rule: "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU", start: "1997-08-05 09:00",
            days: "1997 8/5 8/17 8/19 8/31"),
        Example(
            rule: "FREQ=MONTHLY;BYMONTHDAY=15,30;COUNT=5", start: "2007-01-15 09:00",
            days: "2007 1/15 1/30 2/15 3/15 3/30"),
    ]

    private static func hours(_ times: [String]) -> String {
        "1997 9/2 \(times.joined(separator: " ")) 9/3 \(times.joined(separator: " "))"
    }

    /// The instants of an example; a day stands for the time of the start, unless times follow it.
    private func instants(_ example: Example, _ zone: Zone) throws -> [Timestamp] {
        guard case .local(var local) = try DateTimeText.parse(example.start).get() else { return [] }
        let (hour, minute) = (local.hour, local.minute)
        var result: [Timestamp] = []
        for word in example.days.split(separator: " ") {
            let numbers = word.split { $0 == "/" || $0 == ":" }.compactMap { Int($0) }
            if numbers.count == 1 {
                local.year = numbers[0]
                continue
            }
            if word.contains("/") {
                (local.month, local.day, local.hour, local.minute) = (numbers[0], numbers[1], hour, minute)
            } else {
                (local.hour, local.minute) = (numbers[0], numbers[1])
            }
            result.append(zone.instant(of: local))
        }
        return result
    }

    @Test("an example has the occurrences printed in the RFC", arguments: examples)
    func example(_ example: Example) throws {
        let zone = try newYork1997()
        let trigger = try Trigger.rrule(example.rule, from: example.start, zone)
        let expected = try instants(example, zone)
        var last = Timestamp.distantPast
        for instant in expected {
            let next = trigger.next(after: last)
            #expect(next == instant, "\(next.map { zone.local($0) } as Any) is not \(zone.local(instant))")
            last = instant
        }
        #expect((trigger.next(after: last) == nil) == example.ends)
    }

    @Test("daily until Christmas, over the end of daylight saving time")
    func dailyUntil() throws {
        let zone = try newYork1997()
        let trigger = try Trigger.rrule("FREQ=DAILY;UNTIL=19971224T000000Z", from: "1997-09-02 09:00", zone)
        let days = try trigger.local(zone, limit: 1_000)
        #expect(days.count == 113)
        #expect(days.last == "1997-12-23 09:00")
        #expect(days.allSatisfy { $0.hasSuffix(" 09:00") })
    }

    @Test(
        "every day in January, written in two ways",
        arguments: [
            "FREQ=YEARLY;UNTIL=20000131T140000Z;BYMONTH=1;BYDAY=SU,MO,TU,WE,TH,FR,SA",
            "FREQ=DAILY;UNTIL=20000131T140000Z;BYMONTH=1",
        ])
    func january(rule: String) throws {
        let days = try Trigger.rrule(rule, from: "1998-01-01 09:00", newYork1997()).local(newYork1997(), limit: 1_000)
        #expect(days.count == 93)
        #expect(days.first == "1998-01-01 09:00")
        #expect(days.last == "2000-01-31 09:00")
        #expect(days.allSatisfy { $0.dropFirst(4).hasPrefix("-01-") })
    }

    @Test("every Friday the 13th; the start is excluded explicitly")
    func friday13() throws {
        let zone = try newYork1997()
        let trigger = try Trigger.rrule(
            "FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13", from: "1997-09-02 09:00", zone, except: ["1997-09-02 09:00"])
        #expect(
            try trigger.local(zone, limit: 5)
                == ["1998-02-13 09:00", "1998-03-13 09:00", "1998-11-13 09:00", "1999-08-13 09:00", "2000-10-13 09:00"])
    }
}
