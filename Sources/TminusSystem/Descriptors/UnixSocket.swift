internal import Glibc

/// Sockets with a path in the file system (unix(7)).
package enum UnixSocket {
    /// The longest path that a socket can have on Linux, in bytes: `sun_path` without its NUL.
    package static let longestPath = 107

    /// Connects and closes the connection. Returns 0, or the `errno` of the failure; ENAMETOOLONG if the path is longer
    /// than ``longestPath``.
    package static func probe(_ path: String) -> CInt {
        guard path.utf8.count <= longestPath else { return ENAMETOOLONG }
        guard let connection = Descriptor(socket(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0))
        else {
            return errno
        }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let length = socklen_t(MemoryLayout<sockaddr_un>.size)
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(connection.number, $0, length) }
        }
        return result == 0 ? 0 : errno
    }

    /// Whether a program accepts connections at `path`.
    package static func isServed(_ path: String) -> Bool { probe(path) == 0 }
}
