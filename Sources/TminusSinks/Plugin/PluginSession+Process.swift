import Glibc
import Synchronization
import TminusCore
import TminusSystem

/// The process of a plug-in: it is fed lines, its answers are read, its standard error is logged.
extension PluginSession {
    private enum Event {
        case ended
        case mustEnd(PluginEnding)
        case graceIsOver
        case nothing
    }

    /// The most bytes of a line of standard error that are logged.
    static let logLineLimit = 500
    /// How long processes that the plug-in left behind may take to end after TERM.
    private static let groupPatience = Duration.seconds(1)

    /// Runs the process to its end. Returns why it ended; nil if it was told to stop.
    @concurrent
    func run() async -> String? {
        var ending: PluginEnding
        do throws(DeliveryError) {
            ending = try await runProcess()
        } catch {
            ending = .notStarted(error.reason)
        }
        let remark = streams.withLock { $0.tail.lastLine($0.redaction) }
        let problem = "the plug-in \(ending.text)\(remark.map { ": \($0)" } ?? "")"
        fail(.transient(problem))
        return ending == .stop ? nil : problem
    }

    private func runProcess() async throws(DeliveryError) -> PluginEnding {
        let (variables, redaction) = try await settings.surroundings.resolved()
        use(redaction)
        let start = ProgramStart(
            program: settings.program, arguments: [], environment: ProgramVariables.block(variables),
            directory: settings.surroundings.directory, label: settings.shownProgram, killAfter: settings.killAfter)
        sendLine.yield(PluginMessage.hello(config: settings.config))
        let starter = ProgramStarter()
        let program = try await start.retrying(within: settings.startLimit) { () throws(StartProblem) in
            try await RunningProgram.start(start, on: starter, output: self.readAnswers, errors: self.readErrors)
        }
        let ending = await watch(program)
        guard let status = program.finish() else {
            throw .transient(
                "the exit status of the program '\(settings.program)' is unknown: its process was reaped elsewhere")
        }
        return ending ?? .exited(status)
    }

    /// Returns when the process has ended, is not reaped yet, and its pipes are read. Returns why it was ended; nil if it ended by
    /// itself.
    private func watch(_ program: RunningProgram) async -> PluginEnding? {
        async let fed: Void = feed(program)
        let ending = await awaitEnd(of: program)
        sendLine.finish()
        // The processes that it started must not pile up over restarts.
        program.send(SIGTERM)
        await program.endGroup(within: Self.groupPatience)
        await fed
        return ending
    }

    private func awaitEnd(of program: RunningProgram) async -> PluginEnding? {
        await withTaskGroup(of: Event.self) { group in
            group.addTask {
                await program.ended()
                return .ended
            }
            group.addTask { [endings] in
                for await ending in endings { return .mustEnd(ending) }
                return .nothing
            }
            group.addTask { [settings] in
                let isOver = (try? await Task.sleep(for: settings.startLimit, clock: .continuous)) != nil
                if isOver, !self.isReady { self.end(.neverReady(settings.startLimit)) }
                return .nothing
            }
            var ending: PluginEnding?
            var isForced = false
            events: while let event = await group.next() {
                switch event {
                case .ended: break events
                case .mustEnd(let reason):
                    ending = reason
                    sendLine.finish()
                    group.addTask {
                        try? await Task.sleep(for: reason.grace, clock: .continuous)
                        return .graceIsOver
                    }
                case .graceIsOver:
                    isForced = true
                    await program.terminate(within: ending == .stop ? .milliseconds(1500) : settings.killAfter)
                case .nothing: break
                }
            }
            group.cancelAll()
            // A plug-in that closes its pipes and then ends has ended by itself.
            return !isForced && (ending == .closedOutput || ending == .closedInput) ? nil : ending
        }
    }

    private func feed(_ program: RunningProgram) async {
        for await line in lines {
            guard await program.write(line) else {
                end(.closedInput)
                break
            }
        }
        program.finishInput()
    }

    /// Takes a piece of standard output, an empty one at its end.
    @Sendable private func readAnswers(_ piece: UnsafeRawBufferPointer) {
        for line in streams.withLock({ $0.answers.take(piece) }) { line.isCut ? end(.longLine) : receive(line.bytes) }
        if piece.isEmpty { end(.closedOutput) }
    }

    /// Takes a piece of standard error, an empty one at its end.
    @Sendable private func readErrors(_ piece: UnsafeRawBufferPointer) {
        streams.withLock { streams in
            streams.tail.append(piece)
            for line in streams.errors.take(piece) { logLine(line, &streams) }
        }
    }

    private func logLine(_ line: LineSplitter.Line, _ streams: inout Streams) {
        guard !line.bytes.isEmpty else { return }
        let (isWritten, leftOut) = streams.budget.take(now: .now)
        guard isWritten else { return }
        if leftOut > 0 { log.notice("\(settings.shownProgram): \(leftOut) lines are left out") }
        let clean = streams.redaction.clean(line.bytes, cuts: line.isCut ? .end : [])
        let text = VisibleText.line(String(decoding: clean.prefix(Self.logLineLimit), as: UTF8.self))
        log.notice("\(settings.shownProgram): \(text)\(line.isCut || clean.count > Self.logLineLimit ? "…" : "")")
    }
}
