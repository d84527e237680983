import Synchronization

/// A value that tests can wait for: every wait is bounded.
package final class Watched<Value: Sendable>: Sendable {
    private struct Waiter {
        var isSatisfied: @Sendable (Value) -> Bool
        var continuation: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var value: Value
        var waiters: [Int: Waiter] = [:]
        var nextWaiter = 0
        /// Waiters that were cancelled before they were entered.
        var gone: Set<Int> = []
    }

    private let state: Mutex<State>

    /// A watched value that starts as `value`.
    package init(_ value: Value) {
        state = Mutex(State(value: value))
    }

    /// The value now.
    package var value: Value { state.withLock { $0.value } }

    /// Changes the value, and wakes who waited for what it is now.
    @discardableResult
    package func update<Result: Sendable>(_ change: (inout Value) -> Result) -> Result {
        let (result, woken) = state.withLock { state -> (Result, [CheckedContinuation<Bool, Never>]) in
            let result = change(&state.value)
            guard !state.waiters.isEmpty else { return (result, []) }
            let keys = state.waiters.filter { $0.value.isSatisfied(state.value) }.map(\.key)
            return (result, keys.compactMap { state.waiters.removeValue(forKey: $0)?.continuation })
        }
        // Outside the lock: what a continuation runs may come back here.
        for continuation in woken { continuation.resume(returning: true) }
        return result
    }

    /// Waits until the value is as asked; false if it was not within `limit` of steady time, or the task was cancelled.
    package func wait(upTo limit: Duration, until isSatisfied: @escaping @Sendable (Value) -> Bool) async -> Bool {
        await withTaskGroup(of: Bool.self) { group in
            group.addTask { await self.wait(until: isSatisfied) }
            group.addTask {
                try? await ContinuousClock().sleep(for: limit)
                return false
            }
            let first = await group.next() ?? false
            group.cancelAll()
            return first
        }
    }

    private func wait(until isSatisfied: @escaping @Sendable (Value) -> Bool) async -> Bool {
        let key = state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer: Bool? = state.withLock { state in
                    if isSatisfied(state.value) { return true }
                    if state.gone.remove(key) != nil { return false }
                    state.waiters[key] = Waiter(isSatisfied: isSatisfied, continuation: continuation)
                    return nil
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                let waiter = state.waiters.removeValue(forKey: key)
                if waiter == nil { state.gone.insert(key) }
                return waiter
            }
            waiter?.continuation.resume(returning: false)
        }
    }
}
