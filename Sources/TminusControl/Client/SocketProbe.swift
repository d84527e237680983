internal import Glibc

/// Whether a daemon answers at a path, told by connect(2): what an HTTP library says about it is less.
enum SocketProbe {
    /// Returns if somebody accepts connections. Errors: nobody, with what to do.
    static func check(_ path: String) throws(ControlFailure) {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let room = MemoryLayout.size(ofValue: address.sun_path) - 1
        guard path.utf8.count <= room else {
            throw ControlFailure(
                .inputOutput,
                "\(path): too long for a socket: \(path.utf8.count) bytes of at most \(room); give a shorter one with --socket"
            )
        }
        var status = stat()
        // For a file that is no socket connect(2) has the same error as for one that nobody serves.
        if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFSOCK {
            throw ControlFailure(.inputOutput, "\(path): is no socket; give another path with --socket")
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw ControlFailure(.inputOutput, "no socket can be made: \(reason(errno))") }
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
                    + "or say where it is with --socket or --state")
        case ECONNREFUSED:
            ControlFailure(
                .noDaemon, "no daemon is running: a former one left \(path) behind; start one with 'tminus run'")
        case EACCES, EPERM:
            ControlFailure(
                .permission,
                "\(path): belongs to another user's daemon; ask as that user, for example with 'sudo -u USER tminus ...'"
            )
        default:
            ControlFailure(.inputOutput, "\(path): no connection: \(reason(code))")
        }
    }

    private static func reason(_ code: CInt) -> String { String(cString: strerror(code)) }
}
