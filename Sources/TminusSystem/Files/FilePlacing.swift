internal import Glibc

/// Gives files their names, and takes them away.
package enum FilePlacing {
    /// Renames a flushed file to its final name, so that at any moment the name leads to a whole file, and flushes the
    /// directory. Without `replaces`, a file that is there stays, and an error is thrown.
    package static func place(_ draft: String, at target: String, replaces: Bool) throws(SystemError) {
        if !replaces {
            if link(draft, target) == 0 {
                unlink(draft)
                return ParentDirectory.sync(ParentDirectory.of(target))
            }
            guard errno != EEXIST else { throw SystemError("\(target): is there already", .io) }
            // Some file systems have no hard links; there a file that appears at this very moment is replaced.
        }
        try move(draft, to: target)
    }

    /// Renames a file or directory on the same file system, and flushes the directory of the new name.
    package static func move(_ path: String, to target: String) throws(SystemError) {
        guard rename(path, target) == 0 else {
            let hint = errno == EBUSY ? "; it is a mount point" : ""
            throw SystemError("\(path): cannot be renamed to \(target): \(ErrorText.last)\(hint)", .ofErrno)
        }
        ParentDirectory.sync(ParentDirectory.of(target))
    }

    /// Removes a file, if it is there.
    package static func remove(_ path: String) { unlink(path) }

    /// Takes all bytes out of a file, if it is there.
    package static func empty(_ path: String) { truncate(path, 0) }

    /// Removes a directory with all that is in it, without following links.
    package static func removeTree(_ path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFDIR else { return remove(path) }
        chmod(path, 0o700)
        for case let name? in (try? DirectoryNames.of(path)) ?? [] { removeTree("\(path)/\(name)") }
        rmdir(path)
    }

    /// Whether something has this name; a link counts even if it leads nowhere.
    package static func isTaken(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    /// The size of a file in bytes; nil if it cannot be looked up.
    package static func size(of path: String) -> UInt64? {
        var status = stat()
        return stat(path, &status) == 0 ? UInt64(clamping: status.st_size) : nil
    }
}
