internal import Glibc

/// The file of a Unix-domain socket: whether it can be one, and that nobody else's stands in its place.
package enum ControlSocketFile {
    /// The longest path that a socket can have on Linux: `sun_path` without its end (unix(7)).
    package static let longestPath = 107

    /// Makes the directory of `path` if it is missing, and removes a socket there that nobody serves any more.
    ///
    /// Errors: a path that is too long, a directory that others can write, another program that answers there, a file that is no
    /// socket. Called by who holds the state directory, so that no two daemons of one state come here at once.
    package static func prepare(_ path: String, allowInsecurePermissions: Bool) throws(SystemError) {
        guard path.utf8.count <= longestPath else {
            throw SystemError(
                "\(path): too long for a socket: \(path.utf8.count) bytes of at most \(longestPath); "
                    + "give a shorter one with --socket", .io)
        }
        let directory = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
        if mkdir(directory, 0o700) != 0, errno != EEXIST {
            throw SystemError("\(directory): cannot make the runtime directory: \(errnoText())", .ofErrno)
        }
        if !allowInsecurePermissions { try refuseIfOthersCanReplace(directory) }
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFSOCK else {
            throw SystemError("\(path): is no socket; remove it, or give another path with --socket", .io)
        }
        if isServed(path) {
            throw SystemError(
                "\(path): another daemon answers there; give this one another path with --socket", .inUse)
        }
        if unlink(path) != 0, errno != ENOENT {
            throw SystemError("\(path): cannot remove the socket of a former run: \(errnoText())", .ofErrno)
        }
    }

    /// Lets nobody but this user connect.
    package static func close(toOthers path: String) throws(SystemError) {
        guard chmod(path, 0o600) == 0 else {
            throw SystemError("\(path): cannot set the mode of the socket: \(errnoText())", .ofErrno)
        }
    }

    /// Which file a socket is, to notice when it is no longer at its path.
    package struct Identity: Sendable {
        private let path: String
        private let device: dev_t
        private let inode: ino_t

        /// Of the file that is at `path` now; nil if there is none.
        package init?(of path: String) {
            var status = stat()
            guard lstat(path, &status) == 0 else { return nil }
            (self.path, device, inode) = (path, status.st_dev, status.st_ino)
        }

        /// Whether it is still there.
        package var isInPlace: Bool {
            var status = stat()
            return lstat(path, &status) == 0 && status.st_dev == device && status.st_ino == inode
        }
    }

    /// Whether a program accepts connections at `path`.
    static func isServed(_ path: String) -> Bool {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { _ = Glibc.close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let length = socklen_t(MemoryLayout<sockaddr_un>.size)
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, length) } == 0
        }
    }

    /// Whoever can write the directory could put a socket of their own in the place of this one. A sticky one, such as `/tmp`, is
    /// in order.
    private static func refuseIfOthersCanReplace(_ directory: String) throws(SystemError) {
        var status = stat()
        guard stat(directory, &status) == 0 else {
            throw SystemError("\(directory): \(errnoText())", .ofErrno)
        }
        if status.st_mode & 0o002 != 0, status.st_mode & S_ISVTX == 0 {
            throw SystemError(
                "\(directory): other users can write it, and so replace the control socket; run 'chmod o-w \(directory)', "
                    + "or give another path with --socket", .permission)
        }
        if status.st_uid != 0, status.st_uid != geteuid() {
            throw SystemError(
                "\(directory): it belongs to another user (id \(status.st_uid)); give another path with --socket",
                .permission)
        }
    }
}

extension SystemError {
    /// There is no path for a control socket.
    package static let noSocket = SystemError("no path for the control socket: give one with --socket", .io)
}
