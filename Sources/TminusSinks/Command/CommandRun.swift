import Synchronization
import TminusSystem

/// One run of a command, from before its start to what ends it.
///
/// There is one wait for both, because each handover between threads costs a large part of what a short program costs.
final class CommandRun: Sendable {
    /// What ended a command.
    enum End: Sendable {
        /// It ended by itself.
        case own
        /// Its time limit.
        case timeout
        /// A cancellation of the delivery.
        case stop
    }

    private typealias Outcome = Result<(program: RunningProgram, end: End), StartProblem>

    private struct State {
        var program: RunningProgram?
        var limit: TimeLimit?
        var end: End?
        var problem: StartProblem?
        var continuation: CheckedContinuation<Outcome, Never>?

        /// Nil until it is known. A cancellation alone is no outcome: the program, once started, has to be ended.
        var outcome: Outcome? {
            if let problem { return .failure(problem) }
            guard let program, let end else { return nil }
            return .success((program, end))
        }
    }

    private let state = Mutex(State())
    private let streams = Mutex((output: OutputTail(), errors: OutputTail()))

    /// Returns the process when it has ended, is not reaped yet and its pipes are read, or when it has to be ended.
    func ended() async throws(StartProblem) -> (program: RunningProgram, end: End) {
        try await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in change { $0.continuation = continuation } }
        } onCancel: {
            end(.stop)
        }.get()
    }

    /// The process runs, and may do so until `limit`.
    func begin(_ program: RunningProgram, _ limit: TimeLimit) {
        change { state in
            state.program = program
            state.limit = limit
        }
    }

    /// The program could not be started.
    func fail(_ problem: StartProblem) {
        change { $0.problem = problem }
    }

    /// The process has ended or has to be ended. The first call counts.
    func end(_ end: End) {
        change { $0.end = $0.end ?? end }
    }

    /// The ends of standard output and standard error, as far as they were read.
    var tails: (output: OutputTail, errors: OutputTail) { streams.withLock(\.self) }

    /// Takes a piece of standard output.
    @Sendable func readOutput(_ piece: UnsafeRawBufferPointer) { streams.withLock { $0.output.append(piece) } }

    /// Takes a piece of standard error.
    @Sendable func readErrors(_ piece: UnsafeRawBufferPointer) { streams.withLock { $0.errors.append(piece) } }

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
