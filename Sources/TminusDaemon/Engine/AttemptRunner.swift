internal import Synchronization
internal import TminusCore

/// Runs attempts, each in a task of its own with the time limit of its sink, and reports how each ended.
final class AttemptRunner: Sendable {
    /// A running attempt.
    private struct Run {
        /// Nil until the attempt first waits for something.
        var task: Task<Void, Never>?
        var deadline: UInt64?
    }

    private let clock: any WallClock
    private let executor: (any TaskExecutor)?
    private let grace: Duration
    private let share: @Sendable () -> Double
    private let report: @Sendable (AttemptOutcome) -> Void
    private let runs = Mutex<[Attempt.Number: Run]>([:])
    private let deadlines = Deadlines()

    /// A runner without attempts.
    ///
    /// - Parameters:
    ///   - executor: Where attempts run, each up to where it waits for something else; nil: the cooperative pool.
    ///   - grace: How long a sink may exceed its own time limit, which it is to keep itself, before its attempt is cancelled.
    ///   - share: The share of its bound that a retry waits, from 0 to 1.
    ///   - report: Called once for each attempt, when it has ended.
    init(
        clock: any WallClock, on executor: (any TaskExecutor)? = nil, grace: Duration = .seconds(2),
        share: @escaping @Sendable () -> Double,
        report: @escaping @Sendable (AttemptOutcome) -> Void
    ) {
        self.clock = clock
        self.executor = executor
        self.grace = grace
        self.share = share
        self.report = report
    }

    /// Begins an attempt. It runs here and now up to where it first waits: waking another thread would mostly take longer.
    func begin(_ attempt: Attempt) {
        let number = attempt.number
        runs.withLock { $0[number] = Run() }
        let task = Task.immediate(executorPreference: executor) { await run(attempt) }
        runs.withLock { runs in
            // Nil: the attempt has ended without waiting for anything.
            guard runs[number] != nil else { return }
            let deadline = deadlines.after(attempt.sink.sink.timeLimit + grace) { [weak self] in self?.cancel(number) }
            runs[number] = Run(task: task, deadline: deadline)
        }
    }

    /// Cancels an attempt if it still runs. Its end is reported all the same.
    func cancel(_ attempt: Attempt.Number) { runs.withLock { $0[attempt]?.task }?.cancel() }

    /// Returns when all attempts have ended.
    func ended() async {
        for task in runs.withLock({ $0.values.compactMap(\.task) }) { await task.value }
    }

    private func run(_ attempt: Attempt) async {
        let delivery = attempt.delivery
        let outcome: AttemptOutcome
        do throws(DeliveryError) {
            let report = try await attempt.sink.sink.deliver(delivery)
            outcome = AttemptOutcome(of: attempt.number, .delivered, report: report, ended: clock.recentReading)
        } catch {
            let ended = clock.recentReading
            let claim = delivery.claim
            let verdict = attempt.sink.policy.retry.outcome(
                of: error, attempt: claim.tries, since: claim.since(at: ended), expires: claim.expires,
                now: ended.now, share: share())
            outcome = AttemptOutcome(of: attempt.number, verdict, report: error.report, ended: ended)
        }
        // Report before the attempt is forgotten, so that `ended()` returns after the last report.
        report(outcome)
        let run = runs.withLock { $0.removeValue(forKey: attempt.number) }
        if let deadline = run?.deadline { deadlines.callOff(deadline) }
    }
}
