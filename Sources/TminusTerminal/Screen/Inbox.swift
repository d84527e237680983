internal import Synchronization

/// The inputs that tasks send to the screen thread.
final class Inbox: Sendable {
    private let waiting = Mutex<[WatchInput]>([])
    private let pipe: Pipe

    /// Creates an empty inbox; throws if there are no descriptors left for its pipe.
    init() throws(TerminalError) {
        pipe = try Pipe()
    }

    /// Readable if an input is waiting.
    var descriptor: CInt { pipe.reader }

    /// Appends an input and wakes the screen thread.
    func post(_ input: WatchInput) {
        waiting.withLock { $0.append(input) }
        pipe.wake()
    }

    /// Removes and returns the waiting inputs, oldest first.
    func drain() -> [WatchInput] {
        _ = pipe.drain()
        return waiting.withLock { inputs in
            defer { inputs = [] }
            return inputs
        }
    }
}
