import Synchronization
import TminusCore

/// Stands by one running command, and ends its process group when its time is over.
struct CommandWatch {
    /// What ended a command.
    enum End: Sendable {
        /// It ended by itself.
        case own
        /// Its time was over.
        case timeout
        /// The delivery was cancelled.
        case stop
    }

    /// The limits.
    var settings: CommandSettings
    /// What waits for the end of the time limit, in the place of the clock.
    var sleep: TimeLimit.Sleep?

    /// Returns when the process has ended, is not reaped yet, and its pipes are read.
    func watch(_ running: RunningProgram) async -> End {
        let ticket = Ticket<End>()
        running.whenEnded { ticket.finish(.success(.own)) }
        let limit = TimeLimit(settings.timeout, sleep: sleep) { ticket.finish(.success(.timeout)) }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { ticket.attach($0) }
        } onCancel: {
            ticket.finish(.success(.stop))
        }
        limit.end()
        guard case .success(let end) = result, end != .own else { return .own }
        // In a task of its own, which no cancellation reaches: the group is seen to its end, TERM, then KILL.
        await Task { [patience = patience(after: end)] in
            await running.terminate(within: patience)
            await running.endGroup(within: patience)
        }.value
        return end
    }

    /// How long the group may take to end after TERM. A daemon that stops has no more than some seconds for it.
    private func patience(after end: End) -> Duration {
        end == .stop ? min(settings.killAfter, .seconds(4)) : settings.killAfter
    }
}

/// The ends of both streams of a command.
final class CommandTails: Sendable {
    private let tails = Mutex((output: OutputTail(), errors: OutputTail()))

    /// Standard output, as far as it was read.
    var output: OutputTail { tails.withLock { $0.output } }
    /// Standard error, as far as it was read.
    var errors: OutputTail { tails.withLock { $0.errors } }

    /// Takes a piece of standard output.
    @Sendable func readOutput(_ piece: UnsafeRawBufferPointer) { tails.withLock { $0.output.append(piece) } }

    /// Takes a piece of standard error.
    @Sendable func readErrors(_ piece: UnsafeRawBufferPointer) { tails.withLock { $0.errors.append(piece) } }
}
