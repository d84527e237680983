import TminusCore
import TminusSystem

/// Runs one program for one delivery and judges how it ended.
struct Command: Sendable {
    /// A name to be found by PATH, or an absolute path.
    var program: String
    /// Without the program itself.
    var arguments: [String]
    /// Limits and surroundings.
    var settings: CommandSettings
    /// What waits for the end of the time limit, in the place of the clock.
    var sleep: TimeLimit.Sleep?
    /// Where starts block. One for each sink, so that a file system that hangs holds up no other.
    private let starter = ProgramStarter()

    /// Runs the program to its end. A cancellation ends it as its time limit does.
    func run(_ delivery: Delivery) async throws(DeliveryError) -> DeliveryReport {
        let (variables, redaction) = try await settings.surroundings.resolved()
        let start = ProgramStart(
            program: program, arguments: arguments, environment: ProgramVariables.block(variables, delivery),
            directory: settings.surroundings.directory, label: delivery.id.rawValue, killAfter: settings.killAfter)
        let tails = CommandTails()
        let (running, end) = try await CommandWatch(settings: settings, sleep: sleep, starter: starter).run(
            start, input: CloudEvent.json(delivery) + [UInt8(ascii: "\n")], tails: tails)
        guard let status = running.finish() else {
            throw .transient("how the program '\(program)' ended is not known: somebody else has reaped it")
        }
        return try judge(status, end, tails, redaction)
    }

    private func judge(
        _ status: ProgramStatus, _ end: CommandRun.End, _ tails: CommandTails, _ redaction: Redaction
    ) throws(DeliveryError) -> DeliveryReport {
        let errors = tails.errors
        var report = DeliveryReport(output: tails.output.excerpt(redaction), errors: errors.excerpt(redaction))
        switch status {
        case .exited(let code): report.exitStatus = Int(code)
        case .signaled(let signal): report.signal = Int(signal)
        }
        let remark = errors.lastLine(redaction).map { ": \($0)" } ?? ""
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
