import Glibc

/// Reads small files whole.
enum FileBytes {
    /// Distinguishes two contents of a path without reading them.
    struct Stamp: Equatable {
        var identity: FileIdentity
        var size: Int
        var modified: Int
        var nanosecond: Int
    }

    /// The stamp of a regular file, with symbolic links followed; nil if there is none.
    static func stamp(_ path: String) -> Stamp? {
        var status = Glibc.stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Stamp(
            identity: FileIdentity(status), size: Int(status.st_size), modified: status.st_mtim.tv_sec,
            nanosecond: status.st_mtim.tv_nsec)
    }

    /// The bytes of a regular file; nil if it cannot be read, or has more than `limit`.
    static func read(_ path: String, limit: Int) -> [UInt8]? {
        // Non-blocking, because opening a named pipe would wait for its other end.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = Glibc.stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= limit else {
            return nil
        }
        var bytes: [UInt8] = []
        while bytes.count <= limit {
            let room = min(65_536, limit + 1 - bytes.count)
            var count = 0
            let chunk = [UInt8](unsafeUninitializedCapacity: room) { buffer, initialized in
                repeat { count = Glibc.read(descriptor, buffer.baseAddress, room) } while count < 0 && errno == EINTR
                initialized = max(0, count)
            }
            if count < 0 { return nil }
            if count == 0 { return bytes }
            bytes += chunk
        }
        return nil
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
}
