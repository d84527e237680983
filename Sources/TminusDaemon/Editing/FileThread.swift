internal import Synchronization
internal import TminusControl
internal import TminusSystem

/// Runs work that reads and writes files, one piece after another, on a thread that lasts as long as there is work.
///
/// A dead file system may never answer, and a large directory takes long to decode: neither may keep the services from working.
final class FileThread: Sendable {
    private struct State {
        var waiting: [@Sendable () -> Void] = []
        var isRunning = false
    }

    /// The most pieces that may wait.
    private static let room = 16
    private let state = Mutex(State())

    /// Runs a piece of work.
    ///
    /// - Throws: What the work throws, or ``Problem`` if too much waits already.
    func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { reply in
            guard add({ reply.resume(with: Result(catching: work)) }) else {
                return reply.resume(throwing: Problem(.unavailable, "too many requests for files wait; try again"))
            }
        }
    }

    /// Returns false if there is no room.
    private func add(_ work: @escaping @Sendable () -> Void) -> Bool {
        let (hasRoom, starts) = state.withLock { state in
            guard state.waiting.count < Self.room else { return (false, false) }
            defer { state.isRunning = true }
            state.waiting.append(work)
            return (true, !state.isRunning)
        }
        // Without a thread to be had, the caller's does it, and waits.
        if starts, DetachedThread.start(named: "files", { self.drain() }) != 0 { drain() }
        return hasRoom
    }

    private func drain() {
        while let work = next() { work() }
    }

    private func next() -> (@Sendable () -> Void)? {
        state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.isRunning = false
                return nil
            }
            return state.waiting.removeFirst()
        }
    }
}
