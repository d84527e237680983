internal import Glibc
internal import Synchronization

/// Starts programs one after another, on a thread that never ends.
///
/// A program gets TERM when the thread that started it ends (prctl(2), PR_SET_PDEATHSIG), and Dispatch ends its idle
/// threads.
package final class ProgramStarter: Sendable {
    private struct State {
        var waiting: [@Sendable () -> Void] = []
        var isBusy = false
    }

    private let state = Mutex(State())

    /// A starter without work.
    package init() {}

    /// Runs `body`, which may block, after the bodies that wait already. Throws if no thread can be created for it.
    package func run(_ body: @escaping @Sendable () -> Void) throws(StartProblem) {
        let code = state.withLock { state -> CInt in
            if !state.isBusy {
                let code = StarterThreads.shared.run { self.runNext() }
                guard code == 0 else { return code }
                state.isBusy = true
            }
            state.waiting.append(body)
            return 0
        }
        guard code == 0 else { throw StartProblem(step: .start, number: code) }
    }

    /// Runs one body. The next one waits behind the work of other starters.
    private func runNext() {
        state.withLock { $0.waiting.removeFirst() }()
        let hasMore = state.withLock { state in
            state.isBusy = !state.waiting.isEmpty
            return state.isBusy
        }
        // Cannot fail here, because this thread is about to become free.
        if hasMore { _ = StarterThreads.shared.run { self.runNext() } }
    }
}
