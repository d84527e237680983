internal import Synchronization

/// Ends what takes too long: one wait for all attempts that run, and none while nothing runs long.
///
/// A sleeping task for each attempt would cost more than many an attempt, and a sleep that was cancelled keeps its timer until the
/// time is over: after a flood, one for each delivery, for as long as the sink may take.
final class AttemptLimits: Sendable {
    private struct Limit {
        var end: ContinuousClock.Instant
        var cancel: @Sendable () -> Void
    }

    private struct State {
        var limits: [UInt64: Limit] = [:]
        var next: UInt64 = 0
        var wakesAt: ContinuousClock.Instant?
        var sleeper: Task<Void, Never>?
    }

    private let state = Mutex(State())

    deinit { state.withLock { $0.sleeper?.cancel() } }

    /// Runs `work` and returns its value; it is cancelled when the calling task is, and when `limit` is over.
    func run<Value: Sendable>(
        within limit: Duration, _ work: @escaping @Sendable () async -> Value
    ) async -> Value {
        let task = Task { await work() }
        let number = begin(limit) { task.cancel() }
        defer { end(number) }
        return await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
    }

    private func begin(_ limit: Duration, _ cancel: @escaping @Sendable () -> Void) -> UInt64 {
        let end = ContinuousClock.now + limit
        return state.withLock { state in
            state.next += 1
            state.limits[state.next] = Limit(end: end, cancel: cancel)
            if state.wakesAt.map({ end < $0 }) ?? true { sleep(until: end, &state) }
            return state.next
        }
    }

    private func end(_ number: UInt64) {
        state.withLock { _ = $0.limits.removeValue(forKey: number) }
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
        let over = state.withLock { state -> [Limit] in
            let now = ContinuousClock.now
            let over = state.limits.filter { $0.value.end <= now }
            for number in over.keys { state.limits[number] = nil }
            (state.wakesAt, state.sleeper) = (nil, nil)
            if let next = state.limits.values.map(\.end).min() { sleep(until: next, &state) }
            return Array(over.values)
        }
        for limit in over { limit.cancel() }
    }
}
