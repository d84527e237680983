internal import CPlatform
internal import Glibc

/// Replaces the content of a file that was read. At any moment the path leads to the whole old or the whole new
/// content.
///
/// The new content is written to a hidden file in the same directory, flushed to disk, and given the mode, the owner
/// and the extended attributes of the old file as far as permissions allow. Then the two files change places, and the
/// replaced one is compared with what was read. If it differs, another program wrote meanwhile, and they change back. A
/// program that keeps the file open for writing counts as one that wrote. Two replacements in one directory wait for
/// each other, because changing back is safe only for one at a time. Symbolic links are followed and stay.
package struct FileReplacement: Sendable {
    /// What was read.
    package let bytes: [UInt8]
    /// The path as the user wrote it, for messages.
    private let shownPath: String
    /// How long another program may still have the file open for writing. A program that has closed it may have forked
    /// a child, which keeps the file open until its exec.
    var patience = Duration.milliseconds(50)
    private let path: String
    private let stamp: FileBytes.Stamp

    /// Reads a regular file of at most `limit` bytes. Messages call it `shown`.
    package init(reading path: String, shownAs shown: String, limit: Int) throws(SystemError) {
        shownPath = shown
        guard let resolved = realpath(path, nil) else { throw SystemError("\(shown): \(ErrorText.last)", .ofErrno) }
        self.path = String(cString: resolved)
        free(resolved)
        let stamp: FileBytes.Stamp
        let bytes: [UInt8]
        do throws(FileBytes.Problem) {
            stamp = try FileBytes.Stamp(of: self.path)
            bytes = try FileBytes.content(of: self.path, limit: limit)
        } catch {
            switch error {
            case .failed(let number): throw SystemError("\(shown): \(ErrorText.of(number))", .of(number))
            case .notRegular: throw SystemError("\(shown): is not a regular file", .io)
            case .tooLarge: throw SystemError("\(shown): is larger than \(limit) bytes", .io)
            }
        }
        // Otherwise the bytes may be half old and half new.
        guard FileBytes.stamp(self.path) == stamp else { throw Self.changed(shown) }
        (self.stamp, self.bytes) = (stamp, bytes)
    }

    /// Replaces the content that was read.
    ///
    /// - Throws: An error of the kind `changed` if another program has changed the file; its content stays.
    package func replace(with new: [UInt8]) throws(SystemError) {
        guard access(path, W_OK) == 0 else {
            throw SystemError("\(shownPath): cannot be written: \(ErrorText.last)", .ofErrno)
        }
        let beside = try TemporaryFile(beside: path, shownAs: shownPath, new, mode: 0o600)
        do throws(SystemError) {
            beside.takeAttributes(of: path)
            try beside.sync()
            try beside.lockingDirectory { () throws(SystemError) in
                try requireUnchanged(path)
                try exchange(beside)
            }
        } catch {
            beside.discard()
            throw error
        }
        beside.discard()
        beside.syncDirectory()
    }

    /// Creates a file that must not exist yet, with these permission bits as far as the umask leaves them.
    ///
    /// - Parameter isDefinition: Whether it is a file of a config directory: if root makes it, those who may read its
    ///   directory may read it.
    package static func create(
        _ path: String, shownAs shown: String, _ bytes: [UInt8], mode: UInt32 = 0o666, isDefinition: Bool = false
    ) throws(SystemError) {
        let beside = try TemporaryFile(beside: path, shownAs: shown, bytes, mode: mode)
        defer { beside.discard() }
        if isDefinition { beside.openToReadersOfDirectory() }
        try beside.sync()
        guard link(beside.path, path) == 0 else {
            if errno == EEXIST { throw changed(shown) }
            throw SystemError("\(shown): cannot be made: \(ErrorText.last)", .ofErrno)
        }
        beside.syncDirectory()
    }

    /// Afterwards the path of `beside` leads to the content to be removed.
    private func exchange(_ beside: borrowing TemporaryFile) throws(SystemError) {
        func swap() -> Bool { tminus_exchange(beside.path, path) == 0 }
        guard swap() else {
            if errno == ENOENT { throw Self.changed(shownPath) }
            // The file system cannot exchange files. What another program wrote since the last comparison is lost.
            guard errno == EINVAL || errno == ENOSYS, rename(beside.path, path) == 0 else {
                throw SystemError("\(shownPath): cannot be replaced: \(ErrorText.last)", .ofErrno)
            }
            return
        }
        do throws(SystemError) {
            // In this order: when no program has the file open, none can write it after the comparison.
            if isBeingWritten(beside.path) { throw Self.changed(shownPath) }
            try requireUnchanged(beside.path)
        } catch {
            // Change back. If another program has replaced the new content meanwhile, its content is the newest and stays.
            if swap(), FileIdentity(beside.path) != beside.identity { _ = swap() }
            throw error
        }
    }

    /// Throws if the content of a place is not what was read, or if it cannot be compared.
    private func requireUnchanged(_ place: String) throws(SystemError) {
        do throws(FileBytes.Problem) {
            if try FileBytes.Stamp(of: place) == stamp, try FileBytes.content(of: place, limit: stamp.size) == bytes {
                return
            }
        } catch {
            if case .failed(let number) = error, number != ENOENT {
                throw SystemError("\(shownPath): cannot be read again: \(ErrorText.of(number))", .of(number))
            }
        }
        throw Self.changed(shownPath)
    }

    /// Whether another program has the file open for writing, as far as a lease can detect it (fcntl(2), F_SETLEASE).
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
