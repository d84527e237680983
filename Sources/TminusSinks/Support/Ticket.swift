import Synchronization
import TminusCore

/// The right to one result: whoever finishes first wins, the end of the work or a cancellation.
final class Ticket<Value: Sendable>: Sendable {
    /// How the work ended.
    typealias End = Result<Value, DeliveryError>

    private struct State {
        var continuation: CheckedContinuation<End, Never>?
        var result: End?
    }

    private let state = Mutex(State())

    /// Whether nobody waits any more.
    var isOver: Bool { state.withLock { $0.result != nil } }

    /// Lets `continuation` wait for the result, which may be there already.
    func attach(_ continuation: CheckedContinuation<End, Never>) {
        let result = state.withLock { state in
            if state.result == nil { state.continuation = continuation }
            return state.result
        }
        if let result { continuation.resume(returning: result) }
    }

    /// Sets the result, unless there is one.
    func finish(_ result: End) {
        let continuation = state.withLock { state -> CheckedContinuation<End, Never>? in
            guard state.result == nil else { return nil }
            state.result = result
            defer { state.continuation = nil }
            return state.continuation
        }
        continuation?.resume(returning: result)
    }
}
