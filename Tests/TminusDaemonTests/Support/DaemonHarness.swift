import Logging
import ServiceLifecycle
import TminusCore
import TminusTestKit
import TminusWatch

@testable import TminusDaemon

/// The real services on a manual clock and a memory store, in one process.
struct DaemonHarness: Sendable {
    let clock: ManualClock
    let store: TroubledStore
    let log = LogRecord()
    let scheduler = Mailbox<ScheduleInput>()
    let desk: EngineClient
    let dispatcher = Mailbox<DispatcherMessage>()
    let offer = ClaimOffer()
    let board = StatusPublisher { WatchStatus() }
    let owner: String
    /// The kinds of sink that it knows.
    var sinks = SinkRegistry([RecordingSink.self])
    /// How long running deliveries may take to end.
    var stopLimit: Duration = .seconds(30)
    /// What they run on; nil: the pool.
    var executor: (any TaskExecutor)?

    init(owner: String = "me", store: TroubledStore = TroubledStore(), now: Timestamp = at(0)) {
        self.owner = owner
        self.store = store
        desk = EngineClient(scheduler)
        clock = ManualClock(now: now)
    }

    /// Runs the services while `body` does, and stops them gracefully.
    func run(_ body: @escaping @Sendable (Running) async throws -> Void) async throws {
        try await Recovery(store: store, clock: clock, owner: owner, logger: log.logger).run()
        let group = ServiceGroup(
            services: [
                Dispatcher(
                    store: store, clock: clock, sinks: sinks, inbox: dispatcher,
                    scheduler: scheduler, offer: offer, owner: owner, source: "/tminus/test", status: board,
                    logger: log.logger,
                    share: { 1 },
                    stopLimit: stopLimit),
                Scheduler(
                    store: store, clock: clock, inbox: scheduler, desk: desk, dispatcher: dispatcher,
                    offer: offer, status: board, logger: log.logger),
            ],
            logger: Logger(label: "quiet") { _ in SwiftLogNoOpLogHandler() })
        let task = Task(executorPreference: executor) { try await group.run() }
        let running = Running(harness: self, group: group, task: task)
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
        scheduler.send(.definitions(DefinitionSet(definitions, sinks: sinks)))
    }

    /// Waits until the next thing that any loop waits for is at that instant: then all have done their work.
    func sleeps(until instant: Timestamp?) async throws {
        guard await clock.waitForDeadline(instant, upTo: .seconds(30)) else {
            throw ConformanceFailure(
                "the next deadline is \(clock.nextDeadline.map { "\(at(0).duration(to: $0))" } ?? "-")")
        }
    }

    /// Waits until the deliveries in the store are as asked.
    func stored(_ what: String, _ isSatisfied: @escaping @Sendable ([MemoryDelivery]) -> Bool) async throws {
        guard await store.memory.wait(upTo: .seconds(30), until: isSatisfied) else {
            throw ConformanceFailure(
                "not \(what): \(store.memory.deliveries.map { "\($0.firing.definition) \($0.state)" })")
        }
    }

    /// Waits until so many deliveries are in the store and all of them are over.
    func settled(_ count: Int) async throws {
        try await stored("\(count) settled") { $0.count == count && $0.allSatisfy { !$0.isOpen } }
    }
}

/// A harness with its services at work.
struct Running: Sendable {
    let harness: DaemonHarness
    let group: ServiceGroup
    let task: Task<Void, any Error>

    /// Waits for the end of the services.
    func end() async throws {
        try await Bounded.value(within: .seconds(60), "the end of the services") { try await task.value }
    }
}

extension MemoryDelivery {
    var deathReason: String? {
        if case .dead(_, let reason) = state { reason } else { nil }
    }

    var isDelivered: Bool {
        if case .delivered = state { true } else { false }
    }
}
