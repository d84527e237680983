import Glibc
import Synchronization

/// What the thread of a watcher and everyone else share.
final class WatchControl: Sendable {
    /// What the thread is asked to do.
    struct Requests {
        /// End.
        var stop = false
        /// Read everything again.
        var reload = false
    }

    private struct State {
        var requests = Requests()
        var status = WatchStatus()
        /// The ends of a pipe(7) that wakes the thread; -1 while there is no thread.
        var reading: Int32 = -1
        var writing: Int32 = -1
    }

    private let state = Mutex(State())
    /// Opens when the thread has ended.
    let ended = Latch()

    /// Makes the pipe. Returns its reading end for the thread to poll, or nil if there are no descriptors left.
    func open() -> Int32? {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        return state.withLock { state in
            (state.reading, state.writing) = (ends[0], ends[1])
            return ends[0]
        }
    }

    /// Closes the pipe. Called by the thread as the last thing it does.
    func close() {
        state.withLock { state in
            for end in [state.reading, state.writing] where end >= 0 { _ = Glibc.close(end) }
            (state.reading, state.writing) = (-1, -1)
            state.status.mode = .off
        }
        ended.open()
    }

    /// How the watching goes.
    var status: WatchStatus { state.withLock { $0.status } }

    /// Changes what ``status`` says.
    func update(_ change: (inout WatchStatus) -> Void) {
        state.withLock { change(&$0.status) }
    }

    /// Whether there is a thread.
    var isRunning: Bool { state.withLock { $0.reading >= 0 } }

    /// Whether the thread is to end.
    var isStopping: Bool { state.withLock { $0.requests.stop } }

    /// Asks the thread for something and wakes it.
    func request(_ change: (inout Requests) -> Void) {
        state.withLock { state in
            change(&state.requests)
            // A full pipe is as good: it wakes. Under the lock, so that the descriptor is not another's by now.
            if state.writing >= 0 { _ = write(state.writing, [1], 1) }
        }
    }

    /// Takes what was asked. A stop stays asked for.
    func takeRequests() -> Requests {
        state.withLock { state in
            var bytes: [UInt8] = Array(repeating: 0, count: 64)
            while state.reading >= 0, read(state.reading, &bytes, bytes.count) == bytes.count {}
            defer { state.requests.reload = false }
            return state.requests
        }
    }
}
