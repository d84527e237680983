import Dispatch
import TminusCore

/// One thread for calls that may block, so that none blocks the cooperative pool. Work runs one piece after another.
final class BlockingQueue: Sendable {
    private let queue: DispatchQueue

    /// A queue with a name for debuggers.
    init(label: String) {
        queue = DispatchQueue(label: label)
    }

    /// Runs `work` and returns its value. Throws at once when the task is cancelled, while the work goes on.
    func run<Value>(
        _ work: @escaping @Sendable (_ ticket: Ticket<Value>) throws(DeliveryError) -> Value
    ) async throws(DeliveryError) -> Value {
        try await Ticket.result { ticket in
            enqueue {
                guard !ticket.isOver else { return }
                ticket.finish(Result { () throws(DeliveryError) in try work(ticket) })
            }
        }
    }

    /// Runs `work` after what is queued, without a result.
    func enqueue(_ work: @escaping @Sendable () -> Void) {
        queue.async(execute: work)
    }
}
