internal import Synchronization

/// The attempts that run, each a task of its own, and what ends those that take too long: one wait for all of them, and none while
/// nothing runs long.
///
/// A sleeping task for each attempt would cost more than many an attempt, and a sleep that was cancelled keeps its timer until the
/// time is over: after a flood, one for each delivery, for as long as the sink may take.
final class RunningAttempts: Sendable {
    private struct Running {
        var end: ContinuousClock.Instant
        var task: Task<Void, Never>
    }

    private struct State {
        var running: [UInt64: Running] = [:]
        var next: UInt64 = 0
        var wakesAt: ContinuousClock.Instant?
        var sleeper: Task<Void, Never>?
        var isCancelled = false
    }

    private let state = Mutex(State())

    deinit { state.withLock { $0.sleeper?.cancel() } }

    /// Whether all has been cancelled.
    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Starts an attempt, which is cancelled when `limit` is over.
    func start(within limit: Duration, _ attempt: @escaping @Sendable () async -> Void) {
        let end = ContinuousClock.now + limit
        state.withLock { state in
            state.next += 1
            let number = state.next
            // It cannot end before it stands among those that run: for that it takes the lock.
            let task = Task {
                await attempt()
                self.state.withLock { _ = $0.running.removeValue(forKey: number) }
            }
            state.running[number] = Running(end: end, task: task)
            if state.wakesAt.map({ end < $0 }) ?? true { sleep(until: end, &state) }
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

    private func sleep(until end: ContinuousClock.Instant, _ state: inout State) {
        state.sleeper?.cancel()
        state.wakesAt = end
        state.sleeper = Task { [weak self] in
            guard (try? await Task.sleep(until: end, clock: .continuous)) != nil else { return }
            self?.wake()
        }
    }

    /// Ends what is over its limit, and sleeps until the next one is, if anything runs.
    private func wake() {
        let over = state.withLock { state -> [Task<Void, Never>] in
            let now = ContinuousClock.now
            let over = state.running.values.filter { $0.end <= now }.map(\.task)
            (state.wakesAt, state.sleeper) = (nil, nil)
            // What has been cancelled may take its time to end.
            if let next = state.running.values.lazy.map(\.end).filter({ $0 > now }).min() { sleep(until: next, &state) }
            return over
        }
        for task in over { task.cancel() }
    }
}
