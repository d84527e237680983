import Glibc
import Subprocess
import SystemPackage
import TminusCore

/// Why a program could not be started, in words that say what to change.
enum CommandFailure {
    /// The error of a start as that of a delivery.
    static func describe(_ error: any Error, program: String, directory: String) -> DeliveryError {
        guard let error = error as? SubprocessError else { return .transient("could not be run: \(type(of: error))") }
        let number = error.underlyingError?.rawValue ?? 0
        let words = number == 0 ? "" : ": \(PlainText.error(number))"
        if [EAGAIN, ENOMEM, EMFILE, ENFILE, ETXTBSY, EINTR].contains(number) {
            return .transient("the program '\(program)' could not be started\(words)")
        }
        switch error.code {
        case .failedToChangeWorkingDirectory:
            return .permanent("the working directory '\(directory)' cannot be used\(words)")
        case .executableNotFound:
            return .permanent("the program '\(program)' was not found or may not be executed\(words)")
        case .spawnFailed where number == ENOEXEC:
            return .permanent("the program '\(program)' cannot be executed: a script needs a first line with #!")
        case .spawnFailed:
            return .permanent("the program '\(program)' could not be started\(words)")
        default:
            return .transient("the program '\(program)' could not be watched\(words)")
        }
    }
}
