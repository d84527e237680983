internal import Synchronization
internal import TminusCore

/// The attempts that have ended and of which the dispatcher does not know yet: it is told once of as many as gather until it looks.
/// And what is to be recorded of them, until the store is asked.
final class AttemptEnds: Sendable {
    private struct State {
        var ended = EndedAttempts()
        var unsettled = Unsettled()

        mutating func takeEnded() -> EndedAttempts {
            defer { ended = EndedAttempts() }
            return ended
        }
    }

    private let state = Mutex(State())

    /// Adds one; true if it is the first, of which the dispatcher is to be told.
    func add(_ attempt: Attempt, _ result: AttemptResult) -> Bool {
        let settlement = Settlement(of: attempt.claimed, result.outcome, report: result.report, at: result.ended)
        return state.withLock { state in
            defer { state.ended.append(attempt, result) }
            state.unsettled.append(settlement, setBy: result.ended.setBy)
            return state.ended.isEmpty
        }
    }

    /// What has ended since it was looked. What is to be recorded of it stays here.
    func takeEnded() -> EndedAttempts { state.withLock { $0.takeEnded() } }

    /// What has ended since it was looked, and all that is to be recorded.
    func takeAll() -> (ended: EndedAttempts, unsettled: Unsettled) {
        state.withLock { state in
            defer { state.unsettled = Unsettled() }
            return (state.takeEnded(), state.unsettled)
        }
    }
}

/// How many attempts have ended, and where.
struct EndedAttempts: Sendable {
    /// Attempts in a row by one sink.
    struct Group: Sendable {
        let made: MadeSink
        var count: Int
        /// When the last of them ended.
        var at: ClockReading
        /// How long the last of them took.
        var took: Duration
    }

    private(set) var groups: [Group] = []
    /// The tokens of those that a later occurrence could have ended.
    private(set) var replaceable: [String] = []

    var isEmpty: Bool { groups.isEmpty }

    fileprivate mutating func append(_ attempt: Attempt, _ result: AttemptResult) {
        if attempt.stop != nil { replaceable.append(attempt.claimed.token) }
        let last = groups.count - 1
        if last >= 0, groups[last].made === attempt.made {
            groups[last].count += 1
            (groups[last].at, groups[last].took) = (result.ended, result.took)
        } else {
            groups.append(Group(made: attempt.made, count: 1, at: result.ended, took: result.took))
        }
    }
}
