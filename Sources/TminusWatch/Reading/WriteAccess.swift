import Glibc

/// Checks that only root and the daemon's user can write definitions. A user who can write a definition runs commands
/// as the daemon's user, so no other user may write a file or replace it.
struct WriteAccess: Sendable {
    /// Whether to check at all.
    var isChecked = true
    /// The user of the daemon.
    var user = geteuid()

    /// Why the file or directory at `path` is not trusted, and the remedy; nil if only root and the user can write it.
    func objection(to status: stat, at path: RawPath) -> String? {
        guard isChecked else { return nil }
        let isDirectory = status.st_mode & S_IFMT == S_IFDIR
        let isPublic = status.st_mode & S_IWOTH != 0
        // In a sticky directory other users cannot remove or replace a file (unlink(2), rename(2)).
        if isPublic, !isDirectory || status.st_mode & S_ISVTX == 0 {
            let what = isDirectory ? "its directory" : "it"
            return "every user of this machine can write \(what); run 'chmod o-w \(path.shown)' "
                + "or start with --insecure-permissions"
        }
        if status.st_uid != 0, status.st_uid != user {
            let what = isDirectory ? "its directory" : "it"
            return "\(what) belongs to another user (id \(status.st_uid)); run 'chown \(user) \(path.shown)' "
                + "or start with --insecure-permissions"
        }
        return nil
    }

    /// As above, for the directory that holds `path`; nil if there is none.
    func objection(toHolderOf path: RawPath) -> String? {
        guard isChecked else { return nil }
        var status = stat()
        let holder = path.parent
        return holder.withCString { stat($0, &status) } == 0 ? objection(to: status, at: holder) : nil
    }

    /// As above, for the directory that holds the target of the symbolic link `path`.
    func objection(toTargetOf path: RawPath) -> String? {
        guard isChecked, let target = path.resolved else { return nil }
        return objection(toHolderOf: target)
    }
}
