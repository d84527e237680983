internal import Logging
internal import ServiceLifecycle
internal import Synchronization
internal import TminusCore
internal import TminusSinks
internal import TminusSystem

/// Delivers beside the leader while a daemon stands by. It has no schedule: it claims what waits in the store for sinks that
/// may run on this machine.
final class Follower: Sendable {
    /// Opens the store, which measures the clock. `owner` names the run in its claims, and `machine` is what the leader gets to know.
    typealias Open =
        @Sendable (_ owner: String, _ machine: FleetMachine, _ clock: FleetClock) async throws -> any FleetStore

    /// How often it claims without being woken.
    static let interval = Duration.seconds(3)

    private let open: Open
    private let sinks: SinkRegistry
    private let root: String
    private let source: String
    /// What this machine says of itself.
    private let machine: Mutex<FleetMachine>
    private let files: FollowerFiles
    /// Forwards requests through its store, as long as that is open.
    let forwarder: RequestForwarder
    private let clockNotices: ClockNotices
    private let logger: Logger
    private let inbox = Mailbox<EngineInput>()
    private let isStopped = Mutex(false)
    private let stopsTelling = Mutex<@Sendable () -> Void>({})
    private let leaderEnded = Mutex<@Sendable () -> Void>({})
    private let starts: AsyncStream<Void>
    private let start: AsyncStream<Void>.Continuation

    /// A follower that has not begun.
    ///
    /// - Parameters:
    ///   - open: Opens its store.
    ///   - root: The absolute config directory, in which paths of sinks start.
    ///   - source: The CloudEvents source.
    ///   - machine: What this machine says of itself.
    ///   - files: Its definition files.
    ///   - forwarder: Forwards requests through its store, as long as that is open.
    ///   - clockNotices: Told of each measurement of the clock.
    init(
        sinks: SinkRegistry, root: String, source: String, machine: FleetMachine, files: FollowerFiles,
        forwarder: RequestForwarder, clockNotices: ClockNotices, logger: Logger,
        open: @escaping Open
    ) {
        self.open = open
        self.sinks = sinks
        self.root = root
        self.source = source
        self.machine = Mutex(machine)
        self.files = files
        self.forwarder = forwarder
        self.clockNotices = clockNotices
        self.logger = logger
        (starts, start) = AsyncStream.makeStream()
    }

    /// Has it begin, because another daemon leads.
    func begin() { start.yield() }

    /// Calls this when the leader has ended in order, or may have.
    func whenLeaderEnds(_ act: @escaping @Sendable () -> Void) { leaderEnded.withLock { $0 = act } }

    /// Has it begin nothing new, and end when what runs has ended.
    func stop() {
        isStopped.withLock { $0 = true }
        start.finish()
        inbox.send(.stop)
        // Before the last attempt has ended: only one watcher of a process gets notifications, and the leader needs them.
        stopsTelling.withLock { $0() }
    }

    /// Runs beside `body`, which has it begin and stop, and ends when both have: what it delivers may take longer than the daemon stands
    /// by.
    func run(beside body: () async throws -> Void) async throws {
        let following = Task { await run() }
        try await withTaskCancellationHandler {
            do {
                try await body()
            } catch {
                following.cancel()
                await following.value
                throw error
            }
            stop()
            await following.value
        } onCancel: {
            following.cancel()
        }
    }

    /// Waits until it is to begin, and runs until it was stopped, or the daemon is to stop. What it cannot do now it tries again.
    private func run() async {
        guard await starts.cancelOnGracefulShutdown().first(where: { _ in true }) != nil else { return }
        var problem: String?
        while !isStopped.withLock(\.self), !Task.isShuttingDownGracefully, !Task.isCancelled {
            do {
                let owner = Daemon.claimOwner()
                let thread = try ServiceThread()
                defer { thread.end() }
                let clock = FleetClock(on: TimerFDClock(on: thread), measured: clockNotices.measured)
                let store = try await UntilStop().run(
                    { [self] in try await open(owner, machine.withLock(\.self), clock) }, end: {})
                guard let store else { return }
                logger.notice("delivers beside the leader")
                problem = nil
                forwarder.use(store)
                defer { forwarder.use(nil) }
                do {
                    try await deliver(from: store, owner: owner, clock, on: thread)
                } catch {
                    try? await store.close()
                    throw error
                }
                return try await store.close()
            } catch {
                if problem != "\(error)" {
                    logger.notice("does not deliver yet, and tries again", metadata: ["reason": "\(error)"])
                }
                problem = "\(error)"
            }
            await cancelWhenGracefulShutdown { try? await Task.sleep(for: Self.interval, clock: .continuous) }
        }
    }

    /// Tells the leader of the definition files during `body`, until this machine is to lead.
    private func telling(_ store: any FleetStore, during body: () async throws -> Void) async throws {
        let telling = Task {
            await files.run { [self] hash, digests in
                let facts = machine.withLock { machine in
                    machine.hash = hash
                    return machine
                }
                await store.describe(facts, files: digests)
            }
        }
        stopsTelling.withLock { $0 = { telling.cancel() } }
        if isStopped.withLock(\.self) { telling.cancel() }
        let result: Result<Void, any Error>
        do { result = .success(try await body()) } catch { result = .failure(error) }
        telling.cancel()
        await telling.value
        try result.get()
    }

    private func deliver(
        from store: any FleetStore, owner: String, _ clock: FleetClock, on thread: ServiceThread
    ) async throws {
        let labels = machine.withLock(\.labels)
        let engine = Engine(
            store: store, clock: clock, sinks: sinks, root: root, inbox: inbox,
            client: EngineClient(inbox), owner: owner, source: source, isFollower: true, labels: labels, logger: logger,
            thread: thread)
        try await withThrowingTaskGroup { group in
            group.addTask { [inbox, forwarder] in
                for await _ in store.wakes {
                    inbox.send(.hint)
                    forwarder.look()
                    // A leader that is busy wakes its followers more often than they can claim.
                    try await Task.sleep(for: .milliseconds(50), clock: .continuous)
                }
            }
            group.addTask { [self] in for await _ in store.leaderEnds { leaderEnded.withLock(\.self)() } }
            group.addTask { [inbox] in
                while true {
                    inbox.send(.hint)
                    try await Task.sleep(for: Self.interval, clock: .continuous)
                }
            }
            defer { group.cancelAll() }
            try await telling(store) {
                try await withTaskExecutorPreference(thread) { try await engine.run() }
            }
        }
    }
}
