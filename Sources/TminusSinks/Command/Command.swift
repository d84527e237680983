import Glibc
import Subprocess
import Synchronization
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
    func run(_ delivery: Delivery) async throws(DeliveryError) {
        let pass = try await StartPass.wait(upTo: settings.timeout)
        let (wishes, wish) = AsyncStream.makeStream(of: Void.self)
        let work = Task { await attempt(delivery, pass, stop: wishes) }
        let result = await withTaskCancellationHandler {
            await work.value
        } onCancel: {
            wish.yield()
        }
        try result.get()
    }

    private func attempt(
        _ delivery: Delivery, _ pass: StartPass, stop: AsyncStream<Void>
    ) async -> Result<Void, DeliveryError> {
        defer { pass.end() }
        var options = PlatformOptions()
        // A session of its own: no terminal, and a process group that can be ended as a whole.
        options.createSession = true
        options.teardownSequence = [
            .send(signal: .terminate, toProcessGroup: true, allowedDurationToNextStep: settings.killAfter)
        ]
        let input = CloudEvent.json(delivery) + [UInt8(ascii: "\n")]
        do {
            let result = try await Subprocess.run(
                program.utf8.contains(UInt8(ascii: "/")) ? .path(FilePath(program)) : .name(program),
                arguments: Arguments(arguments),
                environment: .custom(CommandVariables.block(settings.environment, delivery)),
                workingDirectory: FilePath(settings.directory), platformOptions: options,
                input: .inputWriter, output: .sequence, error: .sequence
            ) { execution in
                pass.end()
                return await CommandWatch(settings: settings, sleep: sleep).watch(execution, input: input, stop: stop)
            }
            return judge(result.terminationStatus, result.closureResult)
        } catch {
            return .failure(CommandFailure.describe(error, program: program, directory: settings.directory))
        }
    }

    private func judge(_ status: TerminationStatus, _ report: CommandWatch.Report) -> Result<Void, DeliveryError> {
        let remark = report.errorLine.map { ": \($0)" } ?? ""
        switch report.end {
        case .timeout:
            return .failure(.permanent("timed out after \(PlainText.duration(settings.timeout))\(remark)"))
        case .stop:
            return .failure(.stopped)
        case .own:
            break
        }
        switch status {
        case .exited(0): return .success(())
        // sysexits.h: EX_TEMPFAIL.
        case .exited(75): return .failure(.transient("exit status 75\(remark)"))
        case .exited(let code): return .failure(.permanent("exit status \(code)\(remark)"))
        case .signaled(let signal): return .failure(.permanent("ended by signal \(signal)\(remark)"))
        }
    }
}
