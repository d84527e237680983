internal import Glibc

/// Reads a regular file part by part.
package struct FileReading: ~Copyable {
    private let path: String
    private let descriptor: CInt

    /// Opens the file.
    package init(_ path: String) throws(SystemError) {
        self.path = path
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { throw SystemError("\(path): cannot be read: \(ErrorText.last)", .ofErrno) }
    }

    deinit { close(descriptor) }

    /// The next bytes, at most `limit`; none at the end of the file.
    package func next(limit: Int) throws(SystemError) -> [UInt8] {
        let room = min(limit, 65_536)
        var count = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: room) { buffer, initialized in
            repeat { count = read(descriptor, buffer.baseAddress, room) } while count < 0 && errno == EINTR
            initialized = max(0, count)
        }
        guard count >= 0 else { throw SystemError("\(path): cannot be read: \(ErrorText.last)", .ofErrno) }
        return bytes
    }

    /// The error that a file became shorter while it was read.
    package static func changed(_ path: String) -> SystemError {
        SystemError("\(path): was changed while it was read; try again", .changed)
    }
}
