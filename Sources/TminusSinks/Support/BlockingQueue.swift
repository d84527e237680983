import Dispatch
import Synchronization
import TminusCore

/// One thread for calls that may block, so that none blocks the cooperative pool. Work runs one piece after another.
final class BlockingQueue: Sendable {
    private let queue: DispatchQueue
    private let pending = Atomic(0)

    /// Whether work runs or waits, also such that nobody waits for any more.
    var isBusy: Bool { pending.load(ordering: .acquiring) > 0 }

    /// A queue with a name for debuggers.
    init(label: String) {
        queue = DispatchQueue(label: label)
    }

    /// Runs `work` and returns when it has ended or, without waiting for it, when the task is cancelled.
    ///
    /// A call into a dead network file system cannot be interrupted. So the caller is let go at once, while the work
    /// ends when it can; it asks `ticket` before it does something that should no longer happen.
    func run(
        _ work: @escaping @Sendable (_ ticket: Ticket<Void>) -> Result<Void, DeliveryError>
    ) async throws(DeliveryError) {
        let ticket = Ticket<Void>()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                ticket.attach(continuation)
                pending.add(1, ordering: .acquiringAndReleasing)
                queue.async { [self] in
                    let result = ticket.isOver ? .failure(.stopped) : work(ticket)
                    // Before anyone hears of the end, so that who does finds the queue idle.
                    pending.subtract(1, ordering: .acquiringAndReleasing)
                    ticket.finish(result)
                }
            }
        } onCancel: {
            ticket.finish(.failure(.stopped))
        }
        try result.get()
    }

    /// Runs `work` after what is queued, without a result.
    func enqueue(_ work: @escaping @Sendable () -> Void) {
        queue.async(execute: work)
    }
}

extension DeliveryError {
    /// The delivery's task was cancelled before the end.
    static let stopped = DeliveryError.transient("stopped before it ended")
}
