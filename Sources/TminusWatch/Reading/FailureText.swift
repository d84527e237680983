import Glibc

/// Says what an `errno` of opening, listing or reading means, and what to do.
enum FailureText {
    /// A phrase that follows "`path` ".
    static func reading(_ code: Int32) -> String {
        switch code {
        case EACCES, EPERM:
            "cannot be read (permission denied): make it readable for the user that runs tminus, with chmod or chown"
        case ELOOP: "cannot be read: its symbolic links lead in a circle"
        case ENOENT, ENOTDIR: "is a symbolic link to a file that does not exist: correct the link, or remove it"
        case ENAMETOOLONG: "cannot be read: its path is too long"
        case EMFILE, ENFILE:
            "cannot be read: too many files are open (raise the limit with 'ulimit -n'); it is tried again"
        default: "cannot be read (\(name(of: code))); it is tried again"
        }
    }

    /// The system's text for an error, from strerror(3).
    static func name(of code: Int32) -> String {
        var buffer = [CChar](repeating: 0, count: 128)
        _ = strerror_r(code, &buffer, buffer.count)
        return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
