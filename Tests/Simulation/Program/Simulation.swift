import SimulationChecker
import TminusCore
import TminusTestKit

/// One run: the program in virtual time, with everything that a plan has happen to it.
struct Simulation {
    /// What a run came to.
    struct Result {
        var history: [Record]
        var violations: [Violation]
        var sometimes: Sometimes
        /// What the store says of deliveries that were not made, for display.
        var ends: [String]
    }

    let plan: Plan
    private let kind: StoreKind
    var store: SimulatedStore
    var files: Files
    var machine: Machine?
    var agenda = Agenda()
    var history: [Record] = []
    var sometimes = Sometimes()
    var violations: [Violation] = []
    /// Steady time since the run began.
    var steady: Nanoseconds = 0
    /// What the clock of the machine shows beyond that.
    var offset: Nanoseconds
    /// How long the machine slept in all.
    var slept: Nanoseconds = 0
    /// The clock and the sleep when the process started.
    private var atStart: (offset: Nanoseconds, slept: Nanoseconds) = (0, 0)
    private var starts = 0
    var manners: [String: (manner: Manner, number: Int)] = [:]
    var moods = 0
    var tickets = 0
    var attempts = 0
    /// How often each delivery was attempted.
    var tries: [DeliveryID: Int] = [:]
    /// How many occurrences the engine has visited at this moment.
    private var visits = 0

    /// How long a run goes on after its last fault.
    private static let rest = 12 * Plan.hour
    /// So many steps at one moment are a loop without end.
    private static let stepLimit = 2_000
    /// So are visits of so many occurrences: whole runs have fewer, and one step of a loop can visit 10,000.
    private static let visitLimit = 50_000

    init(_ plan: Plan, on kind: StoreKind) throws {
        self.plan = plan
        self.kind = kind
        store = try SimulatedStore(kind)
        offset = plan.begin
        files = Files(sinkFile: plan.sinkFile)
    }

    var reading: ClockReading {
        ClockReading(
            now: Timestamp(nanoseconds: steady + offset), setBy: .nanoseconds(offset - atStart.offset),
            slept: .nanoseconds(slept - atStart.slept))
    }

    mutating func record(_ event: Happened) {
        history.append(Record(steady: steady, wall: steady + offset, event))
    }

    func random(for name: String) -> SeededRandom { SeededRandom(plan.seed, for: name) }

    /// Runs the plan and judges what happened.
    static func run(_ plan: Plan, on kind: StoreKind) async throws -> Result {
        var simulation = try Simulation(plan, on: kind)
        await simulation.run()
        let deliveries = await simulation.readDeliveries()
        simulation.checkRest(deliveries)
        await simulation.store.remove()
        let checker = Checker(simulation.history, sinks: plan.terms)
        simulation.sometimes.add(checker.tallies)
        return Result(
            history: simulation.history, violations: simulation.violations + checker.violations,
            sometimes: simulation.sometimes, ends: Self.ends(deliveries))
    }

    private static func ends(_ deliveries: [DeliveryRecord]) -> [String] {
        deliveries.filter { $0.state != .delivered }.map { delivery in
            "\(delivery.id.rawValue.prefix(8)): \(delivery.definition) \(delivery.action) of "
                + "\(delivery.occurrence.nanoseconds) to \(delivery.sink): \(delivery.state), "
                + "\(delivery.reason ?? "no reason")"
        }
    }

    private mutating func run() async {
        agenda.add(0, .start)
        for (index, happening) in plan.happenings.enumerated() { agenda.add(happening.at, .happening(index)) }
        agenda.add(Plan.hour, .tidy)
        await run(to: plan.length)
        // From here on nothing fails that does not fail for ever.
        store.mood = .works
        record(.storeWorks)
        manners = manners.filter { $0.value.number == .max }
        files.broken = []
        machine?.effectsLeft = nil
        if machine != nil { await readFiles() } else { await start() }
        await run(to: steady + Self.rest)
        record(.over)
    }

