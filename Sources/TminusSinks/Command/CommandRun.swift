import Synchronization
import TminusSystem

/// A command from before its start to what ends it: one wait for both, because what hands over from thread to thread costs a good
/// part of what a short program does.
final class CommandRun: Sendable {
    /// What ended a command.
    enum End: Sendable {
        /// It ended by itself.
        case own
        /// Its time was over.
        case timeout
        /// The delivery was cancelled.
        case stop
    }

    /// The process, and why nobody waits for it any more.
    typealias Ended = (program: RunningProgram, end: End)
    /// How it came out; a problem if there is no process.
    typealias Outcome = Result<Ended, StartProblem>

    private struct State {
        var program: RunningProgram?
        var limit: TimeLimit?
        var end: End?
        var problem: StartProblem?
        var continuation: CheckedContinuation<Outcome, Never>?

        /// What is known once it is known; nil before the start even if the delivery was cancelled: the process is to be ended.
        var outcome: Outcome? {
            if let problem { return .failure(problem) }
            guard let program, let end else { return nil }
            return .success((program, end))
        }
    }

    private let state = Mutex(State())

    /// Lets `continuation` wait for the outcome, which may be there already.
    func attach(_ continuation: CheckedContinuation<Outcome, Never>) {
        change { $0.continuation = continuation }
    }

    /// The process runs, and may do so until `limit`.
    func begin(_ program: RunningProgram, _ limit: TimeLimit) {
        change { state in
            state.program = program
            state.limit = limit
        }
    }

    /// There is no process.
    func fail(_ problem: StartProblem) {
        change { $0.problem = problem }
    }

    /// It ended, or is to be ended; the first that says so is heeded.
    func end(_ end: End) {
        change { $0.end = $0.end ?? end }
    }

    private func change(_ body: (inout State) -> Void) {
        let (continuation, outcome, limit) = state.withLock { state in
            body(&state)
            guard let outcome = state.outcome, let continuation = state.continuation else {
                return (nil as CheckedContinuation<Outcome, Never>?, nil as Outcome?, nil as TimeLimit?)
            }
            defer { (state.continuation, state.limit) = (nil, nil) }
            return (continuation, outcome, state.limit)
        }
        limit?.end()
        if let continuation, let outcome { continuation.resume(returning: outcome) }
    }
}
