import ArgumentParser
import Foundation
import SimulationChecker
import TminusCore

extension StoreKind: ExpressibleByArgument {}

/// Runs the engine in virtual time against everything that can go wrong, and has a checker judge what happened.
@main
struct SimulationCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tminus-sim",
        abstract: "Simulate the engine with faults drawn from seeds, and check what it promises.")

    @Option(help: "How many seeds to run.")
    var seeds = 300

    @Option(help: "The first seed.")
    var first: UInt64 = 1

    @Option(help: "Run this one seed.")
    var seed: UInt64?

    @Option(help: ArgumentHelp("Run the seeds of a file, one a line, before the others.", valueName: "file"))
    var before: String?

    @Option(help: "What the engine runs on: memory, sqlite, or fleet for several machines on one store.")
    var store = StoreKind.memory

    @Option(help: ArgumentHelp("Run one directory of 100 definitions for so long, to measure.", valueName: "days"))
    var measure: Int?

    @Option(help: ArgumentHelp("Measure the longest turn of so many random rules with leads.", valueName: "rules"))
    var turns: Int?

    @Flag(help: "Print the history, also of a seed that does not fail.")
    var history = false

    @Flag(help: "Print the history of a failing seed as it is, without looking for a shorter one.")
    var whole = false

    @Flag(help: "Stop after the first seed that fails.")
    var stop = false

    func run() async throws {
        try Self.fixHashing()
        if let turns { return try await measureTurns(max(1, turns)) }
        let begin = ContinuousClock.now
        var (sometimes, failures, records, span) = (Sometimes(), 0, 0, 0.0)
        let range = seed.map { $0...$0 } ?? first...(first + UInt64(max(1, measure == nil ? seeds : 1)) - 1)
        let chosen = try before.map(Self.seeds) ?? []
        for seed in chosen + range {
            let drawn = Plan(seed: seed, size: measure.map { Plan.Size(days: $0, definitions: 100, perDay: 20) })
            let plan = store == .fleet ? drawn.withFollowers() : drawn
            let result = try await Simulation.run(plan, on: store)
            sometimes.add(result.sometimes.counts)
            records += result.history.count
            span += Double(plan.length) / Double(Plan.day)
            if !result.violations.isEmpty {
                failures += 1
                try await report(plan, result)
                if stop { break }
            } else if history {
                print(HistoryText.text(result.history))
            }
        }
        print(sometimes.text)
        let took = ContinuousClock.now - begin
        let count = chosen.count + range.count
        print("\(count) seeds, \(Int(span)) days, \(records) records, \(took.formatted()), \(failures) failed")
        if failures > 0 { throw ExitCode.failure }
        let missing = sometimes.missing(on: store)
        guard seed == nil, range.count >= 1_000, !missing.isEmpty else { return }
        print("never happened: \(missing.joined(separator: "; "))")
        throw ExitCode.failure
    }

    /// Writes a figure for `table.py`, and what caused it to standard error.
    private func measureTurns(_ count: Int) async throws {
        var longest = LongestTurn()
        for seed in first..<first + UInt64(count) { try await longest.measure(seed) }
        guard longest.taken > 0 else { throw ValidationError("none of the \(count) rules was in force") }
        let cause = "\(longest.taken) of \(count) rules were in force; the longest turn is of\n\(longest.cause)"
        FileHandle.standardError.write(Data(cause.utf8))
        let milliseconds = Double(longest.nanoseconds) / 1e6
        print(#"{"figure": "longest turn of a random rule", "unit": "ms", "values": [\#(milliseconds)], "target": 50}"#)
    }

    private func report(_ plan: Plan, _ result: Simulation.Result) async throws {
        var (shown, shortest) = (result, plan)
        if !whole, let rule = result.violations.first?.rule {
            (shortest, shown) = try await Shrinking(rule: rule, store: store).shrink(plan, result)
        }
        print("seed \(plan.seed) breaks a rule")
        if !whole { print("with \(shortest.happenings.count) of \(plan.happenings.count) happenings:") }
        print(shortest.sinkFile + HistoryText.text(shown.history, shown.violations))
        print("not delivered, as the store has it:\n  \(shown.ends.joined(separator: "\n  "))")
        for violation in shown.violations { print("violation: \(HistoryText.line(violation, plan))") }
        print("repeat with: make sim STORE=\(store.rawValue) SEED=\(plan.seed)\n")
    }

    /// The seeds of a file.
    private static func seeds(of file: String) throws -> [UInt64] {
        try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").map { line in
            guard let seed = UInt64(line) else { throw ValidationError("\(file): '\(line)' is no seed") }
            return seed
        }
    }

    /// Starts the program anew if hashing differs from run to run, because a seed stands for one history.
    private static func fixHashing() throws {
        let name = "SWIFT_DETERMINISTIC_HASHING"
        guard ProcessInfo.processInfo.environment[name] == nil else { return }
        setenv(name, "1", 1)
        var arguments: [UnsafeMutablePointer<CChar>?] = CommandLine.arguments.map { strdup($0) }
        arguments.append(nil)
        execv("/proc/self/exe", arguments)
        throw ValidationError("the program cannot start itself: errno \(errno)")
    }
}
