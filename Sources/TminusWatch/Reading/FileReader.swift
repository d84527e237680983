import Glibc

/// Reads a whole file, and detects writes during the read.
struct FileReader: Sendable {
    /// The result of a read.
    enum Outcome: Equatable, Sendable {
        /// The whole content, and its stamp.
        case bytes([UInt8], FileStamp)
        /// The file does not exist.
        case vanished
        /// It was written or replaced during the read; try again later.
        case changing
        /// It cannot be read. `transient` means that a later read may succeed with the same stamp.
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
            // A device or a socket replaced the file after it was listed.
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

    /// The message about a file of this size.
    func tooLarge(_ size: Int64) -> String {
        "is too large (\(size) bytes, at most \(sizeLimit)): split it, or raise the limit with --max-file-size"
    }

    /// Reads one byte more than expected, so that growth is noticed. Returns an `errno`; nil at the end of the file.
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
