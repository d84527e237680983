import Glibc

/// Who may write definitions. Whoever can runs commands as the user of the daemon, so nobody else may: neither write a
/// file nor put another in its place.
struct WriteAccess: Sendable {
    /// Whether it is looked at.
    var isChecked = true
    /// The user of the daemon.
    var user = geteuid()

    /// Why the file or directory at `path` is not trusted, and what to do; nil if only root and the user can write it.
    func objection(to status: stat, at path: RawPath) -> String? {
        guard isChecked else { return nil }
        let isDirectory = status.st_mode & S_IFMT == S_IFDIR
        let isPublic = status.st_mode & S_IWOTH != 0
        // In a sticky directory nobody else can remove or replace a file (unlink(2), rename(2)).
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

    /// As above for the directory that holds `path`; nil too if there is none.
    func objection(toHolderOf path: RawPath) -> String? {
        guard isChecked else { return nil }
        var status = stat()
        let holder = path.parent
        return holder.withCString { stat($0, &status) } == 0 ? objection(to: status, at: holder) : nil
    }

    /// As above for the directory that holds what the symbolic link `path` leads to.
    func objection(toTargetOf path: RawPath) -> String? {
        guard isChecked, let target = path.resolved else { return nil }
        return objection(toHolderOf: target)
    }
}
