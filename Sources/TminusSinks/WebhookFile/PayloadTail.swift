import Glibc
import TminusCore
import TminusSystem

/// The end of a payload file, read under its lock.
struct PayloadTail {
    /// An open file.
    let descriptor: CInt
    /// Its path, for messages.
    let path: String

    /// The end of the file before a line is appended.
    struct End {
        /// The length of the file.
        var length: off_t
        /// Whether another program's last line has no line break.
        var needsBreak = false
        /// How many bytes were removed.
        var removed = 0
    }

    /// Removes the part of a payload that a killed writer or a power cut left after the last line break.
    ///
    /// Removes only what starts like a payload, so that a file of another program keeps its last line.
    func repair() throws(DeliveryError) -> End {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure(errno) }
        let length = status.st_size
        guard length > 0, try byte(at: length - 1) != UInt8(ascii: "\n") else {
            return End(length: length)
        }
        let start = try lineStart(before: length)
        var head = try bytes(at: start, count: min(CloudEvent.prefix.count, Int(length - start)))
        // After a power cut a file can end in zeros that nobody wrote, because its length reached the disk before its content.
        while head.last == 0 { head.removeLast() }
        guard CloudEvent.prefix.starts(with: head) else { return End(length: length, needsBreak: true) }
        guard ftruncate(descriptor, start) == 0 else { throw failure(errno) }
        return End(length: start, removed: Int(length - start))
    }

    /// When the first payload of the file was fired; nil if its first line is not a payload.
    var firstFired: Timestamp? {
        let mark = Array(#""fired":""#.utf8)
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = pread(descriptor, &buffer, buffer.count, 0)
        guard count > 0, buffer.starts(with: CloudEvent.prefix) else { return nil }
        let line = buffer[..<count].prefix { $0 != UInt8(ascii: "\n") }
        // Quotes in a user's text have backslashes, so they cannot match.
        guard let start = line.indices.first(where: { line[$0...].starts(with: mark) }) else { return nil }
        let text = line[(start + mark.count)...].prefix { $0 != UInt8(ascii: "\"") }
        return Timestamp(rfc3339: String(decoding: text, as: UTF8.self))
    }

    /// The offset after the last line break before `end`; 0 if there is none.
    private func lineStart(before end: off_t) throws(DeliveryError) -> off_t {
        var end = end
        while end > 0 {
            let start = max(0, end - 65_536)
            let block = try bytes(at: start, count: Int(end - start))
            if let index = block.lastIndex(of: UInt8(ascii: "\n")) { return start + off_t(index) + 1 }
            end = start
        }
        return 0
    }

    private func byte(at offset: off_t) throws(DeliveryError) -> UInt8? {
        try bytes(at: offset, count: 1).first
    }

    private func bytes(at offset: off_t, count: Int) throws(DeliveryError) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            let read = buffer.withUnsafeMutableBytes { bytes in
                pread(descriptor, bytes.baseAddress.map { $0 + done }, count - done, offset + off_t(done))
            }
            if read < 0 && errno == EINTR { continue }
            guard read > 0 else { throw failure(read < 0 ? errno : EIO) }
            done += read
        }
        return buffer
    }

    private func failure(_ number: CInt) -> DeliveryError {
        .transient("the end of '\(path)' cannot be read or repaired: \(ErrorText.of(number))")
    }
}
