internal import Synchronization

/// What one service is told by the others: any number of senders, one reader, which takes all that has gathered at once.
///
/// Batches come of themselves: while the reader writes a transaction the next messages gather, and the next transaction takes
/// them together.
package final class Mailbox<Message: Sendable>: Sendable {
    /// An element whenever something has been sent since the last ``takeAll()``. One reader.
    package let signals: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation
    private let messages = Mutex<[Message]>([])

    /// An empty mailbox.
    package init() {
        (signals, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Leaves a message.
    package func send(_ message: Message) {
        messages.withLock { $0.append(message) }
        continuation.yield()
    }

    /// Everything sent so far, in order.
    package func takeAll() -> [Message] {
        messages.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
    }

    /// Ends ``signals``.
    package func close() {
        continuation.finish()
    }
}
