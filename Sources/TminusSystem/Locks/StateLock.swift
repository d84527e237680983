internal import Glibc

/// The right to be the only daemon on a state directory, for as long as the value lives.
///
/// An flock(2) on the file `tminus.lock`, which holds the process id of its owner for people and for the message that a second
/// daemon gets, and where the owner is reached (``Record``). The kernel drops the lock with the process, however it ends, so nothing stale can stand in the way.
package struct StateLock: ~Copyable {
    private let descriptor: Int32

    /// Takes the lock of `directory`, which is made with mode 0700 if it is missing.
    package init(directory: String, allowInsecurePermissions: Bool) throws(SystemError) {
        descriptor = try Self.acquire(directory, allowInsecurePermissions)
    }

    deinit { close(descriptor) }

    /// Where the owner writes how it is reached; of use for as long as the lock is held.
    package var record: Record { Record(descriptor: descriptor) }

    /// Gives the lock back; without it the end of the value's scope does.
    package consuming func release() {}

    private static func acquire(_ directory: String, _ allowInsecurePermissions: Bool) throws(SystemError) -> Int32 {
        try makeDirectory(directory)
        if !allowInsecurePermissions { try Permissions.refuseIfOthersCanWrite(directory) }
        let path = "\(directory)/tminus.lock"
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw SystemError("\(path): cannot open the lock file: \(errnoText())", .ofErrno) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let holder = read(descriptor)
            close(descriptor)
            throw SystemError(
                "another tminus\(holder.isEmpty ? "" : " (process id \(holder))") runs on the state directory \(directory);"
                    + " stop it, or give this one another directory with --state", .inUse)
        }
        do throws(SystemError) {
            // What a former owner wrote must never be taken for this one's.
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
                throw SystemError("\(made): cannot make the state directory: \(errnoText())", .ofErrno)
            }
        }
    }
}
