internal import Glibc

/// The exclusive lock of a daemon on its state directory, held for as long as the value lives.
///
/// It is an flock(2) on the file `tminus.lock`, which holds the process id of the owner and the path of its control
/// socket (``Record``). The kernel releases the lock when the process ends, however it ends, so a stale lock is
/// impossible.
package struct StateLock: ~Copyable {
    private let descriptor: Int32

    /// Takes the lock of `directory`, which is created with mode 0700 if it is missing.
    package init(directory: String, allowInsecurePermissions: Bool) throws(SystemError) {
        descriptor = try Self.acquire(directory, allowInsecurePermissions)
    }

    deinit { close(descriptor) }

    /// The content of the lock file; for use only while the lock is held.
    package var record: Record { Record(descriptor: descriptor) }

    /// Releases the lock before the end of the value's scope.
    package consuming func release() {}

    private static func acquire(_ directory: String, _ allowInsecurePermissions: Bool) throws(SystemError) -> Int32 {
        try makeDirectory(directory)
        if !allowInsecurePermissions { try Permissions.refuseIfOthersCanWrite(directory) }
        let path = "\(directory)/tminus.lock"
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            throw SystemError("\(path): cannot open the lock file: \(ErrorText.last)", .ofErrno)
        }
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            let number = errno
            if number == EINTR { continue }
            let holder = read(descriptor)
            close(descriptor)
            guard number == EWOULDBLOCK else {
                throw SystemError("\(path): cannot lock the file: \(ErrorText.of(number))", .io)
            }
            throw SystemError(
                "another tminus\(holder.isEmpty ? "" : " (process id \(holder))") runs on the state directory \(directory);"
                    + " stop it, or give this one another directory with --state", .inUse)
        }
        do throws(SystemError) {
            // The content of an earlier owner must not be mistaken for this owner's.
            guard ftruncate(descriptor, 0) == 0 else { throw Record.refusal }
            try Record(descriptor: descriptor).write("")
        } catch {
            close(descriptor)
            throw SystemError("\(path): \(error)", .io)
        }
        return descriptor
    }

    private static func read(_ descriptor: Int32) -> String {
        var buffer = [UInt8](repeating: 0, count: 20)
        let count = pread(descriptor, &buffer, buffer.count, 0)
        return String(decoding: buffer.prefix(max(0, count)).prefix { (48...57).contains($0) }, as: UTF8.self)
    }

    private static func makeDirectory(_ path: String) throws(SystemError) {
        var made = path.hasPrefix("/") ? "" : "."
        for part in path.split(separator: "/") {
            made += "/\(part)"
            if mkdir(made, 0o700) != 0, errno != EEXIST {
                throw SystemError("\(made): cannot make the state directory: \(ErrorText.last)", .ofErrno)
            }
        }
    }
}
