import Glibc
import TminusCore
import TminusSystem

extension StartProblem {
    /// The error of a delivery whose program could not be started, with what to change.
    func deliveryError(program: String, directory: String) -> DeliveryError {
        let words = ErrorText.of(number)
        if [EAGAIN, ENOMEM, EMFILE, ENFILE, ETXTBSY, EINTR].contains(number) {
            return .transient("the program '\(program)' could not be started: \(words)")
        }
        switch step {
        case .find: return .permanent("the program '\(program)' was not found in PATH, or may not be executed")
        case .enterDirectory: return .permanent("the working directory '\(directory)' cannot be used: \(words)")
        case .watch: return .transient("the program '\(program)' could not be watched: \(words)")
        case .start: break
        }
        switch number {
        case ENOEXEC:
            return .permanent("the program '\(program)' cannot be executed: a script needs a first line with #!")
        case E2BIG:
            return .permanent("the program '\(program)' could not be started: its words and variables are too long")
        case ENOENT, ENOTDIR, EACCES, ELOOP, ENAMETOOLONG:
            return .permanent(Self.reason(program: program, number))
        default:
            return .permanent("the program '\(program)' could not be started: \(words)\(StrictProfile.hint(words))")
        }
    }

    /// The kernel reports "no such file" for several reasons (execve(2)), so this looks at the file.
    private static func reason(program: String, _ number: CInt) -> String {
        var status = stat()
        guard stat(program, &status) == 0 else {
            return "the program '\(program)' cannot be found: \(ErrorText.last)"
        }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: return "the program '\(program)' is a directory"
        case S_IFREG where access(program, X_OK) != 0:
            return "the program '\(program)' may not be executed: \(ErrorText.last); try chmod +x"
        case S_IFREG where number == EACCES:
            return "the program '\(program)' cannot be executed: its file system, or its interpreter, forbids it"
        case S_IFREG:
            return "the program '\(program)' cannot be executed: the interpreter of its first line is not there"
        default: return "the program '\(program)' is not a regular file"
        }
    }
}
