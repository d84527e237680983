internal import Glibc

/// A file that is written anew. Nothing that is there is followed or replaced.
package struct NewFile: ~Copyable {
    private let path: String
    private let descriptor: CInt
    private let mode: UInt32

    /// Creates the file for its owner only; it gets its permission bits when it is finished.
    package init(_ path: String, mode: UInt32) throws(SystemError) {
        self.path = path
        self.mode = mode
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.failure(path) }
    }

    deinit { close(descriptor) }

    /// Adds bytes.
    package func write(_ bytes: ArraySlice<UInt8>) throws(SystemError) {
        let number = FileBytes.write(Array(bytes), to: descriptor)
        guard number == 0 else { throw SystemError("\(path): cannot be written: \(ErrorText.of(number))", .io) }
    }

    /// Sets the time of the last change, in seconds since the Unix epoch, and flushes the file to the disk.
    package func finish(modified: Int) throws(SystemError) {
        let time = timespec(tv_sec: modified, tv_nsec: 0)
        _ = futimens(descriptor, [time, time])
        guard fchmod(descriptor, mode) == 0, fsync(descriptor) == 0 else { throw Self.failure(path) }
    }

    /// Creates a directory for its owner only.
    package static func directory(_ path: String) throws(SystemError) {
        guard mkdir(path, 0o700) == 0 else { throw failure(path) }
    }

    /// Sets the permission bits of a directory and flushes its names to the disk.
    package static func finishDirectory(_ path: String, mode: UInt32) {
        ParentDirectory.sync(path)
        chmod(path, mode)
    }

    /// Creates a symbolic link.
    package static func link(_ path: String, to target: String) throws(SystemError) {
        guard symlink(target, path) == 0 else { throw failure(path) }
    }

    /// Gives a path, and all that is below it, the owner and group of another one, if this is root and they differ. Links
    /// are not followed.
    package static func takeOwner(of other: String, for path: String) {
        var status = stat()
        guard geteuid() == 0, stat(other, &status) == 0 else { return }
        giveTree(path, status.st_uid, status.st_gid)
    }

    private static func giveTree(_ path: String, _ user: uid_t, _ group: gid_t) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        // A change of the owner removes the bits for set-id, and nothing else.
        if status.st_uid != user || status.st_gid != group { lchown(path, user, group) }
        guard status.st_mode & S_IFMT == S_IFDIR else { return }
        for case let name? in (try? DirectoryNames.of(path)) ?? [] { giveTree("\(path)/\(name)", user, group) }
    }

    private static func failure(_ path: String) -> SystemError {
        SystemError("\(path): cannot be made: \(ErrorText.last)", .ofErrno)
    }
}
