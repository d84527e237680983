internal import Synchronization
internal import TminusCore

/// The attempts that run, each a task of its own that is cancelled when it takes too long.
final class RunningAttempts: Sendable {
    private struct State {
        var running: [UInt64: (task: Task<Void, Never>, deadline: UInt64)] = [:]
        /// Those that ended before they stood among the running.
        var over: Set<UInt64> = []
        var next: UInt64 = 0
        var isCancelled = false
    }

    private let state = Mutex(State())
    private let deadlines = Deadlines()

    /// Whether all has been cancelled.
    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Starts an attempt, which is cancelled when `limit` is over. It runs here and now up to where it first waits: waking another
    /// thread for it takes longer than that mostly does.
    func start(within limit: Duration, _ attempt: @escaping @Sendable () async -> Void) {
        let number = state.withLock { state in
            state.next += 1
            return state.next
        }
        let task = Task.immediate {
            await attempt()
            let ended = self.state.withLock { state in
                let ended = state.running.removeValue(forKey: number)
                if ended == nil { state.over.insert(number) }
                return ended
            }
            if let ended { deadlines.callOff(ended.deadline) }
        }
        state.withLock { state in
            guard state.over.remove(number) == nil else { return }
            state.running[number] = (task, deadlines.after(limit) { task.cancel() })
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
