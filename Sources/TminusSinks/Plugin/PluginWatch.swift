import Glibc
import Subprocess
import Synchronization
import TminusCore

/// Stands by the process of a plug-in: feeds it lines, reads its answers, logs what it says on standard error, and ends it.
struct PluginWatch: Sendable {
    /// What there is to tell when the process has ended.
    struct Report: Sendable {
        /// Why it was ended; nil if it ended by itself.
        var wish: PluginEnding?
        var errors: OutputTail
    }

    private enum Event {
        case ended
        case wished(PluginEnding)
        case graceIsOver
        case nothing
    }

    private final class Ended: Sendable {
        let flag = Atomic(false)
    }

    /// Of what a plug-in says on standard error, so much of a line is logged, in bytes.
    private static let logLineLimit = 500
    /// What helpers a plug-in left behind may take to end after TERM.
    private static let groupPatience = Duration.seconds(1)

    let settings: PluginSettings
    let redaction: Redaction
    let log: SinkLog
    /// What to write.
    let lines: AsyncStream<[UInt8]>
    /// Wishes to end the process; only the first counts.
    let wishes: AsyncStream<PluginEnding>
    /// Takes a line of the plug-in.
    let receive: @Sendable ([UInt8]) -> Void
    /// Wishes for the end of the process.
    let ask: @Sendable (PluginEnding) -> Void
    let isReady: @Sendable () -> Bool
    /// Ends ``lines``.
    let finishInput: @Sendable () -> Void

    /// Returns when the process has ended, is not reaped yet, and its pipes are read.
    func watch(_ running: RunningProgram) async -> Report {
        let hasEnded = Ended()
        async let fed: Void = feed(running)
        async let read: Void = readAnswers(running.standardOutput, processHasEnded: hasEnded.flag)
        async let errors = readErrors(running.standardError, processHasEnded: hasEnded.flag)
        let wish = await end(of: running)
        hasEnded.flag.store(true, ordering: .relaxed)
        finishInput()
        // What it has started and left in its group must not pile up over restarts.
        ProcessGroup(id: running.processIdentifier.value).send(SIGTERM)
        await running.endGroup(within: Self.groupPatience)
        await fed
        await read
        return await Report(wish: wish, errors: errors)
    }

    private func end(of running: RunningProgram) async -> PluginEnding? {
        await withTaskGroup(of: Event.self) { group in
            group.addTask {
                await running.ended()
                return .ended
            }
            group.addTask { [wishes] in
                for await ending in wishes { return .wished(ending) }
                return .nothing
            }
            group.addTask { [settings, isReady, ask] in
                let isOver = (try? await Task.sleep(for: settings.startLimit, clock: .continuous)) != nil
                if isOver, !isReady() { ask(.neverReady(settings.startLimit)) }
                return .nothing
            }
            var wish: PluginEnding?
            var isForced = false
            events: while let event = await group.next() {
                switch event {
                case .ended: break events
                case .wished(let ending):
                    wish = ending
                    finishInput()
                    group.addTask {
                        try? await Task.sleep(for: ending.grace, clock: .continuous)
                        return .graceIsOver
                    }
                case .graceIsOver:
                    isForced = true
                    await running.terminate(within: wish == .stop ? .milliseconds(1500) : settings.killAfter)
                case .nothing: break
                }
            }
            group.cancelAll()
            // A plug-in that closes its pipes and then ends has ended by itself.
            return !isForced && (wish == .closedOutput || wish == .closedInput) ? nil : wish
        }
    }

    private func feed(_ running: RunningProgram) async {
        let writer = running.standardInputWriter
        for await line in lines {
            guard let count = try? await writer.write(line), count == line.count else {
                ask(.closedInput)
                break
            }
        }
        try? await writer.finish()
    }

    private func readAnswers(
        _ stream: SubprocessOutputSequence, processHasEnded: borrowing Atomic<Bool>
    ) async {
        var splitter = LineSplitter(limit: PluginMessage.lineLimit)
        await stream.forEachPiece(processHasEnded: processHasEnded) { piece in
            for line in splitter.take(piece) { line.isCut ? ask(.longLine) : receive(line.bytes) }
        }
        if let last = splitter.end() { receive(last.bytes) }
        ask(.closedOutput)
    }

    private func readErrors(
        _ stream: SubprocessOutputSequence, processHasEnded: borrowing Atomic<Bool>
    ) async -> OutputTail {
        var tail = OutputTail()
        var splitter = LineSplitter(limit: Self.logLineLimit)
        var budget = LineBudget()
        await stream.forEachPiece(processHasEnded: processHasEnded) { piece in
            tail.append(piece)
            for line in splitter.take(piece) { logLine(line, &budget) }
        }
        if let last = splitter.end() { logLine(last, &budget) }
        return tail
    }

    private func logLine(_ line: LineSplitter.Line, _ budget: inout LineBudget) {
        guard !line.bytes.isEmpty else { return }
        let (isWritten, leftOut) = budget.take(now: .now)
        guard isWritten else { return }
        if leftOut > 0 { log.notice("\(settings.shownProgram): \(leftOut) lines are left out") }
        let text = PlainText.line(String(decoding: redaction.clean(line.bytes), as: UTF8.self))
        log.notice("\(settings.shownProgram): \(text)\(line.isCut ? "…" : "")")
    }
}
