import Glibc

/// Reads one file whole, and only if nobody wrote to it meanwhile.
struct FileReader: Sendable {
    /// What came of a read.
    enum Outcome: Equatable, Sendable {
        /// The whole content, and the stamp that it belongs to.
        case bytes([UInt8], FileStamp)
        /// It is not there.
        case vanished
        /// It was written or replaced during the read: try later.
        case changing
        /// It cannot be read; whether a later try is worth it although the stamp stays.
        case unreadable(reason: String, transient: Bool)
    }

    /// The largest file that is read, in bytes.
    var sizeLimit: Int

    /// Reads the file at `path`. Never waits for a writer or for the other end of a pipe.
    func read(_ path: RawPath) -> Outcome {
        let descriptor = path.withCString { open($0, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY) }
        guard descriptor >= 0 else {
            let code = errno
            if code == EINTR { return .changing }
            // A device or a socket took the file's place after it was listed.
            if code == ENXIO || code == ENODEV { return .changing }
            if code == ENOENT || code == ENOTDIR { return .vanished }
            return .unreadable(reason: FailureText.reading(code), transient: true)
        }
        defer { close(descriptor) }

        var before = stat()
        guard fstat(descriptor, &before) == 0 else {
            return .unreadable(reason: FailureText.reading(errno), transient: true)
        }
        guard case .regular(let stamp) = Observation(before) else { return .changing }
        guard stamp.size <= Int64(sizeLimit) else { return .unreadable(reason: tooLarge(stamp.size), transient: false) }

        var content: [UInt8] = []
        if let failure = readToEnd(of: descriptor, expecting: Int(stamp.size), into: &content) {
            return failure == EINTR || failure == ESTALE
                ? .changing : .unreadable(reason: FailureText.reading(failure), transient: true)
        }

        var after = stat()
        var named = stat()
        guard content.count == Int(stamp.size), fstat(descriptor, &after) == 0, FileStamp(after) == stamp,
            path.withCString({ stat($0, &named) }) == 0, FileStamp(named) == stamp
        else { return .changing }
        return .bytes(content, stamp)
    }

    /// What a file of that size is told.
    func tooLarge(_ size: Int64) -> String {
        "is too large (\(size) bytes, at most \(sizeLimit)): split it, or raise the limit with --max-file-size"
    }

    /// Reads one byte more than expected, so that growth shows. Returns an `errno`, or nil when the end was reached.
    private func readToEnd(of descriptor: Int32, expecting size: Int, into content: inout [UInt8]) -> Int32? {
        var failure: Int32?
        content = [UInt8](unsafeUninitializedCapacity: size + 1) { buffer, count in
            while count < buffer.count, let base = buffer.baseAddress {
                let got = Glibc.read(descriptor, base + count, buffer.count - count)
                if got < 0, errno == EINTR { continue }
                if got < 0 { failure = errno }
                if got <= 0 { break }
                count += got
            }
        }
        return failure
    }
}
