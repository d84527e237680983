internal import Synchronization

/// Calls what is due after a time: one wait for all, and none while nothing runs long.
///
/// A sleeping task for each attempt would cost more than many an attempt, and a sleep that was cancelled keeps its timer until the
/// time is over: after a flood, one for each delivery, for as long as the sink may take.
package final class Deadlines: Sendable {
    /// One for the process.
    package static let shared = Deadlines()

    private struct Deadline {
        var end: ContinuousClock.Instant
        var body: @Sendable () -> Void
    }

    private struct State {
        var deadlines: [UInt64: Deadline] = [:]
        var next: UInt64 = 0
        var wakesAt: ContinuousClock.Instant?
        var sleeper: Task<Void, Never>?
    }

    private let state = Mutex(State())

    package init() {}

    deinit { state.withLock { $0.sleeper?.cancel() } }

    /// Calls `body`, which must not block, when `limit` is over. Returns the number by which that is called off.
    package func after(_ limit: Duration, _ body: @escaping @Sendable () -> Void) -> UInt64 {
        let end = ContinuousClock.now + limit
        return state.withLock { state in
            state.next += 1
            state.deadlines[state.next] = Deadline(end: end, body: body)
            if state.wakesAt.map({ end < $0 }) ?? true { sleep(until: end, &state) }
            return state.next
        }
    }

    /// Calls off what has not been called yet.
    package func callOff(_ number: UInt64) {
        state.withLock { _ = $0.deadlines.removeValue(forKey: number) }
    }

    private func sleep(until end: ContinuousClock.Instant, _ state: inout State) {
        state.sleeper?.cancel()
        state.wakesAt = end
        state.sleeper = Task { [weak self] in
            guard (try? await Task.sleep(until: end, clock: .continuous)) != nil else { return }
            self?.wake()
        }
    }

    /// Calls what is over, and sleeps until the next is, if there is any.
    private func wake() {
        let over = state.withLock { state -> [Deadline] in
            let now = ContinuousClock.now
            let over = state.deadlines.filter { $0.value.end <= now }
            for number in over.keys { state.deadlines[number] = nil }
            (state.wakesAt, state.sleeper) = (nil, nil)
            if let next = state.deadlines.values.lazy.map(\.end).min() { sleep(until: next, &state) }
            return over.values.sorted { $0.end < $1.end }
        }
        for deadline in over { deadline.body() }
    }
}
