import TminusCore
import TminusSystem

/// Runs one program for one delivery, ends its process group at the time limit, and judges how it ended.
struct Command: Sendable {
    /// A name to be looked up in PATH, or an absolute path.
    var program: String
    /// Without the program itself.
    var arguments: [String]
    /// Limits and surroundings.
    var settings: CommandSettings
    /// The template of the user's message.
    var message = MessageTemplate.none
    /// Waits for the time limit in place of the clock.
    var sleep: TimeLimit.Sleep?
    /// Where starts may block. One for each sink, so that a hanging file system delays no other sink.
    private let starter = ProgramStarter()

    /// Runs the program to its end. A cancellation ends it as the time limit does.
    func run(_ delivery: Delivery) async throws(DeliveryError) -> DeliveryReport {
        let delivery = message.applied(to: delivery)
        let (variables, redaction) = try await settings.surroundings.resolved()
        let start = ProgramStart(
            program: program, arguments: arguments, environment: ProgramVariables.block(variables, delivery),
            directory: settings.surroundings.directory, label: delivery.id.rawValue, killAfter: settings.killAfter)
        let input = CloudEvent.json(delivery) + [UInt8(ascii: "\n")]
        let (run, program, end) = try await start.retrying(within: settings.timeout) { () throws(StartProblem) in
            let run = CommandRun()
            try self.begin(run, start, input)
            let (program, end) = try await run.ended()
            return (run, program, end)
        }
        if end != .own { await endGroup(of: program, after: end) }
        guard let status = program.finish() else {
            throw .transient(
                "the exit status of the program '\(self.program)' is unknown: its process was reaped elsewhere")
        }
        return try judge(status, end, run, redaction)
    }

    private func begin(_ run: CommandRun, _ start: ProgramStart, _ input: [UInt8]) throws(StartProblem) {
        try starter.run { [settings, sleep] in
            do throws(StartProblem) {
                let program = try RunningProgram.start(
                    start, input: input, output: run.readOutput, errors: run.readErrors)
                run.begin(program, TimeLimit(settings.timeout, sleep: sleep) { run.end(.timeout) })
                program.whenEnded { run.end(.own) }
            } catch {
                run.fail(error)
            }
        }
    }

    /// Ends the program and its group by TERM, then by KILL. No cancellation reaches this, because it runs in a task of its own.
    private func endGroup(of program: RunningProgram, after end: CommandRun.End) async {
        // A stopping daemon has only some seconds.
        let patience = end == .stop ? min(settings.killAfter, .seconds(4)) : settings.killAfter
        await Task {
            await program.terminate(within: patience)
            await program.endGroup(within: patience)
        }.value
    }

    private func judge(
        _ status: ProgramStatus, _ end: CommandRun.End, _ run: CommandRun, _ redaction: Redaction
    ) throws(DeliveryError) -> DeliveryReport {
        let (output, errors) = run.tails
        var report = DeliveryReport(output: output.excerpt(redaction), errors: errors.excerpt(redaction))
        switch status {
        case .exited(let code): report.exitStatus = Int(code)
        case .signaled(let signal): report.signal = Int(signal)
        }
        let remark =
            (errors.lastLine(redaction).map { ": \($0)" } ?? "") + StrictProfile.hint(report.errors?.text ?? "")
        switch (end, status) {
        case (.timeout, _):
            throw .permanent("timed out after \(PlainText.duration(settings.timeout))\(remark)", report: report)
        case (.stop, _): throw .transient(DeliveryError.stopped.reason, report: report)
        case (.own, .exited(0)): return report
        // sysexits.h: EX_TEMPFAIL.
        case (.own, .exited(75)): throw .transient("\(status.text)\(remark)", report: report)
        case (.own, _): throw .permanent("\(status.text)\(remark)", report: report)
        }
    }
}
