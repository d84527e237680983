internal import Glibc
internal import TminusCore

/// Measures how long the next occurrence takes; exit status 1 if a target is missed.
@main
struct BenchTime {
    private static let runs = 9

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
        func figure(_ name: String, _ triggers: [Trigger], target: Double) -> Figure {
            let medians = triggers.map { trigger in
                Figure.median(of: runs, rounds: instants.count) {
                    instants.reduce(0) { $0 &+ (trigger.next(after: $1)?.nanoseconds ?? 0) }
                } * 1e9
            }
            return Figure(name: name, values: medians, unit: "ns", target: target)
        }

        var figures: [Figure] = []
        let cron = try triggers([
            "30 9 * * MON-FRI", "*/5 * * * *", "0 0 29 2 *", "0 0 13 * 5", "0 3 1 1 *", "*/10 * * * * *",
        ]) {
            .cron(try CronTrigger(CronExpression.parse($0).get(), in: zone))
        }
        figures.append(figure("next: cron, slowest of \(cron.count)", cron, target: 300))
        let start = try DateOrTime.parse("2020-01-31 12:00").get()
        func rule(_ text: String) throws -> Trigger {
            .recurrence(
                try RecurrenceTrigger(RecurrenceRule.parse(text).get(), in: zone, bounds: TriggerBounds(start: start)))
        }
        figures.append(figure("next: rrule, daily without parts", try triggers(["FREQ=DAILY"], rule), target: 300))
        let rules = try triggers(
            [
                "FREQ=WEEKLY", "FREQ=WEEKLY;BYDAY=MO,WE,FR", "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,TH",
                "FREQ=MONTHLY;BYMONTHDAY=-1", "FREQ=MONTHLY;BYDAY=2TU", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1",
            ], rule)
        figures.append(figure("next: rrule, weekly or monthly, slowest of \(rules.count)", rules, target: 1_000))

        let locals = instants.map(zone.local)
        let resolving = Figure.median(of: runs, rounds: locals.count) {
            locals.reduce(0) { $0 &+ zone.instant(of: $1).nanoseconds }
        }
        figures.append(Figure(name: "local time to UTC", values: [resolving * 1e9], unit: "ns", target: 60))

        _ = try triggers(["1 day", "2 weeks", "1 month", "36h"]) {
            .every(try EveryTrigger(CalendarSpan.parse($0).get(), in: zone, bounds: TriggerBounds(start: start)))
        }
        let million = Figure.median(of: 5, rounds: 1) {
            (0..<1_000_000).reduce(Int64(0)) {
                $0 &+ (all[$1 % all.count].next(after: instants[$1 % instants.count])?.nanoseconds ?? 0)
            }
        }
        figures.append(
            Figure(name: "next of 1,000,000 mixed recurring rules", values: [million], unit: "s", target: 1.5))

        print("median of \(runs) runs, of the last figure of 5; then the target")
        for figure in figures { print(figure.line) }
        if figures.contains(where: { !$0.isMet }) { exit(1) }
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
