internal import Glibc

/// Reads small files whole.
package enum FileBytes {
    /// Why a file cannot be read.
    package enum Problem: Error {
        /// A system call failed, with this `errno`.
        case failed(CInt)
        case notRegular
        case tooLarge

        /// The problem in words that follow the name of the file.
        package var text: String {
            switch self {
            case .failed(let number): ErrorText.of(number)
            case .notRegular: "not a regular file"
            case .tooLarge: "too large"
            }
        }
    }

    /// Tells two contents of a path apart without reading them.
    package struct Stamp: Equatable, Sendable {
        var identity: FileIdentity
        var size: Int
        var modified: Int
        var nanosecond: Int

        /// The stamp of the regular file at `path`, with symbolic links followed.
        package init(of path: String) throws(Problem) {
            var status = Glibc.stat()
            guard stat(path, &status) == 0 else { throw .failed(errno) }
            guard status.st_mode & S_IFMT == S_IFREG else { throw .notRegular }
            identity = FileIdentity(status)
            size = Int(status.st_size)
            modified = status.st_mtim.tv_sec
            nanosecond = status.st_mtim.tv_nsec
        }
    }

    /// The stamp of a regular file, with symbolic links followed; nil if there is none.
    static func stamp(_ path: String) -> Stamp? { try? Stamp(of: path) }

    /// The bytes of a regular file; nil if it cannot be read, or has more than `limit`.
    static func read(_ path: String, limit: Int) -> [UInt8]? { try? content(of: path, limit: limit) }

    /// The bytes of a regular file of at most `limit` bytes.
    package static func content(of path: String, limit: Int) throws(Problem) -> [UInt8] {
        // Non-blocking, because opening a named pipe would wait for its other end.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { throw .failed(errno) }
        defer { close(descriptor) }
        var status = Glibc.stat()
        guard fstat(descriptor, &status) == 0 else { throw .failed(errno) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notRegular }
        guard status.st_size <= limit else { throw .tooLarge }
        var bytes: [UInt8] = []
        while bytes.count <= limit {
            // One byte more than the limit, so that growth is noticed.
            let room = min(65_535, limit - bytes.count) + 1
            var count = 0
            let chunk = [UInt8](unsafeUninitializedCapacity: room) { buffer, initialized in
                repeat { count = Glibc.read(descriptor, buffer.baseAddress, room) } while count < 0 && errno == EINTR
                initialized = max(0, count)
            }
            if count < 0 { throw .failed(errno) }
            if count == 0 { return bytes }
            bytes += chunk
        }
        throw .tooLarge
    }

    /// The target of a symbolic link; nil if `path` is no symbolic link.
    static func link(_ path: String) -> String? {
        var length = -1
        let bytes = [UInt8](unsafeUninitializedCapacity: Int(PATH_MAX)) { buffer, count in
            length = buffer.withMemoryRebound(to: CChar.self) {
                $0.baseAddress.map { readlink(path, $0, Int(PATH_MAX)) } ?? -1
            }
            count = max(0, length)
        }
        return length < 0 ? nil : String(decoding: bytes, as: UTF8.self)
    }

    /// Writes all of `bytes` to a blocking descriptor. Returns 0 or an `errno`.
    package static func write(_ bytes: [UInt8], to descriptor: CInt) -> CInt {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return count < 0 ? errno : ENOSPC }
            rest = rest.dropFirst(count)
        }
        return 0
    }
}
