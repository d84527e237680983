internal import Synchronization

extension Task where Success == Void, Failure == Never {
    /// Waits for the end of the task, at most that long. A cancellation of the waiting task changes nothing.
    func end(within limit: Duration) async {
        let first = FirstCall()
        await withCheckedContinuation { continuation in
            first.wait(continuation)
            let timer = Task {
                try? await Task<Never, Never>.sleep(for: limit, clock: .continuous)
                first.call()
            }
            Task {
                await value
                first.call()
                timer.cancel()
            }
        }
    }
}

/// Resumes a continuation at the first of several calls.
private final class FirstCall: Sendable {
    private let continuation = Mutex<CheckedContinuation<Void, Never>?>(nil)

    func wait(_ continuation: CheckedContinuation<Void, Never>) {
        self.continuation.withLock { $0 = continuation }
    }

    func call() {
        let waiting = continuation.withLock { continuation in
            defer { continuation = nil }
            return continuation
        }
        waiting?.resume()
    }
}
