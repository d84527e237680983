internal import BenchRows
internal import Glibc
internal import TminusCore

/// Writes rows of how long the next occurrence takes.
@main
struct BenchTime {
    private static let runs = Runs.of(9)

    static func main() throws {
        guard let zone = zone("Europe/Berlin") else {
            print("bench-time: no time zone data in /usr/share/zoneinfo")
            exit(74)
        }
        let instants = instants(100_000)
        var all: [Trigger] = []
        func triggers(_ texts: [String], _ make: (String) throws -> Trigger) rethrows -> [Trigger] {
            let made = try texts.map(make)
            all += made
            return made
        }
        /// The slowest of some triggers, by its median.
        func slowest(_ name: String, _ triggers: [Trigger], target: Double) {
            let times = triggers.map { trigger in
                seconds(runs: runs, rounds: instants.count) {
                    instants.reduce(0) { $0 &+ (trigger.next(after: $1)?.nanoseconds ?? 0) }
                }.sorted()
            }
            let slowest = times.max { $0[runs / 2] < $1[runs / 2] } ?? []
            Row(name, "ns", slowest.map { $0 * 1e9 }, target: .atMost(target)).write()
        }

        let cron = try triggers([
            "30 9 * * MON-FRI", "*/5 * * * *", "0 0 29 2 *", "0 0 13 * 5", "0 3 1 1 *", "*/10 * * * * *",
        ]) {
            .cron(try CronTrigger(CronExpression.parse($0).get(), in: zone))
        }
        slowest("next: cron, slowest of \(cron.count)", cron, target: 300)
        let start = try DateOrTime.parse("2020-01-31 12:00").get()
        func rule(_ text: String) throws -> Trigger {
            .recurrence(
                try RecurrenceTrigger(RecurrenceRule.parse(text).get(), in: zone, bounds: TriggerBounds(start: start)))
        }
        slowest("next: rrule, daily without parts", try triggers(["FREQ=DAILY"], rule), target: 300)
        let rules = try triggers(
            [
                "FREQ=WEEKLY", "FREQ=WEEKLY;BYDAY=MO,WE,FR", "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,TH",
                "FREQ=MONTHLY;BYMONTHDAY=-1", "FREQ=MONTHLY;BYDAY=2TU", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1",
            ], rule)
        slowest("next: rrule, weekly or monthly, slowest of \(rules.count)", rules, target: 1_000)

        let locals = instants.map(zone.local)
        let resolving = seconds(runs: runs, rounds: locals.count) {
            locals.reduce(0) { $0 &+ zone.instant(of: $1).nanoseconds }
        }
        Row("local time to UTC", "ns", resolving.map { $0 * 1e9 }, target: .atMost(60)).write()

        _ = try triggers(["1 day", "2 weeks", "1 month", "36h"]) {
            .every(try EveryTrigger(CalendarSpan.parse($0).get(), in: zone, bounds: TriggerBounds(start: start)))
        }
        let million = seconds(runs: Runs.of(5), rounds: 1) {
            (0..<1_000_000).reduce(Int64(0)) {
                $0 &+ (all[$1 % all.count].next(after: instants[$1 % instants.count])?.nanoseconds ?? 0)
            }
        }
        Row("next of 1,000,000 mixed recurring rules", "s", million, target: .atMost(1.5)).write()
    }

    /// Seconds for one round of each of some runs, each of so many rounds.
    private static func seconds(runs: Int, rounds: Int, _ body: () -> Int64) -> [Double] {
        var sum: Int64 = 0
        let times = (0..<runs).map { _ in
            let (seconds, attoseconds) = ContinuousClock().measure { sum &+= body() }.components
            return (Double(seconds) + Double(attoseconds) / 1e18) / Double(rounds)
        }
        // So that nothing of the work can be left out.
        if sum == 42 { print("") }
        return times
    }

    /// A zone of the machine.
    private static func zone(_ name: String) -> Zone? {
        guard let file = fopen("/usr/share/zoneinfo/\(name)", "r") else { return nil }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = fread(&bytes, 1, bytes.count, file)
        return try? Zone(name: name, tzif: Array(bytes[..<count]))
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
