import Glibc
import Synchronization
import TminusCore

/// The file that has a path now, open and locked: also after another took its place, as logrotate does.
final class PayloadPlace: Sendable {
    /// An open file.
    struct Open: Sendable {
        let descriptor: CInt
        /// When its first payload was fired, or else when it was opened; nil: not yet asked.
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

    /// Opens the file if need be and locks it. The caller unlocks it.
    func locked() throws(DeliveryError) -> CInt {
        // Between the opening and the lock the file can be moved away again, but not for ever.
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

    /// When the file of a locked descriptor began; `now` if it does not tell.
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
            // Somebody may make it, as the message asks.
            .transient(
                "'\(path)' cannot be made: the directory '\(PayloadPath.parent(of: path))' does not exist; make it")
        case EISDIR, ENXIO:
            .transient("'\(path)' is not a regular file")
        case ELOOP, ENAMETOOLONG:
            .permanent("'\(path)' cannot be written: \(PlainText.error(number))")
        default:
            .transient("'\(path)' cannot be written: \(PlainText.error(number))")
        }
    }

    private func opened() throws(DeliveryError) -> CInt {
        if let known = file.withLock({ $0?.descriptor }) {
            if isAtPath(known) { return known }
            forget()
        }
        // Non-blocking, so that a FIFO without a reader is found out and not waited for.
        let flags = O_RDWR | O_APPEND | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
        var descriptor = open(path, flags)
        if descriptor < 0 && errno == ENOENT {
            descriptor = open(path, flags | O_CREAT, 0o600)
            if descriptor >= 0 && isSynced { PayloadPath.syncDirectory(of: path) }
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
        var here = stat()
        var there = stat()
        return fstat(descriptor, &here) == 0 && stat(path, &there) == 0 && here.st_dev == there.st_dev
            && here.st_ino == there.st_ino
    }
}

/// What names of files need.
enum PayloadPath {
    /// The directory of an absolute path.
    static func parent(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash > path.startIndex else { return "/" }
        return String(path[..<slash])
    }

    /// A name in a directory is durable only when the directory is (fsync(2)).
    static func syncDirectory(of path: String) {
        sync(directory: parent(of: path))
    }

    /// Makes the names in a directory durable.
    static func sync(directory path: String) {
        let directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard directory >= 0 else { return }
        fsync(directory)
        close(directory)
    }
}
