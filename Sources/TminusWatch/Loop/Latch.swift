import Synchronization

/// An event that happens once, and that any number of tasks can wait for.
final class Latch: Sendable {
    private struct State {
        var isOpen = false
        var nextKey = 0
        var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
    }

    private let state = Mutex(State())

    /// Resumes all waiting tasks; later calls of ``wait()`` return at once.
    func open() {
        let waiters = state.withLock { state in
            state.isOpen = true
            defer { state.waiters = [:] }
            return state.waiters.values.map(\.self)
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Returns when the latch is open or the task is cancelled.
    func wait() async {
        let key = state.withLock { state in
            state.nextKey += 1
            return state.nextKey
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    // Checked under the lock, so that a later cancellation finds the continuation.
                    if state.isOpen || Task.isCancelled { return true }
                    state.waiters[key] = continuation
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: key) }?.resume()
        }
    }
}
