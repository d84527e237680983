internal import Glibc

/// Writes a tar archive that is readable by its owner only.
package struct TarWriter: ~Copyable {
    private let path: String
    private let descriptor: CInt
    /// How many bytes of the content of the present member are missing.
    private var missing = 0
    private var size = 0

    /// Creates the file, which must not exist yet.
    package init(creating path: String) throws(SystemError) {
        self.path = path
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw SystemError("\(path): cannot be made: \(ErrorText.last)", .ofErrno) }
    }

    deinit { close(descriptor) }

    /// Begins a member. The content of a file follows by ``write(_:)``.
    package mutating func begin(_ entry: TarEntry) throws(SystemError) {
        try put(TarHeader.encode(entry))
        guard case .file(let size) = entry.kind else { return }
        (missing, self.size) = (size, size)
    }

    /// Adds to the content of the present member; what is more than its size is left out.
    package mutating func write(_ bytes: ArraySlice<UInt8>) throws(SystemError) {
        let part = bytes.prefix(missing)
        try put(Array(part))
        missing -= part.count
    }

    /// How many bytes of the content of the present member are missing.
    package var missingBytes: Int { missing }

    /// Ends the content of a file.
    package mutating func end() throws(SystemError) { try put(TarHeader.padding(after: size)) }

    /// Ends the archive, and flushes it to the disk.
    package func finish() throws(SystemError) {
        try put([UInt8](repeating: 0, count: 2 * TarHeader.blockSize))
        guard fsync(descriptor) == 0 else { throw SystemError("\(path): cannot be written: \(ErrorText.last)", .io) }
    }

    private func put(_ bytes: [UInt8]) throws(SystemError) {
        let number = FileBytes.write(bytes, to: descriptor)
        guard number == 0 else { throw SystemError("\(path): cannot be written: \(ErrorText.of(number))", .io) }
    }
}
