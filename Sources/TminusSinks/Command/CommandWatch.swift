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
        var errorLine: String?
    }

    /// The limits.
    var settings: CommandSettings
    /// Returns when the time for the command is over.
    var sleep: @Sendable (Duration) async throws -> Void

    typealias Running = Execution<CustomWriteInput, SequenceOutput, SequenceOutput>

    /// Returns when the process has ended, is not reaped yet, and its pipes are read.
    func watch(_ running: Running, input: [UInt8], stop: AsyncStream<Void>) async -> Report {
        let hasEnded = Ended()
        async let fed: Void = Self.feed(running, input)
        async let output = OutputTail.read(running.standardOutput, processHasEnded: hasEnded.flag)
        async let errors = OutputTail.read(running.standardError, processHasEnded: hasEnded.flag)
        let end = await end(of: running, stop: stop)
        hasEnded.flag.store(true, ordering: .relaxed)
        if end != .own {
            await endGroup(ProcessGroup(id: running.processIdentifier.value), within: patience(after: end))
        }
        _ = await (fed, output)
        return Report(end: end, errorLine: await errors.lastLine)
    }

    /// How long the group may take to end after TERM. A daemon that stops has no more than some seconds for it.
    private func patience(after end: End) -> Duration {
        end == .stop ? min(settings.killAfter, .seconds(4)) : settings.killAfter
    }

    private final class Ended: Sendable {
        let flag = Atomic(false)
    }

    /// A program need not read its input; then the pipe breaks, or the write is given up when the process ends.
    private static func feed(_ running: Running, _ input: [UInt8]) async {
        let writer = running.standardInputWriter
        _ = try? await writer.write(input)
        try? await writer.finish()
    }

    private func end(of running: Running, stop: AsyncStream<Void>) async -> End {
        await withTaskGroup(of: End?.self) { group in
            group.addTask {
                // Signal 0 changes nothing (kill(2)): this only waits for the end of the process.
                let ever = Duration.seconds(10 * 366 * 86_400)
                await running.teardown(using: [
                    .send(signal: Signal(rawValue: 0), allowedDurationToNextStep: ever)
                ])
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
            if end != .own {
                await running.teardown(using: [
                    .send(signal: .terminate, toProcessGroup: true, allowedDurationToNextStep: patience(after: end))
                ])
            }
            group.cancelAll()
            return end
        }
    }

    /// The process that leads the group has ended after TERM; the others of the group get the rest of `kill-after`.
    ///
    /// The leader is not reaped yet, so the number of the group cannot mean other processes by now.
    private func endGroup(_ group: ProcessGroup, within patience: Duration) async {
        let deadline = ContinuousClock.now + patience
        var pause = Duration.milliseconds(10)
        while ContinuousClock.now < deadline, group.hasLivingMember() {
            try? await Task.sleep(for: pause)
            pause = min(pause * 2, .milliseconds(200))
        }
        group.send(SIGKILL)
    }
}
