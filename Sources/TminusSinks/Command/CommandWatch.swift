import Glibc
import Subprocess
import Synchronization
import TminusCore

/// Stands by one running command: feeds it, reads it, and ends its process group when its time is over.
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

    /// What there is to tell when the process has ended.
    struct Report: Sendable {
        var end: End
        var output: OutputTail
        var errors: OutputTail
    }

    /// The limits.
    var settings: CommandSettings
    /// Returns when the time for the command is over.
    var sleep: @Sendable (Duration) async throws -> Void

    /// Returns when the process has ended, is not reaped yet, and its pipes are read.
    func watch(_ running: RunningProgram, input: [UInt8], stop: AsyncStream<Void>) async -> Report {
        let hasEnded = Ended()
        async let fed: Void = Self.feed(running, input)
        async let output = OutputTail.read(running.standardOutput, processHasEnded: hasEnded.flag)
        async let errors = OutputTail.read(running.standardError, processHasEnded: hasEnded.flag)
        let end = await end(of: running, stop: stop)
        hasEnded.flag.store(true, ordering: .relaxed)
        if end != .own { await running.endGroup(within: patience(after: end)) }
        await fed
        return await Report(end: end, output: output, errors: errors)
    }

    /// How long the group may take to end after TERM. A daemon that stops has no more than some seconds for it.
    private func patience(after end: End) -> Duration {
        end == .stop ? min(settings.killAfter, .seconds(4)) : settings.killAfter
    }

    private final class Ended: Sendable {
        let flag = Atomic(false)
    }

    /// A program need not read its input; then the pipe breaks, or the write is given up when the process ends.
    private static func feed(_ running: RunningProgram, _ input: [UInt8]) async {
        let writer = running.standardInputWriter
        _ = try? await writer.write(input)
        try? await writer.finish()
    }

    private func end(of running: RunningProgram, stop: AsyncStream<Void>) async -> End {
        await withTaskGroup(of: End?.self) { group in
            group.addTask {
                await running.ended()
                return .own
            }
            group.addTask { [sleep, timeout = settings.timeout] in
                (try? await sleep(timeout)) == nil ? nil : .timeout
            }
            group.addTask {
                for await _ in stop { return .stop }
                return nil
            }
            var end = End.own
            while let first = await group.next() {
                guard let first else { continue }
                end = first
                break
            }
            if end != .own { await running.terminate(within: patience(after: end)) }
            group.cancelAll()
            return end
        }
    }
}
