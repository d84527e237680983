import Synchronization
import TminusSystem

/// The state that the thread of a watcher shares with other threads.
final class WatchControl: Sendable {
    /// Requests to the thread.
    struct Requests {
        /// Stop.
        var stop = false
        /// Read everything again.
        var reload = false
    }

    private struct State {
        var requests = Requests()
        var status = WatchStatus()
        /// Wakes the thread; nil while there is none.
        var event: WakeEvent?
    }

    private let state = Mutex(State())
    /// Opens when the thread has ended.
    let ended = Latch()

    /// Prepares for a thread. Returns the descriptor that the thread has to poll; nil if no descriptor is left.
    func open() -> Int32? {
        guard let event = WakeEvent() else { return nil }
        state.withLock { $0.event = event }
        return event.descriptor
    }

    /// Records the end of the thread. The thread calls this last.
    func close() {
        state.withLock { state in
            state.event = nil
            state.status.mode = .off
        }
        ended.open()
    }

    /// The state of the watching.
    var status: WatchStatus { state.withLock { $0.status } }

    /// Updates ``status``.
    func update(_ change: (inout WatchStatus) -> Void) {
        state.withLock { change(&$0.status) }
    }

    /// Whether there is a thread.
    var isRunning: Bool { state.withLock { $0.event != nil } }

    /// Whether the thread should stop.
    var isStopping: Bool { state.withLock { $0.requests.stop } }

    /// Adds a request and wakes the thread.
    func request(_ change: (inout Requests) -> Void) {
        state.withLock { state in
            change(&state.requests)
            state.event?.wake()
        }
    }

    /// Takes the requests. A request to stop stays.
    func takeRequests() -> Requests {
        state.withLock { state in
            state.event?.reset()
            defer { state.requests.reload = false }
            return state.requests
        }
    }
}
