import Logging
import ServiceLifecycle
import TminusCore
import TminusTestKit
import TminusWatch

@testable import TminusDaemon

/// The real engine on a manual clock and a memory store, in one process.
struct DaemonHarness: Sendable {
    let clock: ManualClock
    let store: TroubledStore
    let log = LogRecord()
    let engine = Mailbox<EngineInput>()
    let client: EngineClient
    let board = StatusPublisher { WatchStatus() }
    let owner: String
    /// The kinds of sink that it knows.
    var sinks = SinkRegistry([RecordingSink.self])
    /// How long running attempts may take to end.
    var stopLimit = Bounded.limit
    /// How long cancelled attempts may take to end.
    var cancelLimit = Bounded.limit
    /// How long they may take if the engine is cancelled.
    var hurryLimit = Bounded.limit
    /// Gets the engine's answers to pings.
    var pulse: @Sendable (Pulse) -> Void = { _ in }
    /// Gets what the engine has counted.
    var handOver: @Sendable (EngineFigures) -> Void = { _ in }
    /// Services that stop before the engine.
    var services: [any Service] = []
    /// The clock by which it works, if that is not ``clock`` itself.
    var fleetClock: FleetClock?
    /// What it runs on; nil: the global pool.
    var executor: (any TaskExecutor)?

    init(owner: String = "me", store: TroubledStore = TroubledStore(), now: Timestamp = at(0)) {
        self.owner = owner
        self.store = store
        client = EngineClient(engine)
        clock = ManualClock(now: now)
    }

    /// Runs the engine while `body` runs, and stops it gracefully.
    func run(_ body: @escaping @Sendable (Running) async throws -> Void) async throws {
        let clock: any WallClock = fleetClock ?? clock
        try await Recovery(store: store, clock: clock, owner: owner, logger: log.logger).run()
        let group = ServiceGroup(
            services: [
                Engine(
                    store: store, clock: clock, sinks: sinks, root: "/", inbox: engine, client: client, owner: owner,
                    source: "/tminus/test", status: board, logger: log.logger, pulse: pulse,
                    handOver: handOver, share: { 1 },
                    stopLimit: stopLimit,
                    cancelLimit: cancelLimit, hurryLimit: hurryLimit)
            ] + services,
            logger: Logger(label: "quiet") { _ in SwiftLogNoOpLogHandler() })
        let task = Task(executorPreference: executor) { try await group.run() }
        let running = Running(group: group, task: task)
        do {
            try await body(running)
        } catch {
            running.task.cancel()
            throw error
        }
        await group.triggerGracefulShutdown()
        try await running.end()
    }

    /// Puts these in force.
    func load(_ definitions: [Definition], _ sinks: [SinkSpec]) {
        engine.send(.schedule(.definitions(DefinitionSet(definitions, sinks: sinks))))
    }

    /// Waits until the engine sleeps until that instant: then it has done its work.
    func sleeps(until instant: Timestamp?) async throws {
        guard await clock.waitForDeadline(instant, upTo: Bounded.limit) else {
            throw ConformanceFailure(
                "the next deadline is \(clock.nextDeadline.map { "\(at(0).duration(to: $0))" } ?? "-")")
        }
    }

    /// Waits until the engine sleeps until that many seconds have passed since the start, and lets them pass.
    func advance(to second: Double) async throws {
        try await sleeps(until: at(second))
        clock.advance(by: clock.now.duration(to: at(second)))
    }

    /// Waits until the deliveries in the store are as asked.
    func stored(_ what: String, _ isSatisfied: @escaping @Sendable ([MemoryDelivery]) -> Bool) async throws {
        guard await store.memory.wait(upTo: Bounded.limit, until: isSatisfied) else {
            throw ConformanceFailure(
                "not \(what): \(store.memory.deliveries.map { "\($0.firing.definition) \($0.state)" })")
        }
    }

    /// The deliveries in the store with their attempts, oldest first.
    func records() async throws -> [DeliveryRecord] {
        try await store.memory.deliveries(DeliveryFilter(limit: .max)).reversed()
    }

    /// Waits until so many deliveries are in the store and all of them are over.
    func settled(_ count: Int) async throws {
        try await stored("\(count) settled") { $0.count == count && $0.allSatisfy { !$0.isOpen } }
    }
}

/// A harness whose engine runs.
struct Running: Sendable {
    let group: ServiceGroup
    let task: Task<Void, any Error>

    /// Waits for the end of the engine.
    func end() async throws {
        try await Bounded.value("the end of the services") { try await task.value }
    }
}

extension MemoryDelivery {
    var deathReason: String? { state == .dead ? reason : nil }

    var isDelivered: Bool { state == .delivered }
}

extension Mailbox<EngineInput> {
    /// The inputs of the schedule that wait; the others are dropped.
    func takeSchedule() -> [ScheduleInput] {
        takeAll().compactMap { if case .schedule(let input) = $0 { input } else { nil } }
    }
}
