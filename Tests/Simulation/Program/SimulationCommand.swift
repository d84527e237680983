import ArgumentParser
import Foundation
import SimulationChecker
import TminusCore

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

    @Option(help: ArgumentHelp("Run one directory of 100 definitions for so long, to measure.", valueName: "days"))
    var measure: Int?

    @Flag(help: "Print the history, also of a seed that does not fail.")
    var history = false

    @Flag(help: "Print the history of a failing seed as it is, without looking for a shorter one.")
    var whole = false

    func run() async throws {
        try Self.fixHashing()
        let begin = ContinuousClock.now
        var (sometimes, failures, records, span) = (Sometimes(), 0, 0, 0.0)
        let range = seed.map { $0...$0 } ?? first...(first + UInt64(max(1, measure == nil ? seeds : 1)) - 1)
        for seed in range {
            let plan = Plan(seed: seed, size: measure.map { Plan.Size(days: $0, definitions: 100, perDay: 20) })
            let result = await Simulation.run(plan)
            sometimes.add(result.sometimes.counts)
            records += result.history.count
            span += Double(plan.length) / Double(Plan.day)
            if !result.violations.isEmpty {
                failures += 1
                await report(plan, result)
            } else if history {
                print(HistoryText.text(result.history))
            }
        }
        print(sometimes.text)
        let took = ContinuousClock.now - begin
        print("\(range.count) seeds, \(Int(span)) days, \(records) records, \(took.formatted()), \(failures) failed")
        if failures > 0 { throw ExitCode.failure }
        guard seed == nil, range.count >= 1_000, !sometimes.missing.isEmpty else { return }
        print("never happened: \(sometimes.missing.joined(separator: "; "))")
        throw ExitCode.failure
    }

    private func report(_ plan: Plan, _ result: Simulation.Result) async {
        var (shown, shortest) = (result, plan)
        if !whole, let rule = result.violations.first?.rule {
            (shortest, shown) = await Shrinking(rule: rule).shrink(plan, result)
        }
        print("seed \(plan.seed) breaks a rule")
        if !whole { print("with \(shortest.happenings.count) of \(plan.happenings.count) happenings:") }
        print(shortest.sinkFile + HistoryText.text(shown.history, shown.violations))
        print("not delivered, as the store has it:\n  \(shown.ends.joined(separator: "\n  "))")
        for violation in shown.violations { print("violation: \(HistoryText.line(violation, plan))") }
        print("repeat with: make sim SEED=\(plan.seed)\n")
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