    private mutating func run(to end: Nanoseconds) async {
        var steps = 0
        while true {
            let wake = machine?.wakeAt.map { max(steady, $0.nanoseconds - offset) }
            let appointed = agenda.next.map { max(steady, $0) }
            guard let next = [wake, appointed].compactMap(\.self).min(), next <= end else { break }
            (steps, visits) = next > steady ? (0, 0) : (steps + 1, visits)
            steady = next
            guard steps < Self.stepLimit, visits < Self.visitLimit else {
                return violations.append(Violation(rule: "a loop without end", detail: "", steady: steady))
            }
            if appointed == next, let appointment = agenda.takeNext() {
                await keep(appointment)
            } else {
                await step([.wake])
            }
        }
        // The machine may sleep beyond the end.
        steady = max(steady, end)
    }

    /// Has the engine take a step, and performs what it wants.
    mutating func step(_ inputs: [EngineInput]) async {
        let reading = reading
        guard let turn = machine?.engine.step(inputs, at: reading) else { return }
        machine?.wakeAt = turn.wakeAt
        visits += turn.visits
        await perform(turn)
    }

    /// Performs the effects in the order in which the program does; the process may end before each of them.
    private mutating func perform(_ turn: Turn) async {
        guard let number = machine?.number else { return }
        if let commit = turn.commit {
            if await crashes(in: commit) { return }
            if await crashes(.crashBeforeCommit) { return }
            if store.mood == .slow {
                var random = random(for: "slow \(steady)")
                agenda.add(steady + Int64(random.below(5_000)) * 1_000_000, .write(commit, run: number))
            } else {
                let result = await write(commit)
                if await crashes(.crashAfterCommit) { return }
                agenda.add(steady, .written(result, run: number))
            }
        }
        for attempt in turn.cancel.sorted() { cancel(attempt) }
        // The order among sinks is no promise, and hashing decides it.
        let begun = turn.begin.enumerated().sorted {
            ($0.element.delivery.sink, $0.offset) < ($1.element.delivery.sink, $1.offset)
        }
        for (_, attempt) in begun {
            if await crashes(.crashBeforeBegin) { return }
            begin(attempt, run: number)
        }
        for (ticket, answer) in turn.answers.sorted(by: { $0.ticket < $1.ticket }) {
            if await crashes(.crashBeforeAnswer) { return }
            note(answer, ticket)
        }
        if turn.isOver { await end(cutsPower: nil) }
    }

    mutating func write(_ commit: Commit) async -> Swift.Result<Committed, StoreError> {
        var random = random(for: "written \(steady)")
        let isWritten = random.below(2) == 0
        let result = await store.commit(commit, now: reading.now, isWritten: isWritten, &sometimes)
        if let breach = store.breach, violations.isEmpty {
            violations.append(Violation(rule: breach, detail: "", steady: steady))
        }
        return result
    }

    private mutating func note(_ answer: EngineAnswer, _ ticket: UInt64) {
        let isDone: Bool
        switch answer {
        case .control(.success), .controlAll(.success), .fire(.success): isDone = true
        default: isDone = false
        }
        sometimes.note(isDone ? .controlDone : .controlRefused)
        record(.answered(Int(ticket), isDone: isDone))
    }

    /// Whether the process ends in the middle of a commit, where a crash was ordered.
    private mutating func crashes(in commit: Commit) async -> Bool {
        guard let left = machine?.effectsLeft, left <= 1 else { return false }
        var random = random(for: "cut off \(steady)")
        // A page is two changes. A commit that fires something has about ten, and a checkpoint after it has many.
        let changes = 1 + random.below(random.below(4) == 0 ? 4_000 : 40)
        guard random.below(2) == 0, let isCutOff = await store.cutOff(commit, now: reading.now, after: changes)
        else { return false }
        return await crashes(isCutOff ? .crashInCommit : .crashAfterCommit)
    }

