internal import Glibc

/// A pipe that wakes a thread waiting in poll(2).
final class Pipe: Sendable {
    /// The read end.
    let reader: CInt
    /// The write end.
    let writer: CInt

    /// Creates a pipe whose ends are non-blocking and close-on-exec.
    init() throws(TerminalError) {
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else { throw TerminalError("cannot create a pipe", errno: errno) }
        for end in ends {
            _ = fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        (reader, writer) = (ends[0], ends[1])
    }

    /// Makes the read end readable. If the pipe is full, it already is.
    func wake() {
        var byte: UInt8 = 0
        _ = write(writer, &byte, 1)
    }

    /// Reads all bytes that are waiting.
    func drain() -> [UInt8] {
        var (bytes, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 512))
        while true {
            let count = read(reader, &buffer, buffer.count)
            guard count > 0 else { return bytes }
            bytes += buffer[..<count]
        }
    }

    deinit {
        close(reader)
        close(writer)
    }
}
