import Glibc
import Synchronization
import TminusCore

/// A file to which several writers append whole lines, also of other processes.
///
/// Whoever appends holds flock(2) on the file. Under it the end of the file is always the end of a line: a line that a
/// killed writer left unfinished is removed by the next one, and a line that does not fit on the disk is taken back.
final class PayloadFile: Sendable {
    private let path: String
    private let isSynced: Bool
    private let queue = BlockingQueue(label: "tminus.webhook-file")
    /// -1: not open. Touched on the queue only.
    private let descriptor = Mutex<CInt>(-1)

    /// A file that is opened with the first line.
    init(path: String, isSynced: Bool) {
        self.path = path
        self.isSynced = isSynced
    }

    /// Appends one line, given with its line break, whole or not at all.
    func append(_ line: [UInt8]) async throws(DeliveryError) {
        try await queue.run { [self] ticket in
            do throws(DeliveryError) {
                try append(line, ticket)
                return .success(())
            } catch {
                return .failure(error)
            }
        }
    }

    /// Closes the file after the last line. Who asks is not kept waiting for a call that blocks on the file: it may never end.
    func close() async {
        guard !queue.isBusy else { return queue.enqueue { [self] in forget() } }
        try? await queue.run { [self] _ in
            forget()
            return .success(())
        }
    }

    private func append(_ line: [UInt8], _ ticket: BlockingQueue.Ticket) throws(DeliveryError) {
        let file = try lockedFile()
        defer { flock(file, LOCK_UN) }
        // Waiting for the lock can take any time; by now the delivery may have been given up.
        guard !ticket.isOver else { throw .stopped }
        let end = try PayloadTail(descriptor: file, path: path).repair()
        let start = end.needsBreak ? [UInt8(ascii: "\n")] : []
        let bytes = start + line
        var count: Int
        repeat {
            count = bytes.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
        } while count < 0 && errno == EINTR
        guard count == bytes.count else {
            // A short write tells no reason; it is the disk, a quota or a limit that is full.
            let number = count < 0 ? errno : ENOSPC
            if count > 0, ftruncate(file, end.length) != 0 {
                throw .transient("'\(path)': a part of a line could not be taken back: \(PlainText.error(errno))")
            }
            throw failure(number)
        }
        if isSynced, fdatasync(file) != 0 { throw failure(errno) }
    }

    /// The open file under its lock: the one that has the path now, also after another took its place (logrotate).
    private func lockedFile() throws(DeliveryError) -> CInt {
        // Between the opening and the lock the file can be moved away again, but not for ever.
        for _ in 0..<100 {
            let file = try openFile()
            while flock(file, LOCK_EX) != 0 {
                guard errno == EINTR else { throw failure(errno) }
            }
            if isAtPath(file) { return file }
            forget()
        }
        throw .transient("'\(path)' is replaced all the time")
    }

    private func openFile() throws(DeliveryError) -> CInt {
        let known = descriptor.withLock { $0 }
        if known >= 0 {
            if isAtPath(known) { return known }
            forget()
        }
        // Non-blocking, so that a FIFO without a reader is found out and not waited for.
        let flags = O_RDWR | O_APPEND | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
        var file = open(path, flags)
        if file < 0 && errno == ENOENT {
            file = open(path, flags | O_CREAT, 0o600)
            if file >= 0 && isSynced { syncDirectory() }
        }
        guard file >= 0 else { throw failure(errno) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            Glibc.close(file)
            throw .transient("'\(path)' is not a regular file")
        }
        descriptor.withLock { $0 = file }
        return file
    }

    private func isAtPath(_ file: CInt) -> Bool {
        var here = stat()
        var there = stat()
        return fstat(file, &here) == 0 && stat(path, &there) == 0 && here.st_dev == there.st_dev
            && here.st_ino == there.st_ino
    }

    /// The name of a new file is durable only when its directory is (fsync(2)).
    private func syncDirectory() {
        let directory = open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard directory >= 0 else { return }
        fsync(directory)
        Glibc.close(directory)
    }

    private func forget() {
        let file = descriptor.withLock { file in
            defer { file = -1 }
            return file
        }
        if file >= 0 { Glibc.close(file) }
    }

    private var parent: String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash > path.startIndex else { return "/" }
        return String(path[..<slash])
    }

    private func failure(_ number: CInt) -> DeliveryError {
        switch number {
        case ENOENT, ENOTDIR:
            // Somebody may make it, as the message asks.
            .transient("'\(path)' cannot be made: the directory '\(parent)' does not exist; make it")
        case EISDIR, ENXIO:
            .transient("'\(path)' is not a regular file")
        case ELOOP, ENAMETOOLONG:
            .permanent("'\(path)' cannot be written: \(PlainText.error(number))")
        default:
            .transient("'\(path)' cannot be written: \(PlainText.error(number))")
        }
    }
}
