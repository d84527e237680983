internal import ArgumentParser
internal import TminusDaemon

/// The exit codes of the contract, from sysexits(3).
enum ExitStatus {
    static let usage = ExitCode(64)
    static let badData = ExitCode(65)
    static let internalError = ExitCode(70)
    static let inputOutput = ExitCode(74)
    static let permission = ExitCode(77)

    /// The code of a daemon that cannot start or go on.
    static func code(of error: DaemonError) -> ExitCode {
        switch error.kind {
        case .usage: usage
        case .badData: badData
        case .inputOutput: inputOutput
        case .permission: permission
        case .defect: internalError
        }
    }
}
