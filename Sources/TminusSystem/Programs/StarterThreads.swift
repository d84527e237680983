internal import Dispatch
internal import Glibc
internal import Synchronization

/// The threads that start programs. They are created when needed and never end.
final class StarterThreads: Sendable {
    private struct State {
        var waiting: [@Sendable () -> Void] = []
        var threads = 0
        var busy = 0
    }

    /// The threads of the process.
    static let shared = StarterThreads()
    /// How many starts may hang at once, each on a file system that does not respond, before other starts have to wait.
    private static let limit = 32

    private let state = Mutex(State())
    private let work = DispatchSemaphore(value: 0)

    /// Runs `body` on one of the threads. Returns 0, or an `errno` if no thread is free and none can be created.
    func run(_ body: @escaping @Sendable () -> Void) -> CInt {
        state.withLock { state in
            state.waiting.append(body)
            if state.waiting.count > state.threads - state.busy, state.threads < Self.limit {
                let code = DetachedThread.start(named: "starter") { self.serve() }
                if code == 0 {
                    state.threads += 1
                } else if state.threads == 0 {
                    state.waiting.removeLast()
                    return code
                }
            }
            work.signal()
            return 0
        }
    }

    private func serve() {
        while true {
            work.wait()
            let body = state.withLock { state in
                state.busy += 1
                return state.waiting.removeFirst()
            }
            body()
            state.withLock { $0.busy -= 1 }
        }
    }
}
