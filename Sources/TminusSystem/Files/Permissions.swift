internal import Glibc

/// Checks of who can write definitions and state. A user who can write a definition runs commands as the daemon's user.
package enum Permissions {
    /// Whether there is anything at `path`.
    package static func exists(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0
    }

    /// Whether there is a regular file at `path`, or a link to one.
    package static func isRegularFile(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// Throws if a user other than root and this one can write `path`, by its mode or as its owner.
    package static func refuseIfOthersCanWrite(_ path: String) throws(SystemError) {
        var status = stat()
        guard stat(path, &status) == 0 else {
            throw SystemError("\(path): \(ErrorText.last)", errno == EACCES ? .permission : .io)
        }
        let remedy = "or allow it with --insecure-permissions"
        let word = ShellWord.quoted(path)
        if status.st_mode & 0o002 != 0 {
            throw SystemError(
                "\(path): every user of this machine can write it; run 'chmod o-w \(word)', \(remedy)", .permission)
        }
        if status.st_uid != 0, status.st_uid != geteuid() {
            guard path != MachinePaths.systemStateDirectory else {
                throw SystemError(
                    "\(path): it belongs to the system service; run 'systemctl start tminus', or give another directory with --state",
                    .permission)
            }
            throw SystemError(
                "\(path): it belongs to another user (id \(status.st_uid)); run 'chown \(geteuid()) \(word)', \(remedy)",
                .permission)
        }
    }
}
