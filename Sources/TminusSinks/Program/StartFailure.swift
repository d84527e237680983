import Glibc
import Subprocess
import SystemPackage
import TminusCore

/// Why a program could not be started, in words that say what to change.
enum StartFailure {
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
            return .permanent(reason(program: program))
        case .spawnFailed where number == ENOEXEC:
            return .permanent("the program '\(program)' cannot be executed: a script needs a first line with #!")
        case .spawnFailed:
            return .permanent("the program '\(program)' could not be started\(words)")
        default:
            return .transient("the program '\(program)' could not be watched\(words)")
        }
    }

    /// The kernel says "no such file" for several things (execve(2)), so the file is looked at.
    private static func reason(program: String) -> String {
        guard program.utf8.contains(UInt8(ascii: "/")) else {
            return "the program '\(program)' was not found in PATH, or may not be executed"
        }
        var status = stat()
        guard stat(program, &status) == 0 else {
            return "the program '\(program)' cannot be found: \(PlainText.error(errno))"
        }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: return "the program '\(program)' is a directory"
        case S_IFREG where access(program, X_OK) != 0:
            return "the program '\(program)' may not be executed: \(PlainText.error(errno)); try chmod +x"
        case S_IFREG:
            return "the program '\(program)' cannot be executed: the interpreter of its first line is not there"
        default: return "the program '\(program)' is not a regular file"
        }
    }
}
