internal import ArgumentParser
internal import TminusControl
internal import TminusDaemon

/// Which daemon is asked; the same for all commands that ask one.
struct ControlOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The control socket of the daemon. Default: that of the daemon on the state directory, else control.sock in $RUNTIME_DIRECTORY or $XDG_RUNTIME_DIR/tminus.",
            valueName: "path"))
    var socket: String?

    @Option(
        help: ArgumentHelp(
            "The state directory of the daemon, if it was given one: no other is asked.", valueName: "dir"))
    var state: String?

    /// Asks the daemon. What it refuses, and that there is none, goes to standard error and ends the command.
    func ask<Answer: Sendable>(_ body: (ControlClient) async throws -> Answer) async throws -> Answer {
        do {
            let path = try ControlSocketPath.ofDaemon(socket: socket, state: state)
            return try await ControlClient.connected(to: path, body)
        } catch var failure as ControlFailure {
            if failure.kind == .noDaemon, let reason = ControlSocketPath.ofDaemonWithout(socket: socket, state: state) {
                failure.message = reason
            }
            StandardError.shared.write("tminus: \(failure)\n")
            StandardError.shared.flush()
            throw ExitStatus.code(of: failure)
        } catch let error as DaemonError {
            throw reported(error)
        }
    }
}

extension ExitStatus {
    /// The code of a request that was not done.
    static func code(of failure: ControlFailure) -> ExitCode {
        switch failure.kind {
        case .noDaemon: unavailable
        case .permission, .refused(.forbidden): permission
        case .inputOutput, .refused(.unavailable): inputOutput
        case .refused(.notFound), .refused(.unfit): badData
        case .refused(.badRequest), .refused(.tooLarge): usage
        case .refused(.wrongMethod), .refused(.tooSlow), .refused(.internal): internalError
        }
    }
}
