internal import Glibc

/// Reads a tar archive member by member. Nothing in it is trusted: a size beyond the end of the file, a member that is
/// neither file, directory nor symbolic link, and a header that is damaged are refused.
package struct TarReader: ~Copyable {
    private let descriptor: CInt
    private let size: Int
    private var offset = 0
    /// Where the content of the present member begins, and its size.
    private var content = 0..<0

    /// The largest extended header.
    private static let largestHeader = 65_536
    private static let part = 65_536

    /// Opens the archive.
    package init(_ path: String) throws(SystemError) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { throw SystemError("\(path): cannot be read: \(ErrorText.last)", .ofErrno) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw SystemError("\(path): is not a regular file", .io)
        }
        size = Int(status.st_size)
    }

    deinit { close(descriptor) }

    /// The next member; nil at the end of the archive.
    package mutating func next() throws(TarProblem) -> TarEntry? {
        var records: [String: String] = [:]
        while let header = try TarHeader.decode(try take(TarHeader.blockSize)) {
            switch header.type {
            case UInt8(ascii: "x"):
                guard header.size <= Self.largestHeader else {
                    throw TarProblem(text: "has an extended header that is too large")
                }
                records = try TarHeader.records(try take(header.size))
                try skip(TarHeader.padding(after: header.size).count)
            case UInt8(ascii: "g"):
                // Comments and the like of other programs.
                try skip(header.size + TarHeader.padding(after: header.size).count)
            default: return try entry(header, records)
            }
        }
        return nil
    }

    /// Passes the content of the present member to `body`, part by part.
    package func content(_ body: (ArraySlice<UInt8>) throws -> Void) throws {
        var place = content.lowerBound
        while place < content.upperBound {
            let bytes = try read(min(Self.part, content.upperBound - place), at: place)
            try body(bytes[...])
            place += bytes.count
        }
    }

    private mutating func entry(_ header: TarHeader.Block, _ records: [String: String]) throws(TarProblem) -> TarEntry {
        var path = records["path"] ?? header.path
        var length = header.size
        if let text = records["size"] {
            guard let number = Int(text), number >= 0 else {
                throw TarProblem(text: "is damaged: '\(path)' has no size")
            }
            length = number
        }
        let kind: TarEntry.Kind
        switch header.type {
        case UInt8(ascii: "0"), UInt8(ascii: "7"), 0: kind = .file(size: length)
        case UInt8(ascii: "5"): (kind, length) = (.directory, 0)
        case UInt8(ascii: "2"): (kind, length) = (.link(to: records["linkpath"] ?? header.link), 0)
        default: throw TarProblem(text: "has a member that is \(Self.name(ofType: header.type)): '\(path)'")
        }
        guard length <= size - offset else {
            throw TarProblem(text: "is cut off: '\(path)' has \(length) bytes, and \(size - offset) follow")
        }
        if kind == .directory, path.hasSuffix("/") { path.removeLast() }
        content = offset..<(offset + length)
        try skip(min(length + TarHeader.padding(after: length).count, size - offset))
        return TarEntry(path: path, kind: kind, mode: header.mode, modified: header.modified)
    }

    private mutating func take(_ count: Int) throws(TarProblem) -> [UInt8] {
        let bytes = try read(count, at: offset)
        offset += count
        return bytes
    }

    private mutating func skip(_ count: Int) throws(TarProblem) {
        guard count <= size - offset else { throw TarProblem(text: "is cut off after \(size) bytes") }
        offset += count
    }

    private func read(_ count: Int, at place: Int) throws(TarProblem) -> [UInt8] {
        guard count <= size - place else { throw TarProblem(text: "is cut off after \(size) bytes") }
        var done = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            while done < count, let base = buffer.baseAddress {
                let number = pread(descriptor, base + done, count - done, off_t(place + done))
                if number < 0 && errno == EINTR { continue }
                guard number > 0 else { break }
                done += number
            }
            initialized = done
        }
        guard done == count else { throw TarProblem(text: "cannot be read: \(ErrorText.last)") }
        return bytes
    }

    private static func name(ofType type: UInt8) -> String {
        switch type {
        case UInt8(ascii: "1"): "a hard link"
        case UInt8(ascii: "3"), UInt8(ascii: "4"): "a device"
        case UInt8(ascii: "6"): "a named pipe"
        default: "of a kind that is not restored"
        }
    }
}
