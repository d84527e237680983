import Synchronization
import TminusCore

/// The right to one result: the first to finish it wins, be it the work or a cancellation.
final class Ticket<Value: Sendable>: Sendable {
    /// How the work ended.
    typealias End = Result<Value, DeliveryError>

    private struct State {
        var continuation: CheckedContinuation<End, Never>?
        var result: End?
    }

    private let state = Mutex(State())

    /// Calls `begin`, which starts work that finishes the ticket. Returns the result, or throws at once when the task is cancelled.
    ///
    /// A call into a dead network file system cannot be interrupted. So the caller is let go, while the work ends when it can. The
    /// work checks ``isOver`` before it does something that must no longer happen.
    static func result(of begin: (Ticket) -> Void) async throws(DeliveryError) -> Value {
        let ticket = Ticket()
        return try await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                ticket.attach(continuation)
                begin(ticket)
            }
        } onCancel: {
            ticket.finish(.failure(.stopped))
        }.get()
    }

    /// Whether nobody waits any more.
    var isOver: Bool { state.withLock { $0.result != nil } }

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

    private func attach(_ continuation: CheckedContinuation<End, Never>) {
        let result = state.withLock { state in
            if state.result == nil { state.continuation = continuation }
            return state.result
        }
        if let result { continuation.resume(returning: result) }
    }
}

extension DeliveryError {
    /// The delivery's task was cancelled before the end.
    static let stopped = DeliveryError.transient(FixedReason.sinkStopped.rawValue)
}
