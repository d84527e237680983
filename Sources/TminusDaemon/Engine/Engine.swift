internal import Logging
internal import ServiceLifecycle
internal import TminusCore
internal import TminusSystem

/// The loop around ``EngineState``: waits for inputs, takes a step, performs what it returns.
///
/// Everything that a schedule or a delivery is stands in the store; what is in memory can be lost. A process that dies leaves claims
/// behind, which are released at the next start (``Recovery``); their deliveries are repeated with the same ids.
struct Engine: Service {
    let store: any Store
    let clock: any WallClock
    let sinks: SinkRegistry
    /// The absolute config directory, in which paths of sinks start.
    let root: String
    let inbox: Mailbox<EngineInput>
    /// Gets the answers.
    let client: EngineClient
    /// Names this process in its claims, and no other before or after it.
    let owner: String
    /// The CloudEvents source.
    let source: String
    /// Told whether the store can be written; nil for nobody.
    var status: StatusPublisher?
    /// Whether another machine has the schedule. Such an engine ends when its inbox says so.
    var isFollower = false
    /// The labels of this machine.
    var labels: Set<MachineLabel> = []
    /// Whether the clock is known to be right. If it is, what a clock far ahead has done before is put right at the start.
    var trustsClock: @Sendable () -> Bool = { ClockSynchronisation.isInForce == true }
    /// Called with each generation of the config directory that is in force.
    var inForce: @Sendable (Int) -> Void = { _ in }
    let logger: Logger
    /// The thread on which attempts run; nil: the cooperative pool.
    var thread: (any TaskExecutor)?
    /// Told when much was written.
    var upkeep = MemoryUpkeep()
    /// Gets the answers to pings.
    var pulse: @Sendable (Pulse) -> Void = { _ in }
    /// Gets what the engine has counted, before the answer to a ping.
    var handOver: @Sendable (EngineFigures) -> Void = { _ in }
    /// The share of its bound that a retry waits, from 0 to 1.
    var share: @Sendable () -> Double = { Double.random(in: 0...1) }
    /// How long running attempts may take to end once the daemon stops. Then they are cancelled.
    var stopLimit: Duration = .seconds(25)
    /// How long cancelled attempts may take to end. Then the next start repeats their deliveries.
    var cancelLimit: Duration = .seconds(4)
    /// How long they may take if the task is cancelled: somebody wants the end at once.
    var hurryLimit: Duration = .milliseconds(500)
    /// How long sinks may take to shut down after that.
    private static let sinkLimit = Duration.seconds(1)

    func run() async throws {
        defer { client.close() }
        let snapshot = try await store.snapshot()
        if snapshot.unreadable > 0 {
            logger.error(
                "stored schedules cannot be read: their definitions start from the beginning",
                metadata: ["count": "\(snapshot.unreadable)"])
        }
        // Successes are logged at debug only; the log level is read once, at the start.
        var state = EngineState(
            snapshot, owner: owner, source: source, at: clock.reading,
            trustsClock: trustsClock(), reportsSuccesses: logger.logLevel <= .debug,
            isFollower: isFollower, labels: labels
        ) { [sinks, root, clock, logger] spec in
            sinks.make(
                spec, root: root, by: clock, reporting: DiagnosticBag(file: "store"),
                log: logger.sinkLog(of: spec.title))
        }
        let runner = AttemptRunner(clock: clock, on: thread, share: share) { [inbox] in inbox.send(.ended($0)) }
        let alarm = clock.makeAlarm { [inbox] in inbox.send(.wake) }
        inbox.send(.wake)
        /// When the sinks must have shut down; nil until the stop.
        var end: ContinuousClock.Instant?
        await withGracefulShutdownHandler {
            await withDiscardingTaskGroup { group in
                for await _ in inbox.signals {
                    // The one place where the loop reads the clock.
                    let reading = clock.reading
                    let turn = state.step(inbox.takeAll(), at: reading)
                    if end == nil, state.isStopping { end = .now + stopLimit + cancelLimit + Self.sinkLimit }
                    perform(turn, at: reading.now, runner, &group)
                    alarm.set(turn.wakeAt)
                    // It answers until its turn to stop comes, so that the server can answer what is under way.
                    if turn.isOver, isFollower || Task.isShuttingDownGracefully { break }
                }
                alarm.cancel()
                group.cancelAll()
            }
            if Task.isCancelled { await windUp(&state, runner) }
        } onGracefulShutdown: {
            inbox.send(.stop)
        }
        if let report = state.unrecorded { logger.log(report) }
        let sinks = state.close()
        let left = end.map { ContinuousClock.now.duration(to: $0) } ?? stopLimit
        await Task {
            await withDiscardingTaskGroup { group in
                for sink in sinks { group.addTask { await sink.shutdown() } }
            }
        }.end(within: Task.isCancelled ? hurryLimit : max(left, Self.sinkLimit))
    }

