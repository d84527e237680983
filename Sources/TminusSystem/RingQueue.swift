import Synchronization
import TminusCore

/// Holds what an alarm has said until its one reader asks: at most one step (several add up) and one `due`.
final class RingQueue: Sendable {
    private struct State {
        var isDue = false
        var step: Duration?
        var isFinished = false
        var reader: CheckedContinuation<Ring?, Never>?

        mutating func next() -> Ring? {
            if let step {
                self.step = nil
                return .stepped(by: step)
            }
            defer { isDue = false }
            return isDue ? .due : nil
        }
    }

    private let state = Mutex(State())

    /// Says the deadline has come, or that the clock was set, or both.
    func put(isDue: Bool, step: Duration?) {
        deliver { state in
            if isDue { state.isDue = true }
            if let step { state.step = (state.step ?? .zero) + step }
        }
    }

    /// Takes back a `due` that nobody has read: its deadline has been replaced.
    func takeBackDue() { state.withLock { $0.isDue = false } }

    /// Ends the stream.
    func finish() { deliver { $0.isFinished = true } }

    /// The next ring; nil at the end, when the reading task is cancelled, and for a second reader at the same time.
    func next() async -> Ring? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer: Ring?? = state.withLock { state in
                    if let ring = state.next() { return .some(ring) }
                    // Checked under the lock: a cancellation before this is seen here, one after it finds the reader.
                    if state.isFinished || state.reader != nil || Task.isCancelled { return .some(nil) }
                    state.reader = continuation
                    return nil
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            state.withLock { $0.reader.take() }?.resume(returning: nil)
        }
    }

    private func deliver(_ change: (inout State) -> Void) {
        let (reader, ring) = state.withLock { state -> (CheckedContinuation<Ring?, Never>?, Ring?) in
            change(&state)
            guard state.reader != nil else { return (nil, nil) }
            let ring = state.next()
            guard ring != nil || state.isFinished else { return (nil, nil) }
            return (state.reader.take(), ring)
        }
        reader?.resume(returning: ring)
    }
}
