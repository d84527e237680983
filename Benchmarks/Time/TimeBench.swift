internal import Foundation
internal import TminusCore

/// Measures how long computing the next occurrence takes, and writes figures for `table.py`.
@main
struct TimeBench {
    private static let runs = ProcessInfo.processInfo.environment["RUNS"].flatMap { Int($0) } ?? 3

    static func main() throws {
        let file = try Data(contentsOf: URL(filePath: "/usr/share/zoneinfo/Europe/Berlin"))
        let zone = try Zone(name: "Europe/Berlin", tzif: Array(file))
        let instants = instants(100_000)
        var all: [Trigger] = []
        func triggers(_ texts: [String], _ make: (String) throws -> Trigger) rethrows -> [Trigger] {
            let made = try texts.map(make)
            all += made
            return made
        }
        // The slowest of some triggers, by its median.
        func slowest(_ name: String, _ triggers: [Trigger], target: Double) throws {
            let times = triggers.map { trigger in
                seconds(runs: runs, rounds: instants.count) {
                    instants.reduce(0) { $0 &+ (trigger.next(after: $1)?.nanoseconds ?? 0) }
                }.sorted()
            }
            let slowest = times.max { $0[runs / 2] < $1[runs / 2] } ?? []
            try Row(figure: name, unit: "ns", values: slowest.map { $0 * 1e9 }, target: target).write()
        }

        let cron = try triggers([
            "30 9 * * MON-FRI", "*/5 * * * *", "0 0 29 2 *", "0 0 13 * 5", "0 3 1 1 *", "*/10 * * * * *",
        ]) {
            .cron(try CronTrigger(CronExpression.parse($0).get(), in: zone))
        }
        try slowest("next: cron, slowest of \(cron.count)", cron, target: 300)
        let start = try DateOrTime.parse("2020-01-31 12:00").get()
        func rule(_ text: String) throws -> Trigger {
            .recurrence(
                try RecurrenceTrigger(RecurrenceRule.parse(text).get(), in: zone, bounds: TriggerBounds(start: start)))
        }
        try slowest("next: rrule, daily without parts", triggers(["FREQ=DAILY"], rule), target: 300)
        let rules = try triggers(
            [
                "FREQ=WEEKLY", "FREQ=WEEKLY;BYDAY=MO,WE,FR", "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,TH",
                "FREQ=MONTHLY;BYMONTHDAY=-1", "FREQ=MONTHLY;BYDAY=2TU", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1",
            ], rule)
        try slowest("next: rrule, weekly or monthly, slowest of \(rules.count)", rules, target: 1_000)

        let locals = instants.map(zone.local)
        let resolving = seconds(runs: runs, rounds: locals.count) {
            locals.reduce(0) { $0 &+ zone.instant(of: $1).nanoseconds }
        }
        try Row(figure: "local time to UTC", unit: "ns", values: resolving.map { $0 * 1e9 }, target: 60).write()

        _ = try triggers(["1 day", "2 weeks", "1 month", "36h"]) {
            .every(try EveryTrigger(CalendarSpan.parse($0).get(), in: zone, bounds: TriggerBounds(start: start)))
        }
        let million = seconds(runs: runs, rounds: 1) {
            (0..<1_000_000).reduce(Int64(0)) {
                $0 &+ (all[$1 % all.count].next(after: instants[$1 % instants.count])?.nanoseconds ?? 0)
            }
        }
        try Row(figure: "next of 1,000,000 mixed recurring rules", unit: "s", values: million, target: 1.5).write()
    }

    /// The seconds of one round, for each run.
    private static func seconds(runs: Int, rounds: Int, _ body: () -> Int64) -> [Double] {
        var sum: Int64 = 0
        let times = (0..<runs).map { _ in
            let (seconds, attoseconds) = ContinuousClock().measure { sum &+= body() }.components
            return (Double(seconds) + Double(attoseconds) / 1e18) / Double(rounds)
        }
        // Uses the sum, so that the compiler cannot leave out the work.
        if sum == 42 { print("") }
        return times
    }

    /// Instants of the years 2025 to 2028, the same in each run (xorshift64).
    private static func instants(_ count: Int) -> [Timestamp] {
        var state: UInt64 = 42
        return (0..<count).map { _ in
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return Timestamp(nanoseconds: 1_760_000_000_000_000_000 + Int64(state % 100_000_000_000_000_000))
        }
    }
}
