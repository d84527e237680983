internal import ArgumentParser
internal import TminusDaemon
internal import TminusTooling

/// The exit codes of the contract, from sysexits(3).
enum ExitStatus {
    /// There are differences. Not from sysexits(3): diff(1) and git-diff(1) use 1.
    static let different = ExitCode(1)
    /// A delivery was not delivered. Not from sysexits(3).
    static let undelivered = ExitCode(1)
    /// Something needs a person (`status --exit-code`). Not from sysexits(3).
    static let needsAttention = ExitCode(1)
    /// A part of what is imported was left out. Not from sysexits(3).
    static let incomplete = ExitCode(1)
    /// Wrong usage (EX_USAGE).
    static let usage = ExitCode(64)
    /// An error in a definition, or an unknown id (EX_DATAERR).
    static let badData = ExitCode(65)
    /// No daemon or no state (EX_UNAVAILABLE).
    static let unavailable = ExitCode(69)
    /// A defect of the program (EX_SOFTWARE).
    static let internalError = ExitCode(70)
    /// An input/output error (EX_IOERR).
    static let inputOutput = ExitCode(74)
    /// Permissions are missing or too wide (EX_NOPERM).
    static let permission = ExitCode(77)

    /// Maps a failure of the daemon or a tool to an exit code.
    static func code(of error: DaemonError) -> ExitCode {
        switch error.kind {
        case .usage: usage
        case .badData: badData
        case .inputOutput: inputOutput
        case .permission: permission
        case .standsBy: unavailable
        }
    }

    /// Maps the error of a tool to an exit code.
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

/// Runs `body`. An error is written to standard error and ends the command with its exit status.
func reportingFailure<Result>(_ body: () throws(ToolError) -> Result) throws -> Result {
    do {
        return try body()
    } catch {
        throw reported(error)
    }
}

/// Writes an error to standard error.
/// - Returns: The exit status of the command.
func reported(_ error: ToolError) -> ExitCode {
    StandardError.shared.report("tminus: \(error)")
    return ExitStatus.code(of: error)
}

/// Writes the error of a daemon to standard error.
/// - Returns: The exit status of the command.
func reported(_ error: DaemonError) -> ExitCode {
    StandardError.shared.report("tminus: \(error)")
    return ExitStatus.code(of: error)
}
