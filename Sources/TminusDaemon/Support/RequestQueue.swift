internal import Synchronization

/// Questions that wait for a service, until it has ended.
final class RequestQueue<Request: Sendable>: Sendable {
    private struct State: Sendable {
        var waiting: [Request] = []
        var isClosed = false
    }

    private let state = Mutex(State())

    /// Adds a request; false if nobody will ever take it.
    func add(_ request: Request) -> Bool {
        state.withLock { state in
            if !state.isClosed { state.waiting.append(request) }
            return !state.isClosed
        }
    }

    /// Everything added so far, in order.
    func takeAll() -> [Request] {
        state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
    }

    /// Takes nothing from now on. Returns what waits.
    func close() -> [Request] {
        state.withLock { state in
            state.isClosed = true
            defer { state.waiting = [] }
            return state.waiting
        }
    }
}
