import Glibc
import TminusCore
import TminusDefinitions
import TminusTestKit

/// Measures the longest turn that a definition can cause: random dense rules with many leads, read for the first time,
/// waited for, and caught up after a day without the process. A rule that its file may not have is left out.
struct LongestTurn {
    /// Its processor time, which other work of the machine does not change.
    private(set) var nanoseconds: UInt64 = 0
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
        let simulated = try SimulatedStore(.memory)
        var now = Self.begin
        for life in 1...2 {
            let reading = ClockReading(now: now, setBy: .zero, slept: .zero)
            var machine = try await Machine(life, simulated, reading, Machine.Origin())
            let (input, errors) = machine.read(contents)
            guard errors.isEmpty, let input else { return }
            if life == 1 { taken += 1 }
            now = try await run(&machine, input, simulated.stored, reading, text).advanced(by: .seconds(86_400))
        }
    }

    /// Lets the engine run, and returns up to when it has.
    private mutating func run(
        _ machine: inout Machine, _ input: EngineInput, _ store: any Store, _ reading: ClockReading, _ text: String
    ) async throws -> Timestamp {
        var (input, reading) = (input, reading)
        for _ in 0..<Self.turns {
            let begun = Self.processorTime()
            let turn = machine.engine.step([input], at: reading)
            let took = Self.processorTime() - begun
            if took > nanoseconds { (nanoseconds, cause) = (took, text) }
            if let commit = turn.commit {
                input = .committed(.success(try await store.commit(commit, now: reading.now)))
            } else {
                guard let next = turn.wakeAt else { break }
                reading.now = max(reading.now, next)
                input = .wake
            }
        }
        return reading.now
    }

    /// What this thread has used (clock_gettime(2)).
    private static func processorTime() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
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
