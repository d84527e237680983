internal import Glibc

/// A request that the operating system refused. The message names the path and the remedy.
package struct SystemError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What kind of error; decides the exit code.
    package enum Kind: Sendable, Hashable {
        /// An option or a path that a user chose cannot be used.
        case usage
        /// Reading or writing failed.
        case io
        /// Permissions are missing, or too wide.
        case permission
        /// Another process holds the resource.
        case inUse
        /// Another process changed the resource meanwhile.
        case changed

        /// The kind of the error of the last system call.
        static var ofErrno: Kind { of(errno) }

        /// The kind of the error with this `errno`.
        static func of(_ number: CInt) -> Kind { number == EACCES || number == EPERM ? .permission : .io }
    }

    /// One sentence for users.
    package var message: String
    /// What kind of error.
    package var kind: Kind

    init(_ message: String, _ kind: Kind) {
        self.message = message
        self.kind = kind
    }

    package var description: String { message }
}
