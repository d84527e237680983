internal import Synchronization

/// The inputs of one service: any number of senders, and one reader, which takes everything that has gathered at once.
///
/// So batches form by themselves: while the reader writes a transaction, messages gather for the next one.
final class Mailbox<Message: MailboxMessage>: Sendable {
    private struct State {
        var messages: [Message] = []
        var isClosed = false
    }

    /// Yields an element if something was sent since the last ``takeAll()``. Supports one reader.
    let signals: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation
    private let state = Mutex(State())

    /// An empty mailbox.
    init() {
        (signals, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Leaves a message. Returns false if the mailbox is closed, so that nobody will read it.
    @discardableResult
    func send(_ message: Message) -> Bool {
        let isOpen = state.withLock { state in
            if !state.isClosed { message.join(&state.messages) }
            return !state.isClosed
        }
        // After the message: a reader that misses the signal has taken the message already.
        continuation.yield()
        return isOpen
    }

    /// Takes all messages so far, in order.
    func takeAll() -> [Message] {
        state.withLock { state in
            defer { state.messages = [] }
            return state.messages
        }
    }

    /// Accepts no more messages. Returns those that wait.
    func close() -> [Message] {
        state.withLock { $0.isClosed = true }
        return takeAll()
    }
}

/// A message in a ``Mailbox``.
protocol MailboxMessage: Sendable {
    /// Adds itself to the messages that wait, and removes those that it makes obsolete, so that a slow reader finds no pile of them.
    func join(_ waiting: inout [Self])
}
