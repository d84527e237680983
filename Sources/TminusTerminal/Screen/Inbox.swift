internal import Glibc
internal import Synchronization
internal import TminusSystem

/// Inputs from tasks for the thread of the screen.
final class Inbox: Sendable {
    private let waiting = Mutex<[WatchInput]>([])
    private let event: WakeEvent

    init() throws(TerminalError) {
        guard let event = WakeEvent() else { throw TerminalError("a descriptor", errno: errno) }
        self.event = event
    }

    /// Readable when an input has come.
    var descriptor: CInt { event.descriptor }

    /// Adds an input and wakes the thread.
    func post(_ input: WatchInput) {
        waiting.withLock { $0.append(input) }
        event.wake()
    }

    /// The inputs that have come, in order.
    func drain() -> [WatchInput] {
        event.reset()
        return waiting.withLock { inputs in
            defer { inputs = [] }
            return inputs
        }
    }
}
