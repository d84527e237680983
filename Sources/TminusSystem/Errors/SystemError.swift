internal import Glibc

/// Something that the machine refused, with the path and what to do.
package struct SystemError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What kind of trouble; decides the exit code.
    package enum Kind: Sendable, Hashable {
        /// Reading or writing failed.
        case io
        /// Rights are missing, or too wide.
        case permission
        /// Somebody else has it.
        case inUse
        /// Somebody else changed it meanwhile.
        case changed

        /// The kind of the last system call's error.
        static var ofErrno: Kind { errno == EACCES || errno == EPERM ? .permission : .io }
    }

    /// For people.
    package var message: String
    /// What kind of trouble.
    package var kind: Kind

    init(_ message: String, _ kind: Kind) {
        self.message = message
        self.kind = kind
    }

    package var description: String { message }
}

/// The text of the last system call's error.
func errnoText() -> String {
    String(cString: strerror(errno))
}
