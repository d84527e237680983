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
    let kind: StoreKind
    var store: SimulatedStore
    var files: Files
    /// The processes, by number.
    var machines: [Int: Machine] = [:]
    /// When the engine of each wants to be woken, in wall time.
    var wakes: [Int: Timestamp] = [:]
    /// The process that has the schedule; nil while none has.
    var leader: Int?
    var fleet = Fleet()
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
    var starts = 0
    var manners: [String: (manner: Manner, number: Int)] = [:]
    var moods = 0
    var tickets = 0
    var attempts = 0
    /// How often each delivery was attempted.
    var tries: [DeliveryID: Int] = [:]
    /// How many occurrences the engine has visited at this moment.
    var visits = 0
    /// For how long the process stays away when it ends.
    var down: Nanoseconds = 0

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

    /// The process that leads.
    var machine: Machine? { leader.flatMap { machines[$0] } }

    /// What the clock of the machine shows.
    var now: Timestamp { Timestamp(nanoseconds: steady + offset) }

    /// What a process reads that started when the clock had been set and the machine had slept by so much.
    func reading(since origin: Machine.Origin) -> ClockReading {
        ClockReading(
            now: now, setBy: .nanoseconds(offset - origin.offset), slept: .nanoseconds(slept - origin.slept))
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
        for (index, happening) in plan.happenings.enumerated() where happening.at <= plan.length {
            agenda.add(happening.at, .happening(index))
        }
        agenda.add(Plan.hour, .tidy)
        for place in 0..<plan.followers { agenda.add(0, .follow(place: place)) }
        await run(to: plan.length)
        // From here on nothing fails that does not fail for ever.
        store.mood = .works
        record(.storeWorks)
        manners = manners.filter { $0.value.number == .max }
        files.broken = []
        fleet.faults = [:]
        for run in store.unreachable.sorted() { await reconnect(run) }
        for run in machines.keys { machines[run]?.effectsLeft = nil }
        if machine != nil { await readFiles() } else { await start() }
        await run(to: steady + Self.rest)
        record(.over)
    }

    private mutating func run(to end: Nanoseconds) async {
        var steps = 0
        while true {
            let first = wakes.min { ($0.value, $0.key) < ($1.value, $1.key) }
            let wake = first.map { max(steady, $0.value.nanoseconds - offset) }
            let appointed = agenda.next.map { max(steady, $0) }
            // What a sleep beyond the end held up happens before it, too.
            guard let next = [wake, appointed].compactMap(\.self).min(), next <= max(end, steady) else { break }
            (steps, visits) = next > steady ? (0, 0) : (steps + 1, visits)
            steady = next
            guard steps < Self.stepLimit, visits < Self.visitLimit else {
                let cause = appointed == next ? "appointments" : "wakes of process \(first?.key ?? 0)"
                return violations.append(Violation(rule: "a loop without end", detail: cause, steady: steady))
            }
            if appointed == next, let appointment = agenda.takeNext() {
                await keep(appointment)
            } else if let run = first?.key {
                await step([.wake], of: run)
            }
        }
        steady = max(steady, end)
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
    mutating func checkDamage() {
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
