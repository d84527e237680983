internal import CFileTools
internal import Glibc

/// A file that was read, to be replaced as a whole by another content: at any moment there is one or the other, whole.
///
/// The new content is written beside the file under a name that nobody reads, brought to the disk, and given the mode, the
/// owner and the extended attributes of the file as far as the rights suffice. Then the two change places, so that what was
/// replaced can be looked at: if it is not what was read, because another program wrote meanwhile, they change back. Of a program
/// that keeps the file open for writing the same is assumed. Two replacements in one directory wait for each other, since going back
/// is safe beside other programs only if one does it at a time. Symbolic links are followed and stay.
package struct FileReplacement: Sendable {
    /// What was read.
    package let bytes: [UInt8]
    /// As it was given, for messages.
    private let shownPath: String
    /// How long another program may still have the file open for writing. One that is done may have forked a child meanwhile, which
    /// holds what was open until its exec.
    var patience = Duration.milliseconds(50)
    private let path: String
    private let stamp: FileBytes.Stamp

    /// Reads a regular file of at most `limit` bytes. Messages call it `shown`.
    package init(reading path: String, shownAs shown: String, limit: Int) throws(SystemError) {
        shownPath = shown
        guard let resolved = realpath(path, nil) else { throw SystemError("\(shown): \(errnoText())", .ofErrno) }
        self.path = String(cString: resolved)
        free(resolved)
        guard let stamp = FileBytes.stamp(self.path) else { throw SystemError("\(shown): is not a regular file", .io) }
        guard stamp.size <= limit else { throw SystemError("\(shown): is larger than \(limit) bytes", .io) }
        guard let bytes = FileBytes.read(self.path, limit: limit) else {
            throw SystemError("\(shown): \(errnoText())", .ofErrno)
        }
        // Half of an old and half of a new content is neither.
        guard FileBytes.stamp(self.path) == stamp else { throw Self.changed(shown) }
        (self.stamp, self.bytes) = (stamp, bytes)
    }

    /// Puts a new content in place of what was read.
    ///
    /// - Throws: an error of the kind `changed` if the file no longer is what was read; it keeps what the other program wrote.
    package func replace(with new: [UInt8]) throws(SystemError) {
        guard access(path, W_OK) == 0 else {
            throw SystemError("\(shownPath): cannot be written: \(errnoText())", .ofErrno)
        }
        let beside = try TemporaryFile(beside: path, shownAs: shownPath, new, mode: 0o600)
        do throws(SystemError) {
            beside.takeAttributes(of: path)
            try beside.sync()
            try beside.lockingDirectory { () throws(SystemError) in
                guard isUnchanged(path) else { throw Self.changed(shownPath) }
                try exchange(beside)
            }
        } catch {
            beside.discard()
            throw error
        }
        beside.discard()
        beside.syncDirectory()
    }

    /// Makes a file that must not be there yet.
    package static func create(_ path: String, shownAs shown: String, _ bytes: [UInt8]) throws(SystemError) {
        let beside = try TemporaryFile(beside: path, shownAs: shown, bytes, mode: 0o666)
        defer { beside.discard() }
        try beside.sync()
        guard link(beside.path, path) == 0 else {
            if errno == EEXIST { throw changed(shown) }
            throw SystemError("\(shown): cannot be made: \(errnoText())", .ofErrno)
        }
        beside.syncDirectory()
    }

    /// Afterwards the name of `beside` leads to what is to go.
    private func exchange(_ beside: borrowing TemporaryFile) throws(SystemError) {
        let exchanging: UInt32 = 2  // RENAME_EXCHANGE
        func swap() -> Bool { renameat2(AT_FDCWD, beside.path, AT_FDCWD, path, exchanging) == 0 }
        guard swap() else {
            if errno == ENOENT { throw Self.changed(shownPath) }
            // A file system that cannot exchange: what is written between the last look and now is lost.
            guard errno == EINVAL || errno == ENOSYS, rename(beside.path, path) == 0 else {
                throw SystemError("\(shownPath): cannot be replaced: \(errnoText())", .ofErrno)
            }
            return
        }
        // In this order: once nobody has it open, nobody can write it after the look.
        if !isBeingWritten(beside.path), isUnchanged(beside.path) { return }
        // Back. If somebody has replaced the new content meanwhile, theirs is the newest and stays.
        if swap(), FileBytes.stamp(beside.path)?.inode != beside.inode { _ = swap() }
        throw Self.changed(shownPath)
    }

    private func isUnchanged(_ place: String) -> Bool {
        FileBytes.stamp(place) == stamp && FileBytes.read(place, limit: stamp.size) == bytes
    }

    /// Whether another program keeps the file open for writing, as far as a lease tells (fcntl(2), F_SETLEASE).
    private func isBeingWritten(_ place: String) -> Bool {
        let (setLease, unlock) = (Int32(1024), Int32(F_UNLCK))
        let descriptor = open(place, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        let end = ContinuousClock.now + patience
        while fcntl(descriptor, setLease, Int32(F_RDLCK)) != 0 {
            guard errno == EAGAIN else { return false }
            guard ContinuousClock.now < end else { return true }
            usleep(1_000)
        }
        _ = fcntl(descriptor, setLease, unlock)
        return false
    }

    private static func changed(_ path: String) -> SystemError {
        SystemError("\(path): changed by another program meanwhile, nothing was overwritten", .changed)
    }
}
