internal import Synchronization

/// What tasks tell the thread of the screen.
final class Inbox: Sendable {
    private let waiting = Mutex<[WatchInput]>([])
    private let pipe: Pipe

    init() throws(TerminalError) {
        pipe = try Pipe()
    }

    /// Ready when something has come.
    var descriptor: CInt { pipe.reader }

    /// Adds an input and wakes the thread.
    func post(_ input: WatchInput) {
        waiting.withLock { $0.append(input) }
        pipe.wake()
    }

    /// What has come, in order.
    func drain() -> [WatchInput] {
        _ = pipe.drain()
        return waiting.withLock { inputs in
            defer { inputs = [] }
            return inputs
        }
    }
}
