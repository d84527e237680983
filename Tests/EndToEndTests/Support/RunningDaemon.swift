import Foundation
import Glibc

/// `tminus run` on the directories of a test.
struct RunningDaemon {
    let program: Program
    var output: LineReader { program.output }
    var errors: LineReader { program.errors }

    /// Starts the daemon; `ready()` waits until it watches.
    init(
        in scratch: Scratch, _ options: [String] = [], environment: [String: String] = Program.environment,
        output: Program.Handling = .isRead, errors: Program.Handling = .isRead
    ) throws {
        program = try Program(
            Program.tminus, ["run", "--config", scratch.config, "--state", scratch.state] + options,
            environment: environment, output: output, errors: errors)
    }

    /// Waits until definitions are in force.
    func ready() async throws {
        try await errors.first("the first definitions") { $0.contains("definitions in force") }
    }

    /// Ends it as a service manager would; the exit status.
    @discardableResult
    func stop() async throws -> CInt {
        program.send(SIGTERM)
        return try await program.end()
    }

    /// Ends it as the kernel does when there is no memory.
    func kill() async throws {
        program.send(SIGKILL)
        try await program.end()
    }
}
