internal import Synchronization
internal import TminusCore

/// The attempts in hand: those that run, each a task of its own that is cancelled when it takes too long, and those that wait for
/// one of them to end.
final class RunningAttempts: Sendable {
    private struct State {
        var lines = AttemptLines()
        var running: [UInt64: (task: Task<Void, Never>, deadline: UInt64)] = [:]
        /// Those that ended before they stood among the running, with what is to begin in their place.
        var over: [UInt64: Attempt?] = [:]
        var next: UInt64 = 0
        var isCancelled = false
    }

    private let state = Mutex(State())
    private let deadlines = Deadlines()
    /// What a sink is given beyond its own time limit before its attempt is cancelled.
    private let grace: Duration
    private let perform: @Sendable (Attempt, RunningAttempts) async -> Void

    /// No attempts yet.
    ///
    /// - Parameters:
    ///   - grace: What a sink is given beyond its own time limit, which it is to keep itself.
    ///   - perform: Makes one of these attempts.
    init(grace: Duration = .seconds(2), perform: @escaping @Sendable (Attempt, RunningAttempts) async -> Void) {
        self.grace = grace
        self.perform = perform
    }

    /// Whether all has been cancelled.
    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Makes an attempt, as soon as there is room for it.
    ///
    /// It runs here and now up to where it first waits: waking another thread for it takes longer than that mostly does.
    func begin(_ attempt: Attempt) {
        if state.withLock({ $0.lines.add(attempt) }) { start(attempt) }
    }

    /// Takes back what waits and is asked for.
    func withdraw(_ isWanted: (Attempt) -> Bool) -> [Attempt] {
        state.withLock { $0.lines.withdraw(isWanted) }
    }

    private func start(_ first: Attempt) {
        var next: Attempt? = first
        while let attempt = next {
            let number = state.withLock { state in
                state.next += 1
                return state.next
            }
            let task = Task.immediate {
                await perform(attempt, self)
                let (ended, following) = self.state.withLock { state in
                    let following = state.lines.end(attempt)
                    let ended = state.running.removeValue(forKey: number)
                    if ended == nil { state.over[number] = .some(following) }
                    return (ended, following)
                }
                // Otherwise it has not waited for anything, and the loop that has begun it goes on: not one inside the other.
                guard let ended else { return }
                deadlines.callOff(ended.deadline)
                if let following { start(following) }
            }
            next = state.withLock { state in
                if let following = state.over.removeValue(forKey: number) { return following }
                state.running[number] = (task, deadlines.after(attempt.sink.timeLimit + grace) { task.cancel() })
                if state.isCancelled { task.cancel() }
                return nil
            }
        }
    }

    /// Cancels all that runs.
    func cancel() {
        let running = state.withLock { state in
            state.isCancelled = true
            return state.running.values.map(\.task)
        }
        for task in running { task.cancel() }
    }

    /// Returns when all that runs has ended.
    func ended() async {
        for task in state.withLock({ $0.running.values.map(\.task) }) { await task.value }
    }
}
