internal import Synchronization

/// What one service is told by the others: any number of senders, one reader, which takes all that has gathered at once.
///
/// Batches come of themselves: while the reader writes a transaction the next messages gather, and the next transaction takes
/// them together.
final class Mailbox<Message: MailboxMessage>: Sendable {
    /// An element whenever something has been sent since the last ``takeAll()``. One reader.
    let signals: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation
    private let messages = Mutex<[Message]>([])

    /// An empty mailbox.
    init() {
        (signals, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Leaves a message.
    func send(_ message: Message) {
        messages.withLock { message.join(&$0) }
        // After the message: a reader that misses the signal has taken it already.
        continuation.yield()
    }

    /// Everything sent so far, in order.
    func takeAll() -> [Message] {
        messages.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
    }
}

/// What can be left in a ``Mailbox``.
protocol MailboxMessage: Sendable {
    /// Joins the messages that wait, and removes those that it makes pointless: a reader that is held up must not find a
    /// pile of what is outdated.
    func join(_ waiting: inout [Self])
}
