internal import ArgumentParser

/// The exit codes of the contract, from sysexits(3).
enum ExitStatus {
    static let usage = ExitCode(64)
    static let badData = ExitCode(65)
    static let internalError = ExitCode(70)
    static let inputOutput = ExitCode(74)
    static let permission = ExitCode(77)
}
