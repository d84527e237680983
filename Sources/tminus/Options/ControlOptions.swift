internal import ArgumentParser
internal import TminusControl
internal import TminusDaemon

/// The options that select the daemon, shared by all commands that talk to one.
struct ControlOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The daemon's control socket. Default: $TMINUS_SOCKET, else the socket of the daemon that holds the state directory, else control.sock in $RUNTIME_DIRECTORY or $XDG_RUNTIME_DIR/tminus, else that of a system service.",
            valueName: "path"))
    var socket: String?

    @Option(
        help: ArgumentHelp(
            "The daemon's state directory. Only the daemon that holds it is asked. Default: $TMINUS_STATE.",
            valueName: "dir"))
    var state: String?

    /// Runs `body` with a client of the daemon. Reports a refusal or a missing daemon on standard error and throws the
    /// exit status.
    func ask<Answer: Sendable>(_ body: (ControlClient) async throws -> Answer) async throws -> Answer {
        do {
            let path = try ControlSocketPath.ofDaemon(socket: socket, state: state)
            return try await ControlClient.connected(to: path, body)
        } catch var failure as ControlFailure {
            if failure.kind == .noDaemon, let reason = ControlSocketPath.ofDaemonWithout(socket: socket, state: state) {
                failure.message = reason
            }
            StandardError.shared.report("tminus: \(failure)")
            throw ExitStatus.code(of: failure)
        } catch let error as DaemonError {
            throw reported(error)
        }
    }
}

extension ExitStatus {
    /// Maps a failed request to an exit code.
    static func code(of failure: ControlFailure) -> ExitCode {
        switch failure.kind {
        case .noDaemon: unavailable
        case .permission, .refused(.forbidden), .refused(.unauthorized), .refused(.tooMany): permission
        case .inputOutput, .refused(.unavailable): inputOutput
        case .refused(.notFound), .refused(.unfit), .refused(.invalid), .refused(.changed): badData
        case .refused(.badRequest), .refused(.tooLarge), .refused(.unconditional): usage
        case .refused(.wrongMethod), .refused(.tooSlow), .refused(.wrongType), .refused(.misdirected),
            .refused(.internal):
            internalError
        }
    }
}
