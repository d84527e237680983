import Testing
import TminusCore

@Suite("The occurrence before an instant")
struct FormerOccurrenceTests {
    @Test(
        "has no other between it and the instant",
        arguments: ["* * * * *", "30 9 * * MON-FRI", "0 0 29 2 *"])
    func ofCron(text: String) throws {
        let trigger = Trigger.cron(try CronTrigger(CronExpression.parse(text).get(), in: .utc))
        for day in stride(from: 0, to: 3_000, by: 171) {
            let instant = Timestamp(seconds: 1_780_000_000 + Int64(day) * 86_400)
            let found = try #require(trigger.last(atOrBefore: instant))
            #expect(found <= instant)
            let next = try #require(trigger.next(after: found))
            #expect(next > instant)
            #expect(trigger.last(atOrBefore: found) == found)
        }
    }

    @Test("of a list, and none before its first")
    func ofList() {
        let trigger = Trigger.at([10, 20, 40].map { Timestamp(seconds: $0) })
        let instants: [Int64] = [9, 10, 19, 20, 39, 40, 4_000_000]
        let found = instants.map { trigger.last(atOrBefore: Timestamp(seconds: $0)) }
        let expected: [Int64?] = [nil, 10, 10, 20, 20, 40, 40]
        #expect(found.map { $0.map { $0.nanoseconds / 1_000_000_000 } } == expected)
    }

    @Test("of a rule that ended long ago")
    func ended() throws {
        let bounds = TriggerBounds(start: .instant(Timestamp(seconds: 0)), count: 100_000)
        let trigger = Trigger.every(
            try EveryTrigger(CalendarSpan(nanoseconds: 1_000_000_000), in: .utc, bounds: bounds))
        #expect(trigger.last(atOrBefore: Timestamp(seconds: 1_780_000_000)) == Timestamp(seconds: 99_999))
    }
}
