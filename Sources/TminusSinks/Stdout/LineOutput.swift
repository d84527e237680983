import Glibc
import Synchronization
import TminusCore
import TminusSystem

/// Writes whole lines to a descriptor that other processes share and that may have no reader.
///
/// The descriptor stays blocking, because O_NONBLOCK would also hold for the shell that shares it. Instead each write has at most
/// PIPE_BUF bytes (pipe(7)) and follows a poll(2) that found room for it.
final class LineOutput: Sendable {
    /// Standard output, one for the process: lines of different sinks do not interleave.
    static let standard = LineOutput(descriptor: STDOUT_FILENO)

    private let descriptor: CInt
    private let queue = BlockingQueue(label: "tminus.stdout")
    /// The rest of a line whose delivery was cancelled half-way. It is written before the next line, so that lines stay whole. Used
    /// on the queue only.
    private let unfinished = Mutex<[UInt8]>([])

    /// Lines to an open descriptor.
    init(descriptor: CInt) {
        self.descriptor = descriptor
    }

    /// Writes one line, given with its line break.
    func write(_ line: [UInt8]) async throws(DeliveryError) {
        try await queue.run { [self] ticket throws(DeliveryError) in try write(line, ticket) }
    }

    private func write(_ line: [UInt8], _ ticket: Ticket<Void>) throws(DeliveryError) {
        let rest = unfinished.withLock { rest in
            defer { rest = [] }
            return rest
        }
        let bytes = rest + line
        var sent = 0
        while sent < bytes.count {
            if ticket.isOver {
                unfinished.withLock { $0 = Array(sent <= rest.count ? rest[sent...] : bytes[sent...]) }
                throw .stopped
            }
            guard try hasRoom() else { continue }
            let count = bytes.withUnsafeBytes { buffer in
                Glibc.write(descriptor, buffer.baseAddress.map { $0 + sent }, min(Int(PIPE_BUF), bytes.count - sent))
            }
            if count >= 0 {
                sent += count
            } else if errno != EINTR && errno != EAGAIN {
                throw failure(errno)
            }
        }
    }

    private func hasRoom() throws(DeliveryError) -> Bool {
        var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        // Short, because a cancellation is noticed only between two calls. While there is room, poll(2) returns at once.
        let count = poll(&request, 1, 50)
        if count < 0, errno != EINTR { throw failure(errno) }
        guard count > 0 else { return false }
        if request.revents & Int16(POLLNVAL) != 0 { throw failure(EBADF) }
        if request.revents & Int16(POLLERR) != 0 { throw failure(EPIPE) }
        return true
    }

    private func failure(_ number: CInt) -> DeliveryError {
        .transient(
            number == EPIPE || number == EBADF
                ? "standard output is closed" : "standard output: \(ErrorText.of(number))")
    }
}