    /// Whether the process ends here, where a crash was ordered.
    private mutating func crashes(_ event: Sometimes.Event) async -> Bool {
        guard let left = machine?.effectsLeft else { return false }
        machine?.effectsLeft = left - 1
        guard left <= 1 else { return false }
        sometimes.note(event)
        var random = random(for: "power \(steady)")
        await end(cutsPower: kind == .sqlite && random.below(2) == 0 ? random.next() : nil)
        return true
    }

    /// Ends the process, with a seed by a power cut. What it had sent may reach its receivers.
    private mutating func end(cutsPower seed: UInt64?) async {
        guard let machine else { return }
        if !machine.running.isEmpty { sometimes.note(machine.isStopping ? .attemptAbandoned : .crashInAttempt) }
        for run in machine.running.values.sorted(by: { $0.number < $1.number })
        where !run.isTaken && run.fate.taken != nil {
            var random = random(for: "cut \(run.attempt.delivery.id) \(run.number)")
            guard random.below(2) == 0 else { continue }
            record(.taken(run.number))
            sometimes.note(.takenUntold)
        }
        self.machine = nil
        do {
            if try await store.end(cutsPower: seed) > 0 { sometimes.note(.writesLost) }
        } catch {
            violations.append(Violation(rule: "the store cannot be opened", detail: "\(error)", steady: steady))
        }
        if seed != nil { record(.powerCut) }
        record(.crashed)
        agenda.add(steady + down, .start)
    }

    /// For how long the process stays away when it ends.
    var down: Nanoseconds = 0

    mutating func start() async {
        guard machine == nil else { return }
        guard store.isUsable else {
            sometimes.note(.startRefused)
            return agenda.add(steady + 5_000_000_000, .start)
        }
        starts += 1
        atStart = (offset, slept)
        do {
            machine = try await Machine(starts, store.stored, reading)
        } catch {
            violations.append(Violation(rule: "the store cannot be read", detail: "\(error)", steady: steady))
        }
        checkDamage()
        record(.started)
        if !files.broken.isEmpty { sometimes.note(.startBroken) }
        await readFiles()
    }

    /// Has the process read the files, as it does when they changed.
    mutating func readFiles() async {
        guard let (input, errors) = machine?.read(files.contents()) else { return }
        let expected = Set(files.broken.filter { files.drafts[$0] != nil }.map { "\($0).yaml" })
        if errors != expected {
            violations.append(
                Violation(rule: "files with errors", detail: "\(errors.symmetricDifference(expected))", steady: steady))
        }
        let now = reading.now
        if store.isUsable { await machine?.keep(in: store.stored, now: now) }
        await step([.wake] + (input.map { [$0] } ?? []))
    }

    private mutating func readDeliveries() async -> [DeliveryRecord] {
        do throws(StoreError) {
            return try await store.stored.deliveries(DeliveryFilter(limit: .max))
        } catch {
            violations.append(Violation(rule: "the store cannot be read", detail: "\(error)", steady: steady))
            return []
        }
    }

    /// No end of a process damages a row.
    private mutating func checkDamage() {
        guard store.stored.damagedRows > 0 else { return }
        violations.append(
            Violation(rule: "a row is damaged", detail: "\(store.stored.damagedRows) rows", steady: steady))
    }

    /// After all faults and a long rest nothing that is old may be open.
    private mutating func checkRest(_ deliveries: [DeliveryRecord]) {
        let old = Timestamp(nanoseconds: steady + offset - Self.rest / 2)
        for delivery in deliveries where delivery.state.isOpen && delivery.due < old {
            violations.append(
                Violation(
                    rule: "open at the end",
                    detail: "\(delivery.definition) to \(delivery.sink), \(delivery.state), due "
                        + "\(delivery.due.nanoseconds)", steady: steady))
        }
    }
}
