internal import Glibc

/// Sockets with a path in the file system (unix(7)).
package enum UnixSocket {
    /// The longest path that a socket can have on Linux, in bytes.
    package static let longestPath = UnixAddress.longestName

    /// Connects and closes the connection. Returns 0, or the `errno` of the failure; ENAMETOOLONG if the path is longer
    /// than ``longestPath``.
    package static func probe(_ path: String) -> CInt {
        guard let address = UnixAddress(path: path) else { return path.isEmpty ? ENOENT : ENAMETOOLONG }
        guard let connection = Descriptor(socket(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0))
        else {
            return errno
        }
        return address.with { connect(connection.number, $0, $1) } == 0 ? 0 : errno
    }

    /// Whether a program accepts connections at `path`.
    package static func isServed(_ path: String) -> Bool { probe(path) == 0 }

    /// Whether there is a socket at `path` that this user may not use.
    package static func isForbidden(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && probe(path) == EACCES
    }
}
