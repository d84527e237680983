internal import TminusCore

/// Makes one attempt, and decides what its end means.
struct DeliveryWorker: Sendable {
    let clock: any WallClock
    /// The CloudEvents source.
    let source: String
    /// The share of its bound that a retry waits, from 0 to 1.
    let share: @Sendable () -> Double

    /// What came of an attempt that begins at `begun`. `isInterrupted`: whether it was cancelled because the daemon stops.
    func result(
        of attempt: Attempt, begun: ClockReading, isInterrupted: () -> Bool
    ) async -> AttemptResult {
        let claimed = attempt.claimed
        if let expires = claimed.expires, expires <= begun.now {
            let outcome = Outcome.expired(reason: "it was of no more use when it could be sent")
            return AttemptResult(outcome: outcome, report: nil, ended: begun, took: .zero)
        }
        guard let payload = claimed.payload else {
            let outcome = Outcome.dead(reason: "its stored payload cannot be read")
            return AttemptResult(outcome: outcome, report: nil, ended: begun, took: .zero)
        }
        let delivery = Delivery(
            id: claimed.id, action: claimed.action, sink: claimed.sink, due: claimed.due, attempt: claimed.attempt,
            source: source, payload: payload)
        let end = await attempt.sink.attempt(delivery, stop: attempt.stop)
        let ended = clock.recentReading
        let outcome: Outcome
        let report: DeliveryReport
        switch end {
        case .answered(.success(let answer)):
            (outcome, report) = (.delivered, answer)
        case .replaced(let answer):
            (outcome, report) = (.skipped(reason: Overlap.replacedReason), answer)
        case .answered(.failure(let error)) where isInterrupted():
            (outcome, report) = (
                .retry(at: ended.now, reason: "interrupted because the daemon stopped"), error.report
            )
        case .answered(.failure(let error)):
            report = error.report
            outcome = attempt.made.policy.retry.outcome(
                of: error, attempt: claimed.tries, since: claimed.since, expires: claimed.expires, now: ended.now,
                share: share())
        }
        return AttemptResult(
            outcome: outcome, report: report, ended: ended, took: max(.zero, begun.steady.duration(to: ended.steady)))
    }
}
