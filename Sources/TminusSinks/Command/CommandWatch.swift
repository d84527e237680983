import Synchronization
import TminusCore
import TminusSystem

/// Stands by one command from its start on, and ends its process group when its time is over.
struct CommandWatch {
    /// The limits.
    var settings: CommandSettings
    /// What waits for the end of the time limit, in the place of the clock.
    var sleep: TimeLimit.Sleep?
    /// Where the start may block.
    var starter: ProgramStarter

    /// Starts the program; returns when its process has ended, is not reaped yet, and its pipes are read. A cancellation ends it.
    func run(
        _ start: ProgramStart, input: [UInt8], tails: CommandTails
    ) async throws(DeliveryError) -> CommandRun.Ended {
        let (program, end) = try await start.retrying(within: settings.timeout) { () throws(StartProblem) in
            try await self.once(start, input, tails)
        }
        guard end != .own else { return (program, end) }
        // In a task of its own, which no cancellation reaches: the group is seen to its end, TERM, then KILL.
        await Task { [patience = patience(after: end)] in
            await program.terminate(within: patience)
            await program.endGroup(within: patience)
        }.value
        return (program, end)
    }

    private func once(
        _ start: ProgramStart, _ input: [UInt8], _ tails: CommandTails
    ) async throws(StartProblem) -> CommandRun.Ended {
        let run = CommandRun()
        try starter.run { [settings, sleep] in
            do throws(StartProblem) {
                let program = try RunningProgram.start(
                    start, input: input, output: tails.readOutput, errors: tails.readErrors)
                run.begin(program, TimeLimit(settings.timeout, sleep: sleep) { run.end(.timeout) })
                program.whenEnded { run.end(.own) }
            } catch {
                run.fail(error)
            }
        }
        return try await withTaskCancellationHandler {
            await withCheckedContinuation { run.attach($0) }
        } onCancel: {
            run.end(.stop)
        }.get()
    }

    /// How long the group may take to end after TERM. A daemon that stops has no more than some seconds for it.
    private func patience(after end: CommandRun.End) -> Duration {
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
