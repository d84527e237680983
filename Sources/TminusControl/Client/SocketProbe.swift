internal import Glibc
internal import TminusSystem

/// Checks with connect(2) whether a daemon serves a socket. Its errors are more specific than those of the HTTP
/// library.
enum SocketProbe {
    /// Returns if a process accepts connections at `path`. Throws a failure that says what to do otherwise.
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
            throw ControlFailure(.inputOutput, "\(path): is not a socket; give another path with --socket")
        }
        let code = UnixSocket.probe(path)
        if code != 0 { throw failure(code, path) }
    }

    /// The user whose daemon made the socket, as a command line names it.
    private static func owner(_ path: String) -> String {
        var status = stat()
        return stat(path, &status) == 0 ? UserName.argument(of: status.st_uid) : "USER"
    }

    private static func failure(_ code: CInt, _ path: String) -> ControlFailure {
        let system = MachinePaths(environment: [:])
        let places = [system.systemRuntimeDirectory, system.systemStateDirectory]
        let isOfService = places.contains { path.hasPrefix("\($0)/") }
        let start = isOfService ? "systemctl start tminus" : "tminus run"
        return switch code {
        case ENOENT, ENOTDIR:
            ControlFailure(
                .noDaemon,
                "no daemon is running: there is no control socket at \(path); start one with '\(start)', "
                    + "or give its place with --socket or --state")
        case ECONNREFUSED:
            ControlFailure(
                .noDaemon, "no daemon is running: \(path) is left over from an earlier one; start one with '\(start)'"
            )
        case EACCES, EPERM:
            ControlFailure(
                .permission,
                "\(path): belongs to another user's daemon; run the command as that user, for example with 'sudo -u \(owner(path)) tminus ...'"
            )
        case EMFILE, ENFILE, ENOBUFS, ENOMEM:
            ControlFailure(.inputOutput, "no socket can be made: \(ErrorText.of(code))")
        default:
            ControlFailure(.inputOutput, "\(path): cannot connect: \(ErrorText.of(code))")
        }
    }
}
