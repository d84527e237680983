import Subprocess
import SystemPackage
import TminusCore

/// Runs one program for one delivery and judges how it ended.
struct Command: Sendable {
    /// A name to be found by PATH, or an absolute path.
    var program: String
    /// Without the program itself.
    var arguments: [String]
    /// Limits and surroundings.
    var settings: CommandSettings
    /// What waits for the end of the time limit.
    var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }

    /// Runs the program to its end.
    ///
    /// The work is shielded from cancellation: it has to see the process group to its end, TERM, then KILL, with its pipes
    /// read all the while. A cancellation reaches it as a wish to stop.
    func run(_ delivery: Delivery) async throws(DeliveryError) -> DeliveryReport {
        let (variables, redaction) = try await settings.surroundings.resolved()
        let environment = ProgramVariables.block(variables, delivery)
        let pass = try await StartPass.wait(upTo: settings.timeout)
        let (wishes, wish) = AsyncStream.makeStream(of: Void.self)
        let work = Task {
            await attempt(CloudEvent.json(delivery), environment, redaction, pass, stop: wishes)
        }
        let result = await withTaskCancellationHandler {
            await work.value
        } onCancel: {
            wish.yield()
        }
        return try result.get()
    }

    private func attempt(
        _ payload: [UInt8], _ environment: [[UInt8]], _ redaction: Redaction, _ pass: StartPass,
        stop: AsyncStream<Void>
    ) async -> Result<DeliveryReport, DeliveryError> {
        defer { pass.end() }
        let directory = settings.surroundings.directory
        do {
            let result = try await Subprocess.run(
                program.utf8.contains(UInt8(ascii: "/")) ? .path(FilePath(program)) : .name(program),
                arguments: Arguments(arguments), environment: .custom(environment),
                workingDirectory: FilePath(directory), platformOptions: .session(killAfter: settings.killAfter),
                input: .inputWriter, output: .sequence, error: .sequence
            ) { execution in
                pass.end()
                return await CommandWatch(settings: settings, sleep: sleep)
                    .watch(execution, input: payload + [UInt8(ascii: "\n")], stop: stop)
            }
            return judge(result.terminationStatus, result.closureResult, redaction)
        } catch {
            return .failure(StartFailure.describe(error, program: program, directory: directory))
        }
    }

    private func judge(
        _ status: TerminationStatus, _ end: CommandWatch.Report, _ redaction: Redaction
    ) -> Result<DeliveryReport, DeliveryError> {
        var report = DeliveryReport(
            output: end.output.excerpt(redaction), errors: end.errors.excerpt(redaction))
        switch status {
        case .exited(let code): report.exitStatus = Int(code)
        case .signaled(let signal): report.signal = Int(signal)
        }
        let remark = end.errors.lastLine(redaction).map { ": \($0)" } ?? ""
        switch (end.end, status) {
        case (.timeout, _):
            let limit = PlainText.duration(settings.timeout)
            return .failure(.permanent("timed out after \(limit)\(remark)", report: report))
        case (.stop, _): return .failure(.transient(DeliveryError.stopped.reason, report: report))
        case (.own, .exited(0)): return .success(report)
        // sysexits.h: EX_TEMPFAIL.
        case (.own, .exited(75)):
            return .failure(.transient("\(ExitText.of(status))\(remark)", report: report))
        case (.own, _): return .failure(.permanent("\(ExitText.of(status))\(remark)", report: report))
        }
    }
}
