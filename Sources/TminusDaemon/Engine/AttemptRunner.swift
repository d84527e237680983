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
    private let source: String
    private let grace: Duration
    private let share: @Sendable () -> Double
    private let report: @Sendable (AttemptOutcome) -> Void
    /// By the token of the claim.
    private let runs = Mutex<[String: Run]>([:])
    private let deadlines = Deadlines()

    /// A runner without attempts.
    ///
    /// - Parameters:
    ///   - source: The CloudEvents source of the deliveries.
    ///   - grace: How long a sink may exceed its own time limit, which it is to keep itself, before its attempt is cancelled.
    ///   - share: The share of its bound that a retry waits, from 0 to 1.
    ///   - report: Called once for each attempt, when it has ended.
    init(
        clock: any WallClock, source: String, grace: Duration = .seconds(2), share: @escaping @Sendable () -> Double,
        report: @escaping @Sendable (AttemptOutcome) -> Void
    ) {
        self.clock = clock
        self.source = source
        self.grace = grace
        self.share = share
        self.report = report
    }

    /// Begins an attempt. It runs here and now up to where it first waits: waking another thread would mostly take longer.
    func begin(_ attempt: Attempt) {
        let token = attempt.delivery.claim.token
        runs.withLock { $0[token] = Run() }
        let task = Task.immediate { await run(attempt, token) }
        runs.withLock { runs in
            // Nil: the attempt has ended without waiting for anything.
            guard runs[token] != nil else { return }
            let deadline = deadlines.after(attempt.sink.sink.timeLimit + grace) { [weak self] in self?.cancel(token) }
            runs[token] = Run(task: task, deadline: deadline)
        }
    }

    /// Cancels an attempt if it still runs. Its end is reported all the same.
    func cancel(_ token: String) { runs.withLock { $0[token]?.task }?.cancel() }

    /// Returns when all attempts have ended.
    func ended() async {
        for task in runs.withLock({ $0.values.compactMap(\.task) }) { await task.value }
    }

    private func run(_ attempt: Attempt, _ token: String) async {
        var delivery = attempt.delivery
        delivery.source = source
        let outcome: AttemptOutcome
        do throws(DeliveryError) {
            let answer = try await attempt.sink.sink.deliver(delivery)
            outcome = AttemptOutcome(
                delivery: delivery, outcome: .delivered, report: answer, ended: clock.recentReading)
        } catch {
            let ended = clock.recentReading
            let claim = delivery.claim
            outcome = AttemptOutcome(
                delivery: delivery,
                outcome: attempt.sink.policy.retry.outcome(
                    of: error, attempt: claim.tries, since: claim.since, expires: claim.expires, now: ended.now,
                    share: share()),
                report: error.report, ended: ended)
        }
        // Report before the attempt is forgotten, so that `ended()` returns after the last report.
        report(outcome)
        if let deadline = runs.withLock({ $0.removeValue(forKey: token) })?.deadline { deadlines.callOff(deadline) }
    }
}
