internal import Synchronization

/// The attempts that have ended and of which the dispatcher does not know yet: it is told once of as many as gather until it looks.
final class AttemptEnds: Sendable {
    /// One that has ended, with what came of it.
    typealias End = (attempt: Attempt, result: AttemptResult)

    private let ends = Mutex<[End]>([])

    /// Adds one; true if it is the first, of which the dispatcher is to be told.
    func add(_ attempt: Attempt, _ result: AttemptResult) -> Bool {
        ends.withLock { ends in
            ends.append((attempt, result))
            return ends.count == 1
        }
    }

    /// Everything added so far, in order.
    func takeAll() -> [End] {
        ends.withLock { ends in
            defer { ends = [] }
            return ends
        }
    }
}
