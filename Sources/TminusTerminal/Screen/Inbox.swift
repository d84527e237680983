internal import Glibc
internal import Synchronization
internal import TminusSystem

/// The inputs that tasks send to the screen thread.
final class Inbox: Sendable {
    private let waiting = Mutex<[WatchInput]>([])
    private let event: WakeEvent

    /// Creates an empty inbox; throws if there are no descriptors left for its pipe.
    init() throws(TerminalError) {
        guard let event = WakeEvent() else { throw TerminalError("a descriptor", errno: errno) }
        self.event = event
    }

    /// Readable when an input has arrived.
    var descriptor: CInt { event.descriptor }

    /// Appends an input and wakes the screen thread.
    func post(_ input: WatchInput) {
        waiting.withLock { $0.append(input) }
        event.wake()
    }

    /// Removes and returns the waiting inputs, oldest first.
    func drain() -> [WatchInput] {
        event.reset()
        return waiting.withLock { inputs in
            defer { inputs = [] }
            return inputs
        }
    }
}
