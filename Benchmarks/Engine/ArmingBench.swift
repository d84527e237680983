internal import BenchRows
internal import CBenchPeers
internal import Glibc
internal import TminusCore

/// The whole engine without a disk: definitions that are decoded already are armed, and then all are due at one instant.
///
/// The memory of one armed is everything that is allocated since before the definitions: its definition, of which it shares what
/// it has in common with the others of its file, its place in the set that is in force, and all that the engine keeps. Ids and names
/// are so short that they are no allocations of their own.
struct ArmingBench {
    /// How many timers, each with a length of its own.
    let count: Int
    /// How many runs.
    var runs = Runs.of(5)

    private static let start = Timestamp(seconds: 1_800_000_000)

    /// Adds its figures.
    func run(into table: inout Table) {
        var arming: [Double] = []
        var bytes: [Double] = []
        var ofDefinitions: [Double] = []
        for _ in 0..<runs {
            let before = Self.allocated()
            let set = definitions { .milliseconds(3_600_000 + $0) }
            let decoded = Self.allocated()
            var state = ScheduleMachine(StoreSnapshot())
            let begin = processorTime()
            do {
                let effects = state.step(.definitions(set), now: Self.start)
                arming.append((processorTime() - begin) / 1e9)
                precondition(effects.advance.schedules.count == count)
            }
            bytes.append((Self.allocated() - before) / Double(count))
            withExtendedLifetime(set) {}
            ofDefinitions.append((decoded - before) / Double(count))
            precondition(state.nextDue == Self.start.advanced(by: .milliseconds(3_600_000)))
        }
        let size = "\(count / 1_000) k timers"
        table.add("arm \(size), in all", "s", arming, target: .value(Double(count) / 1e6))
        table.add("memory of one as decoded, \(size)", "B", ofDefinitions)
        table.add("memory of one armed, in all, \(size)", "B", bytes, target: .value(300))
    }

    /// The engine's part of a flood: `count` timers that end at one instant, up to their firings.
    func flood(into table: inout Table) {
        var figures: [Double] = []
        for _ in 0..<runs {
            let set = definitions { _ in .seconds(60) }
            var state = ScheduleMachine(StoreSnapshot())
            _ = state.step(.definitions(set), now: Self.start)
            let due = Self.start.advanced(by: .seconds(60))
            var firings = 0
            var isMoreDue = true
            let begin = processorTime()
            while isMoreDue {
                let effects = state.step(.due, now: due)
                firings += effects.advance.firings.count
                isMoreDue = effects.isMoreDue
            }
            figures.append((processorTime() - begin) / 1e6)
            precondition(firings == count)
        }
        table.add("\(count / 1_000) k due at one instant", "ms", figures)
    }

    private func definitions(_ length: (Int) -> Duration) -> DefinitionSet {
        let sink = [SinkKey("null")]
        let origin = SourceLocation(file: "timers.json")
        var definitions: [DefinitionID: Definition] = [:]
        var former: Definition?
        for number in 0..<count {
            let digits = String(number)
            let name = "timer-" + String(repeating: "0", count: 8 - digits.count) + digits
            guard let id = DefinitionID(name) else { continue }
            var definition = Definition(
                id: id, schedule: .timer(Timer(duration: length(number))), name: name, onExpiry: sink, zone: .utc,
                origin: origin)
            // As the decoder has it with those of one file.
            if let former { definition.share(with: former) }
            former = definition
            definitions[id] = definition
        }
        return DefinitionSet(definitions: definitions)
    }

    /// Nanoseconds of processor time of this thread.
    private func processorTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
    }

    private static func allocated() -> Double { Double(bench_allocated_bytes()) }
}
