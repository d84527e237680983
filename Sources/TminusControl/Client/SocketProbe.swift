internal import Glibc

/// Checks with connect(2) whether a daemon serves a socket. Its errors are more specific than those of the HTTP
/// library.
enum SocketProbe {
    /// Returns if a process accepts connections at `path`. Throws a failure that says what to do otherwise.
    static func check(_ path: String) throws(ControlFailure) {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let room = MemoryLayout.size(ofValue: address.sun_path) - 1
        guard path.utf8.count <= room else {
            throw ControlFailure(
                .inputOutput,
                "\(path): the path is too long for a socket (\(path.utf8.count) bytes, at most \(room)); give a shorter one with --socket"
            )
        }
        var status = stat()
        // connect(2) gives ECONNREFUSED both for a regular file and for a socket without a listener.
        if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFSOCK {
            throw ControlFailure(.inputOutput, "\(path): is not a socket; give another path with --socket")
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw ControlFailure(.inputOutput, "cannot create a socket: \(reason(errno))") }
        defer { close(descriptor) }
        let length = socklen_t(MemoryLayout<sockaddr_un>.size)
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, length) }
        }
        if result != 0 { throw failure(errno, path) }
    }

    private static func failure(_ code: CInt, _ path: String) -> ControlFailure {
        switch code {
        case ENOENT, ENOTDIR:
            ControlFailure(
                .noDaemon,
                "no daemon is running: there is no control socket at \(path); start one with 'tminus run', "
                    + "or give its place with --socket or --state")
        case ECONNREFUSED:
            ControlFailure(
                .noDaemon, "no daemon is running: \(path) is left over from an earlier one; start one with 'tminus run'"
            )
        case EACCES, EPERM:
            ControlFailure(
                .permission,
                "\(path): belongs to another user's daemon; run the command as that user, for example with 'sudo -u USER tminus ...'"
            )
        default:
            ControlFailure(.inputOutput, "\(path): cannot connect: \(reason(code))")
        }
    }

    private static func reason(_ code: CInt) -> String { String(cString: strerror(code)) }
}
