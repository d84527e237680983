internal import Synchronization
internal import TminusCore

/// The attempts that have ended and of which the dispatcher does not know yet: it is told once of as many as gather until it looks.
final class AttemptEnds: Sendable {
    private let ended = Mutex(EndedAttempts())

    /// Adds one; true if it is the first, of which the dispatcher is to be told.
    func add(_ attempt: Attempt, _ result: AttemptResult) -> Bool {
        ended.withLock { ended in
            ended.append(attempt, result)
            return ended.attempts.count == 1
        }
    }

    /// Everything added so far, in order.
    func takeAll() -> EndedAttempts {
        ended.withLock { ended in
            defer { ended = EndedAttempts() }
            return ended
        }
    }
}

/// Attempts that have ended, in order.
struct EndedAttempts: Sendable {
    /// One of them.
    struct Ended: Sendable {
        let attempt: Attempt
        let at: ClockReading
        /// How long it took.
        let took: Duration
    }

    private(set) var attempts: [Ended] = []
    /// What the store is to know of each: made where it ended, and from there on handed on with all the others.
    private(set) var settlements: [Settlement] = []

    fileprivate mutating func append(_ attempt: Attempt, _ result: AttemptResult) {
        attempts.append(Ended(attempt: attempt, at: result.ended, took: result.took))
        settlements.append(Settlement(of: attempt.claimed, result.outcome, report: result.report, at: result.ended))
    }
}

extension Settlement {
    /// That a claimed delivery has come to an end, or will be tried again; without a report it was not tried.
    init(of claimed: ClaimedDelivery, _ outcome: Outcome, report: DeliveryReport?, at reading: ClockReading) {
        self.init(token: claimed.token, id: claimed.id, outcome: outcome, report: report, ended: reading.now)
    }
}
