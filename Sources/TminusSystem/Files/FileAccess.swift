internal import Glibc

/// The owner and the mode of a file (stat(2)), and who may read and write it by them.
package struct FileAccess: Sendable, Hashable {
    /// The id of the owner.
    package var owner: UInt32
    /// The permission bits, with the sticky bit.
    package var mode: UInt32
    /// Whether it is a directory.
    package var isDirectory: Bool

    /// The given owner and mode.
    package init(owner: UInt32, mode: UInt32, isDirectory: Bool = false) {
        self.owner = owner
        self.mode = mode & 0o7777
        self.isDirectory = isDirectory
    }

    /// Those of the file at `path`, with symbolic links followed; nil if it cannot be looked up.
    package init?(at path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(owner: status.st_uid, mode: status.st_mode, isDirectory: status.st_mode & S_IFMT == S_IFDIR)
    }

    /// Whether every user may write the file, or replace what is in the directory. In a directory with the sticky bit they
    /// cannot (unlink(2), rename(2)).
    package var isWritableByAll: Bool { mode & 0o002 != 0 && !(isDirectory && mode & 0o1000 != 0) }
    /// Whether every user may read it.
    package var isReadableByAll: Bool { mode & 0o004 != 0 }

    /// Whether this process may write in a directory or a file (access(2)).
    package static func isWritable(_ path: String) -> Bool { access(path, W_OK) == 0 }
}
