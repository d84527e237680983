import Glibc
import Synchronization
import TminusCore
import TminusSystem

/// Stands by the process of a plug-in: feeds it lines, reads its answers, logs what it says on standard error, and ends it.
struct PluginWatch: Sendable {
    private enum Event {
        case ended
        case wished(PluginEnding)
        case graceIsOver
        case nothing
    }

    /// What is kept of the streams between two pieces.
    private struct Streams {
        var answers = LineSplitter(limit: PluginMessage.lineLimit)
        var errors = LineSplitter(limit: PluginWatch.logLineLimit)
        var tail = OutputTail()
        var budget = LineBudget()
    }

    private final class Reading: Sendable {
        let streams = Mutex(Streams())
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

    private let reading = Reading()

    /// Returns when the process has ended, is not reaped yet, and its pipes are read; says why it was ended, nil: by itself.
    func watch(_ running: RunningProgram) async -> PluginEnding? {
        async let fed: Void = feed(running)
        let wish = await end(of: running)
        finishInput()
        // What it has started and left in its group must not pile up over restarts.
        running.send(SIGTERM)
        await running.endGroup(within: Self.groupPatience)
        await fed
        return wish
    }

    /// The last line of standard error, empty if there is none.
    var lastLine: String { reading.streams.withLock { $0.tail }.lastLine(redaction) ?? "" }

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
        for await line in lines {
            guard await running.write(line) else {
                ask(.closedInput)
                break
            }
        }
        running.finishInput()
    }

    /// Takes a piece of standard output.
    @Sendable func readAnswers(_ piece: UnsafeRawBufferPointer) {
        let lines = reading.streams.withLock { streams in
            piece.isEmpty ? streams.answers.end().map { [$0] } ?? [] : streams.answers.take(piece)
        }
        for line in lines { line.isCut ? ask(.longLine) : receive(line.bytes) }
        if piece.isEmpty { ask(.closedOutput) }
    }

    /// Takes a piece of standard error.
    @Sendable func readErrors(_ piece: UnsafeRawBufferPointer) {
        reading.streams.withLock { streams in
            streams.tail.append(piece)
            let lines = piece.isEmpty ? streams.errors.end().map { [$0] } ?? [] : streams.errors.take(piece)
            for line in lines { logLine(line, &streams.budget) }
        }
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
