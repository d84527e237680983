import TminusCore
import TminusDefinitions
import TminusTestKit

/// Measures the longest turn that a definition can cause: random dense rules with many leads, read for the first time,
/// waited for, and caught up after a day without the process. A rule that its file may not have is left out.
struct LongestTurn {
    private(set) var time = Duration.zero
    /// The definition that caused it.
    private(set) var cause = ""
    /// How many definitions were in force.
    private(set) var taken = 0

    private static let begin = Timestamp(seconds: 1_790_000_000)
    /// Turns after which a definition is as busy as it gets.
    private static let turns = 100

    /// Measures the definition of a seed.
    mutating func measure(_ seed: UInt64) async throws {
        let text = Self.text(seed)
        let file = SourceFile(path: "a.yaml", content: .bytes(Array(text.utf8)))
        let contents = DirectoryContents(root: Files.root, files: [file])
        let store = MemoryStore()
        for (start, now) in [Self.begin, Self.begin.advanced(by: .seconds(86_400))].enumerated() {
            let reading = ClockReading(now: now, setBy: .zero, slept: .zero)
            var machine = try await Machine(start + 1, store, reading)
            let (input, errors) = machine.read(contents)
            guard errors.isEmpty, let input else { return }
            taken += start == 0 ? 1 : 0
            try await run(&machine, input, store, reading, text)
        }
    }

    private mutating func run(
        _ machine: inout Machine, _ input: EngineInput, _ store: MemoryStore, _ reading: ClockReading, _ text: String
    ) async throws {
        var (input, reading) = (input, reading)
        for _ in 0..<Self.turns {
            let begun = ContinuousClock.now
            let turn = machine.engine.step([input], at: reading)
            let took = ContinuousClock.now - begun
            if took > time { (time, cause) = (took, text) }
            if let commit = turn.commit {
                input = .committed(.success(try await store.commit(commit, now: reading.now)))
            } else {
                guard let next = turn.wakeAt else { return }
                reading.now = max(reading.now, next)
                input = .wake
            }
        }
    }

    private static func text(_ seed: UInt64) -> String {
        var random = SeededRandom(seed, for: "longest turn")
        func number(_ most: Int) -> Int { 1 + random.below(most) }
        let rule =
            switch random.below(4) {
            case 0: "every: \(number(60)) s\n    start: 2000-01-01 00:00:00Z"
            case 1: "cron: \"*/\(number(59)) \(random.below(2) == 0 ? "*" : "\(random.below(60))") * * * *\""
            case 2: "rrule: FREQ=SECONDLY;INTERVAL=\(number(100))\n    start: 2000-01-01 00:00:00"
            default:
                "rrule: FREQ=DAILY;BYHOUR=1,5,23;BYMINUTE=\(random.below(60));BYSECOND=0,\(number(59))"
                    + "\n    start: 2000-01-01 00:00:00"
            }
        // As many short leads as long ones: a length is 2 to the power of a random number.
        let leads = (0..<number(1 << random.below(11))).map { _ in "\(number(1 << random.below(28))) s" }
        return """
            sinks: { out: { probe: out } }
            events:
              e:
                \(rule)
                timezone: \(random.below(2) == 0 ? "UTC" : "Zone/Berlin")
                catch-up: \(["latest", "all", "none"][random.below(3)])
                remind: [\(leads.joined(separator: ", "))]
                on-reminder: out
                on-expiry: out

            """
    }
}
