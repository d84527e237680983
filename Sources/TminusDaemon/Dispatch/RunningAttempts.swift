internal import Synchronization
internal import TminusCore

/// The attempts that run, each a task of its own that is cancelled when it takes too long.
final class RunningAttempts: Sendable {
    private struct State {
        var running: [UInt64: (task: Task<Void, Never>, deadline: UInt64)] = [:]
        var next: UInt64 = 0
        var isCancelled = false
    }

    private let state = Mutex(State())
    private let deadlines = Deadlines()

    /// Whether all has been cancelled.
    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Starts an attempt, which is cancelled when `limit` is over.
    func start(within limit: Duration, _ attempt: @escaping @Sendable () async -> Void) {
        state.withLock { state in
            state.next += 1
            let number = state.next
            // It cannot end before it stands among those that run: for that it takes the lock.
            let task = Task {
                await attempt()
                let ended = self.state.withLock { $0.running.removeValue(forKey: number) }
                if let ended { deadlines.callOff(ended.deadline) }
            }
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
