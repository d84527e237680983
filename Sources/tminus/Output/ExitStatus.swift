internal import ArgumentParser
internal import TminusDaemon
internal import TminusTooling

/// The exit codes of the contract, from sysexits(3).
enum ExitStatus {
    /// Not from sysexits(3): what diff(1) and git-diff(1) end with.
    static let different = ExitCode(1)
    /// Not from sysexits(3): a delivery that was to be tried was not delivered.
    static let undelivered = ExitCode(1)
    static let usage = ExitCode(64)
    static let badData = ExitCode(65)
    static let unavailable = ExitCode(69)
    static let internalError = ExitCode(70)
    static let inputOutput = ExitCode(74)
    static let permission = ExitCode(77)

    /// The code of a daemon that cannot start or continue.
    static func code(of error: DaemonError) -> ExitCode {
        switch error.kind {
        case .usage: usage
        case .badData: badData
        case .inputOutput: inputOutput
        case .permission: permission
        }
    }

    /// The code of a command that failed without a daemon.
    static func code(of error: ToolError) -> ExitCode {
        switch error.kind {
        case .usage: usage
        case .badData: badData
        case .inputOutput: inputOutput
        case .permission: permission
        case .noState: unavailable
        case .defect: internalError
        }
    }
}

/// Runs `body`; an error goes to standard error and ends the command with its exit status.
func reportingFailure<Result>(_ body: () throws(ToolError) -> Result) throws -> Result {
    do {
        return try body()
    } catch {
        throw reported(error)
    }
}

/// Writes an error to standard error.
/// - Returns: The exit status to end with.
func reported(_ error: ToolError) -> ExitCode {
    StandardError.shared.write("tminus: \(error)\n")
    StandardError.shared.flush()
    return ExitStatus.code(of: error)
}

/// Writes the error of a daemon to standard error.
/// - Returns: The exit status to end with.
func reported(_ error: DaemonError) -> ExitCode {
    StandardError.shared.write("tminus: \(error)\n")
    StandardError.shared.flush()
    return ExitStatus.code(of: error)
}
