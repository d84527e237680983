internal import TminusCore

/// Decides what an attempt hands to its sink, and what its end means.
struct DeliveryWorker: Sendable {
    let clock: any WallClock
    /// The CloudEvents source.
    let source: String
    /// The share of its bound that a retry waits, from 0 to 1.
    let share: @Sendable () -> Double

    /// Why an attempt is not made.
    struct Refusal: Error {
        let outcome: Outcome
    }

    /// What the sink is handed in an attempt that begins at `begun`.
    func delivery(of claimed: ClaimedDelivery, begun: ClockReading) -> Result<Delivery, Refusal> {
        if let expires = claimed.expires, expires <= begun.now {
            return .failure(Refusal(outcome: .expired(reason: "it was of no more use when it could be sent")))
        }
        guard let payload = claimed.payload else {
            return .failure(Refusal(outcome: .dead(reason: "its stored payload cannot be read")))
        }
        return .success(
            Delivery(
                id: claimed.id, action: claimed.action, sink: claimed.sink, due: claimed.due, attempt: claimed.attempt,
                source: source, payload: payload))
    }

    /// What came of an attempt that has just ended. `isInterrupted`: whether it was cancelled because the daemon stops.
    func result(
        of attempt: Attempt, begun: ClockReading, _ end: AttemptEnd, isInterrupted: () -> Bool
    ) -> AttemptResult {
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
            let claimed = attempt.claimed
            outcome = attempt.made.policy.retry.outcome(
                of: error, attempt: claimed.tries, since: claimed.since, expires: claimed.expires, now: ended.now,
                share: share())
        }
        return AttemptResult(
            outcome: outcome, report: report, ended: ended, took: max(.zero, begun.steady.duration(to: ended.steady)))
    }
}
