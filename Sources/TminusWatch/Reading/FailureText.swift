import Glibc
import TminusSystem

/// Describes an `errno` of opening, listing or reading a file, with the remedy.
enum FailureText {
    /// A phrase to follow the path in backquotes.
    static func reading(_ code: Int32) -> String {
        switch code {
        case EACCES, EPERM:
            "cannot be read (permission denied): make it readable for the user that runs tminus, with chmod or chown"
        case ELOOP: "cannot be read: its symbolic links lead in a circle"
        case ENOENT, ENOTDIR: "is a symbolic link to a file that does not exist: correct the link, or remove it"
        case ENAMETOOLONG: "cannot be read: its path is too long"
        case EMFILE, ENFILE:
            "cannot be read: too many files are open (raise the limit with 'ulimit -n'); it is tried again"
        default: "cannot be read (\(ErrorText.of(code))); it is tried again"
        }
    }
}
