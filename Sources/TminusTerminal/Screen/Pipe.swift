internal import Glibc

/// A pipe that wakes a thread which waits in poll(2).
final class Pipe: Sendable {
    let reader: CInt
    let writer: CInt

    /// A pipe of which neither end blocks and none is handed on to other programs.
    init() throws(TerminalError) {
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else { throw TerminalError("a pipe", errno: errno) }
        for end in ends {
            _ = fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        (reader, writer) = (ends[0], ends[1])
    }

    /// Makes the reading end ready. A pipe that is full is ready as it is.
    func wake() {
        var byte: UInt8 = 0
        _ = write(writer, &byte, 1)
    }

    /// What has been written since.
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