    /// Performs what a step returned. The commit goes first: attempts begin while it is written.
    private func perform(_ turn: Turn, at now: Timestamp, _ runner: AttemptRunner, _ group: inout DiscardingTaskGroup) {
        if let commit = turn.commit {
            group.addImmediateTask {
                inbox.send(.committed(await write(commit, at: now)))
            }
        }
        for attempt in turn.cancel { runner.cancel(attempt) }
        for attempt in turn.begin { runner.begin(attempt) }
        for (ticket, answer) in turn.answers { client.answer(answer, to: ticket) }
        for sink in turn.close { group.addTask { await sink.shutdown() } }
        client.publish { turn.changed }
        if let generation = turn.generation { inForce(generation) }
        for report in turn.reports {
            logger.log(report)
            if case .waiting = report { limitStop(&group) }
        }
        if let health = turn.store { status?.store(health) }
        if let figures = turn.figures { handOver(figures) }
        if let answer = turn.pulse { pulse(answer) }
        if turn.schedulesWritten >= MemoryUpkeep.much { upkeep.worked() }
    }

    private func write(_ commit: Commit, at now: Timestamp) async -> Result<Committed, StoreError> {
        do throws(StoreError) {
            return .success(try await store.commit(commit, now: now))
        } catch {
            return .failure(error)
        }
    }

    /// Ends the engine when its task was cancelled, and so gets no more signals: cancels the attempts, records those that end within
    /// ``hurryLimit``, and leaves the others to the next start.
    private func windUp(_ state: inout EngineState, _ runner: AttemptRunner) async {
        inbox.send(.stop)
        inbox.send(.giveUp)
        var hasWaited = false
        while true {
            let reading = clock.reading
            let turn = state.step(inbox.takeAll(), at: reading)
            for attempt in turn.cancel { runner.cancel(attempt) }
            for (ticket, answer) in turn.answers { client.answer(answer, to: ticket) }
            for sink in turn.close { await sink.shutdown() }
            for report in turn.reports { logger.log(report) }
            if turn.isOver { return }
            if !hasWaited {
                hasWaited = true
                await Task { await runner.ended() }.end(within: hurryLimit)
            } else if turn.commit == nil {
                inbox.send(.abandon)
            }
            if let commit = turn.commit { inbox.send(.committed(await write(commit, at: reading.now))) }
        }
    }

    /// Bounds how long the running attempts may take once the daemon stops.
    private func limitStop(_ group: inout DiscardingTaskGroup) {
        group.addTask {
            // A follower that stops because its daemon takes over has the time that it needs.
            if isFollower { try? await gracefulShutdown() }
            for (limit, input) in [(stopLimit, EngineInput.giveUp), (cancelLimit, .abandon)] {
                guard (try? await Task.sleep(for: limit, clock: .continuous)) != nil else { return }
                inbox.send(input)
            }
        }
    }
}
