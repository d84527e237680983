internal import Glibc
internal import TminusSystem

/// Whether a daemon answers at a path, from connect(2): an HTTP library reports less about a refusal.
enum SocketProbe {
    /// Returns if a program accepts connections.
    ///
    /// - Throws: Why there is no connection, with the remedy.
    static func check(_ path: String) throws(ControlFailure) {
        guard path.utf8.count <= UnixSocket.longestPath else {
            throw ControlFailure(
                .inputOutput,
                "\(path): too long for a socket: \(path.utf8.count) bytes of at most \(UnixSocket.longestPath); "
                    + "give a shorter one with --socket")
        }
        var status = stat()
        // connect(2) has the same error for a file that is no socket as for a socket that nothing serves.
        if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFSOCK {
            throw ControlFailure(.inputOutput, "\(path): is no socket; give another path with --socket")
        }
        let code = UnixSocket.probe(path)
        if code != 0 { throw failure(code, path) }
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
        case EMFILE, ENFILE, ENOBUFS, ENOMEM:
            ControlFailure(.inputOutput, "no socket can be made: \(ErrorText.of(code))")
        default:
            ControlFailure(.inputOutput, "\(path): no connection: \(ErrorText.of(code))")
        }
    }
}
