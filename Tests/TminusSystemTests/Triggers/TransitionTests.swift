import Testing
import TminusSystem

@testable import TminusCore

/// Every zone of the machine whose offset changes from 2020 to 2035.
struct TransitionTests {
    private static let years: Range<Int64> = 1_577_836_800..<2_082_758_400

    /// The zones with rules of their own, each with the instants at which its offset changes.
    private static let changes: [(zone: Zone, instants: [Timestamp])] = {
        let database = TriggerVector.zones
        var seen: Set<[Int64]> = []
        return database.names.compactMap { name in
            guard let zone = database.zone(named: name) else { return nil }
            let seconds = zone.table.changes.filter(years.contains)
            // Links and zones that agree are looked at once.
            let key = seconds + seconds.map { Int64(zone.offset(at: Timestamp(seconds: $0))) }
            guard !seconds.isEmpty, seen.insert(key).inserted else { return nil }
            return (zone, seconds.map { Timestamp(seconds: $0) })
        }
    }()

    @Test("a daily event comes exactly once on every local day, at any time of day, around each change")
    func daily() throws {
        #expect(Self.changes.count > 30)
        for (zone, instants) in Self.changes {
            let triggers = try ["00:00", "01:30", "02:30", "23:59"].flatMap { time in
                let bounds = TriggerBounds(start: try DateOrTime.parse("2019-12-01 \(time)").get())
                let parts = time.split(separator: ":")
                return [
                    Trigger.recurrence(
                        try RecurrenceTrigger(RecurrenceRule.parse("FREQ=DAILY").get(), in: zone, bounds: bounds)),
                    .every(try EveryTrigger(CalendarSpan(days: 1), in: zone, bounds: bounds)),
                    .cron(
                        try CronTrigger(
                            CronExpression.parse("\(Int(parts[1]) ?? 0) \(Int(parts[0]) ?? 0) * * *").get(), in: zone)),
                ]
            }
            for (change, trigger) in instants.flatMap({ change in triggers.map { (change, $0) } }) {
                var day = zone.local(change).dayNumber - 3
                var last = zone.instant(of: LocalDateTime(epochSeconds: day * 86_400, nanosecond: 0))
                    .advanced(by: .nanoseconds(-1))
                for _ in 0..<5 {
                    let next = try #require(trigger.next(after: last))
                    let found = zone.local(next).dayNumber
                    // Where the zone skips the end of a day, the time moves by the gap, and so into the next day.
                    let isExpected = found == day || zone.skipsEnd(of: day) && found == day + 1
                    if !isExpected {
                        Issue.record(
                            "\(zone.name) \(trigger.canonicalText) \(next.rfc3339(in: zone)), not on day \(day)")
                        return
                    }
                    day += 1
                    last = next
                }
            }
        }
    }

    @Test("an every-minute event comes every 60 s of real time around each change")
    func everyMinute() throws {
        for (zone, instants) in Self.changes {
            let bounds = TriggerBounds(start: .instant(Timestamp(seconds: Self.years.lowerBound)))
            let triggers = [
                Trigger.cron(try CronTrigger(CronExpression.parse("* * * * *").get(), in: zone)),
                .recurrence(
                    try RecurrenceTrigger(RecurrenceRule.parse("FREQ=MINUTELY").get(), in: zone, bounds: bounds)),
            ]
            for (change, trigger) in instants.flatMap({ change in triggers.map { (change, $0) } }) {
                var last = change.advanced(by: .seconds(-70 * 60))
                for _ in 0..<150 {
                    guard trigger.next(after: last) == last.advanced(by: .seconds(60)) else {
                        Issue.record("\(zone.name) \(trigger.canonicalText) after \(last.rfc3339(in: zone))")
                        return
                    }
                    last = last.advanced(by: .seconds(60))
                }
            }
        }
    }
}

extension Zone {
    /// Whether the clock jumps over the last second of a day.
    fileprivate func skipsEnd(of day: Int) -> Bool {
        if case .gap = resolve(LocalDateTime(epochSeconds: (day + 1) * 86_400 - 1, nanosecond: 0)) { return true }
        return false
    }
}
