import Foundation
import Glibc

/// A `tminus run` process on a test's directories.
struct RunningDaemon {
    /// The process.
    let program: Program
    /// Its standard output.
    var output: LineReader { program.output }
    /// Its standard error.
    var errors: LineReader { program.errors }

    /// Starts the daemon; ``ready()`` waits until definitions are in force.
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

    /// Stops the daemon with SIGTERM and returns the exit status.
    @discardableResult
    func stop() async throws -> CInt {
        program.send(SIGTERM)
        return try await program.end()
    }

    /// Ends the daemon with SIGKILL, as the kernel does when memory runs out.
    func kill() async throws {
        program.send(SIGKILL)
        try await program.end()
    }
}
