import Testing

@testable import TminusCore

@Suite("Counting occurrences")
struct CountingTests {
    static let triggers: [(name: String, trigger: Trigger)] = {
        do {
            let zone = try berlin()
            return [
                ("at", .at((0..<500).map { at(Double($0 * $0)) })),
                ("every 90 s", try .every("90s", from: "2026-05-28 20:00:00.25", zone)),
                ("every 1 h, 500 times", try .every("1h", from: "2026-05-28 20:00", zone, count: 500)),
                ("every day", try .every("1 day", from: "2026-03-20 02:30", zone, dst: .both)),
                ("cron, seconds", try .cron("*/20 * * * * *", zone)),
                ("cron, night", try .cron("*/7 2 * * *", zone)),
                ("cron, until", try .cron("0 * * * *", zone, TriggerBounds(until: try bound("2026-06-20")))),
                ("rrule", try .rrule("FREQ=MINUTELY;INTERVAL=13;BYHOUR=1,2,3", from: "2026-03-20 02:30", zone)),
                ("rrule, positions", try .rrule("FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=1,-1", from: "2026-03-02", zone)),
            ]
        } catch {
            Issue.record(error)
            return []
        }
    }()

    @Test("the occurrence with a number is that of a walk, or nil after the end", arguments: triggers.indices)
    func number(index: Int) {
        let trigger = Self.triggers[index].trigger
        var random = SplitMix(seed: UInt64(index))
        for _ in 0..<40 {
            let start = at(Double(random.next() % 8_000_000))
            let end = start.advanced(by: .seconds(Int64(random.next() % 200_000)))
            let number = Int(random.next() % 400) + 1
            var walked: Timestamp? = start
            for _ in 0..<number { walked = walked.flatMap { trigger.next(after: $0) } }
            let expected = walked.flatMap { $0 <= end ? $0 : nil }
            #expect(trigger.occurrence(number, after: start, upTo: end) == expected, "\(Self.triggers[index].name)")
        }
    }

    @Test("a run is counted to its last occurrence", arguments: triggers.indices)
    func run(index: Int) {
        let trigger = Self.triggers[index].trigger
        guard let first = trigger.next(after: at(1_000)),
            let run = trigger.run(from: first, through: first.advanced(by: .seconds(40_000)))
        else { return }
        var (count, last) = (1, first)
        while let next = trigger.next(after: last), next <= first.advanced(by: .seconds(40_000)) {
            (count, last) = (count + 1, next)
        }
        #expect(run == (last, count), "\(Self.triggers[index].name)")
    }
}
