import Synchronization
import TminusCore

/// Calls what is due after a time: one wait for all, and none while nothing runs long.
///
/// A sleeping task for each attempt would cost more than many an attempt, and a sleep that was cancelled keeps its timer until the
/// time is over.
final class Deadlines: Sendable {
    /// One for the process.
    static let shared = Deadlines()

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

    /// Calls `body`, which must not block, when `limit` is over. Returns the number by which that is called off.
    func after(_ limit: Duration, _ body: @escaping @Sendable () -> Void) -> UInt64 {
        let end = ContinuousClock.now + limit
        return state.withLock { state in
            state.next += 1
            state.deadlines[state.next] = Deadline(end: end, body: body)
            if state.wakesAt.map({ end < $0 }) ?? true { sleep(until: end, &state) }
            return state.next
        }
    }

    /// Calls off what has not been called yet.
    func callOff(_ number: UInt64) {
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
            if let next = state.deadlines.values.map(\.end).min() { sleep(until: next, &state) }
            return over.values.sorted { $0.end < $1.end }
        }
        for deadline in over { deadline.body() }
    }
}

/// The time that something may take: by the clock, or by what a test waits for.
struct TimeLimit: Sendable {
    /// What waits in the place of the clock; it throws when there is no limit any more.
    typealias Sleep = @Sendable (Duration) async throws -> Void

    private enum Wait: Sendable {
        case deadline(UInt64)
        case task(Task<Void, Never>)
    }

    private let wait: Wait

    /// Calls `body`, which must not block, when `limit` is over, unless ``end()`` comes before.
    init(_ limit: Duration, sleep: Sleep?, _ body: @escaping @Sendable () -> Void) {
        if let sleep {
            wait = .task(Task { if (try? await sleep(limit)) != nil { body() } })
        } else {
            wait = .deadline(Deadlines.shared.after(limit, body))
        }
    }

    /// The limit holds no longer.
    func end() {
        switch wait {
        case .deadline(let number): Deadlines.shared.callOff(number)
        case .task(let task): task.cancel()
        }
    }
}
