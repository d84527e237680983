import Dispatch
import Glibc

/// A named pipe that commands write to: what they say arrives here, and that all of them are gone.
final class Fifo: Sendable {
    struct SaidNothing: Error {}

    private let path: String
    private let descriptor: CInt

    init(at path: String) throws {
        guard mkfifo(path, 0o600) == 0 else { throw SaidNothing() }
        self.path = path
        // Does not wait for a writer, and is there before the first one.
        descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    }

    deinit { close(descriptor) }

    /// The next words of a command.
    func words() async throws -> String {
        let bytes = await next()
        guard !bytes.isEmpty else { throw SaidNothing() }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Waits until no process has the pipe open any more; false if one still has it after ten minutes.
    func isAbandoned() async -> Bool {
        // The end of a pipe that never had a writer is not reported, and a command may be ended before it opens it.
        close(open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC))
        var bytes: [UInt8]
        repeat { bytes = await next() } while !bytes.isEmpty
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&request, 1, 0) == 1 && request.revents & Int16(POLLHUP) != 0
    }

    /// What comes next; nothing at the end, or when ten minutes have passed, which only keeps a test from hanging.
    private func next() async -> [UInt8] {
        await withCheckedContinuation { continuation in
            DispatchQueue(label: "blocking").async {
                var request = pollfd(fd: self.descriptor, events: Int16(POLLIN), revents: 0)
                var buffer = [UInt8](repeating: 0, count: 512)
                let count = poll(&request, 1, 600_000) == 1 ? read(self.descriptor, &buffer, buffer.count) : 0
                continuation.resume(returning: Array(buffer.prefix(max(0, count))))
            }
        }
    }
}
