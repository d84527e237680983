internal import Glibc

/// The file of a socket: makes room for it, and protects it from other users.
package enum ControlSocketFile {
    /// Creates the directory of `path` if it is missing, and removes a socket that an earlier daemon left there.
    ///
    /// Only the daemon that holds the state directory calls this, so two daemons of one state never run it at once.
    ///
    /// - Parameter option: The option that names the path, for messages.
    /// - Throws: If the path is too long, other users can write the directory, another program accepts connections
    ///   there, or the file is not a socket.
    package static func prepare(
        _ path: String, allowInsecurePermissions: Bool, option: String = "--socket"
    ) throws(SystemError) {
        guard path.utf8.count <= UnixSocket.longestPath else {
            throw SystemError(
                "\(path): too long for a socket: \(path.utf8.count) bytes of at most \(UnixSocket.longestPath); "
                    + "give a shorter one with \(option)", .usage)
        }
        let directory = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
        if mkdir(directory, 0o700) != 0, errno != EEXIST {
            throw SystemError("\(directory): cannot make the runtime directory: \(ErrorText.last)", .ofErrno)
        }
        if !allowInsecurePermissions { try refuseIfOthersCanReplace(directory, option) }
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFSOCK else {
            throw SystemError("\(path): is no socket; remove it, or give another path with \(option)", .usage)
        }
        if UnixSocket.isServed(path) {
            throw SystemError(
                "\(path): another daemon answers there; give this one another path with \(option)", .inUse)
        }
        if unlink(path) != 0, errno != ENOENT {
            throw SystemError("\(path): cannot remove the socket of a former run: \(ErrorText.last)", .ofErrno)
        }
    }

    /// Restricts connections to this user.
    package static func close(toOthers path: String) throws(SystemError) {
        guard chmod(path, 0o600) == 0 else {
            throw SystemError("\(path): cannot set the mode of the socket: \(ErrorText.last)", .ofErrno)
        }
    }

    /// Lets every user connect who can reach the path. The socket of a proxy is such: its directory decides.
    package static func open(toAll path: String) { chmod(path, 0o666) }

    /// Users who can write the directory could replace the socket by their own. A directory with the sticky bit, such as `/tmp`, is
    /// safe.
    private static func refuseIfOthersCanReplace(_ directory: String, _ option: String) throws(SystemError) {
        var status = stat()
        guard stat(directory, &status) == 0 else {
            throw SystemError("\(directory): \(ErrorText.last)", .ofErrno)
        }
        if status.st_mode & 0o002 != 0, status.st_mode & S_ISVTX == 0 {
            throw SystemError(
                "\(directory): other users can write it, and so replace the socket; run 'chmod o-w \(directory)', "
                    + "or give another path with \(option)", .permission)
        }
        if status.st_uid != 0, status.st_uid != geteuid() {
            throw SystemError(
                "\(directory): it belongs to another user (id \(status.st_uid)); give another path with \(option)",
                .permission)
        }
    }
}

extension SystemError {
    /// There is no path for a control socket.
    package static let noSocket = SystemError("no path for the control socket: give one with --socket", .io)
}
