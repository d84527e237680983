import Glibc
import Synchronization
import TminusCore
import TminusSystem

/// The file that is at a path now, open and locked, even if logrotate has replaced it.
final class PayloadPlace: Sendable {
    /// An open file.
    struct Open: Sendable {
        let descriptor: CInt
        /// When its first payload was fired, or when it was opened if that is unknown; nil before the first request.
        var began: Timestamp?
    }

    private let path: String
    private let isSynced: Bool
    /// Touched by one thread at a time.
    private let file = Mutex<Open?>(nil)

    /// The file at an absolute path.
    init(path: String, isSynced: Bool) {
        self.path = path
        self.isSynced = isSynced
    }

    /// Opens the file if necessary, and locks it. The caller unlocks it.
    func locked() throws(DeliveryError) -> CInt {
        // The file can be moved away between open and lock, but not every time.
        for _ in 0..<100 {
            let file = try opened()
            while flock(file, LOCK_EX) != 0 {
                guard errno == EINTR else { throw failure(errno) }
            }
            if isAtPath(file) { return file }
            forget()
        }
        throw .transient("'\(path)' is replaced all the time")
    }

    /// When the file of a locked descriptor began; `now` if that is unknown.
    func began(now: Timestamp) -> Timestamp {
        file.withLock { file in
            guard let descriptor = file?.descriptor else { return now }
            if let began = file?.began { return began }
            let began = PayloadTail(descriptor: descriptor, path: path).firstFired ?? now
            file?.began = began
            return began
        }
    }

    /// Closes the file.
    func forget() {
        let descriptor = file.withLock { file in
            defer { file = nil }
            return file?.descriptor
        }
        if let descriptor { Glibc.close(descriptor) }
    }

    /// The error for an error number.
    func failure(_ number: CInt) -> DeliveryError {
        switch number {
        case ENOENT, ENOTDIR:
            .transient(
                "'\(path)' cannot be made: the directory '\(ParentDirectory.of(path))' does not exist; make it")
        case EISDIR, ENXIO:
            .transient("'\(path)' is not a regular file")
        case ELOOP, ENAMETOOLONG:
            .permanent("'\(path)' cannot be written: \(ErrorText.of(number))")
        default:
            .transient("'\(path)' cannot be written: \(ErrorText.of(number))")
        }
    }

    private func opened() throws(DeliveryError) -> CInt {
        if let known = file.withLock({ $0?.descriptor }) {
            if isAtPath(known) { return known }
            forget()
        }
        // Non-blocking, because opening a FIFO would wait for its other end.
        let flags = O_RDWR | O_APPEND | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
        var descriptor = open(path, flags)
        if descriptor < 0 && errno == ENOENT {
            descriptor = open(path, flags | O_CREAT, 0o600)
            if descriptor >= 0 && isSynced { ParentDirectory.sync(ParentDirectory.of(path)) }
        }
        guard descriptor >= 0 else { throw failure(errno) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            Glibc.close(descriptor)
            throw .transient("'\(path)' is not a regular file")
        }
        let opened = descriptor
        file.withLock { $0 = Open(descriptor: opened) }
        return opened
    }

    private func isAtPath(_ descriptor: CInt) -> Bool {
        let identity = FileIdentity(descriptor: descriptor)
        return identity != nil && identity == FileIdentity(path)
    }
}
