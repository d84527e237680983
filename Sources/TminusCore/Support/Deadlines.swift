internal import Synchronization

/// Runs callbacks after a time, with one sleeping task for all of them.
///
/// A sleeping task for each attempt would often cost more than the attempt. Also, a cancelled sleep keeps its timer
/// until the time is over, so a flood would leave one timer per delivery for as long as the sink's time limit.
package final class Deadlines: Sendable {
    /// The instance of the process.
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

    /// Calls `body`, which must not block, after `limit`. Returns a number for ``callOff(_:)``.
    package func after(_ limit: Duration, _ body: @escaping @Sendable () -> Void) -> UInt64 {
        let end = ContinuousClock.now + limit
        return state.withLock { state in
            state.next += 1
            state.deadlines[state.next] = Deadline(end: end, body: body)
            if state.wakesAt.map({ end < $0 }) ?? true { sleep(until: end, &state) }
            return state.next
        }
    }

    /// Cancels a callback that has not run yet.
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

    /// Runs the callbacks that are due, and sleeps until the next one, if any.
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
