import Glibc
import Synchronization
import TminusCore

/// Writes whole lines to a descriptor that is shared with others and may have no reader.
///
/// The descriptor is never made non-blocking, because that would hold for the shell too that shares it. Instead each
/// write is at most PIPE_BUF bytes (pipe(7)) and comes after poll(2) has found room for it.
final class LineOutput: Sendable {
    /// Standard output, one for the process: lines of different sinks do not interleave.
    static let standard = LineOutput(descriptor: STDOUT_FILENO)

    private let descriptor: CInt
    private let queue = BlockingQueue(label: "tminus.stdout")
    /// The rest of a line whose delivery was given up in its midst. It is written before the next line, so that lines
    /// stay whole. Touched on the queue only.
    private let unfinished = Mutex<[UInt8]>([])

    /// Lines to an open descriptor.
    init(descriptor: CInt) {
        self.descriptor = descriptor
    }

    /// Writes one line, given with its line break.
    func write(_ line: [UInt8]) async throws(DeliveryError) {
        try await queue.run { [self] ticket in write(line, ticket) }
    }

    private func write(_ line: [UInt8], _ ticket: Ticket<Void>) -> Result<Void, DeliveryError> {
        let rest = unfinished.withLock { $0 }
        let bytes = rest + line
        var sent = 0
        while sent < bytes.count {
            if ticket.isOver {
                unfinished.withLock { $0 = Array(sent <= rest.count ? rest[sent...] : bytes[sent...]) }
                return .failure(.stopped)
            }
            switch room() {
            case .none: continue
            case .failed(let number): return fail(number)
            case .some: break
            }
            let count = bytes.withUnsafeBytes { buffer in
                Glibc.write(descriptor, buffer.baseAddress.map { $0 + sent }, min(Int(PIPE_BUF), bytes.count - sent))
            }
            if count >= 0 {
                sent += count
            } else if errno != EINTR && errno != EAGAIN {
                return fail(errno)
            }
        }
        unfinished.withLock { $0 = [] }
        return .success(())
    }

    private enum Room {
        case none
        case some
        case failed(CInt)
    }

    private func room() -> Room {
        var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        // Short, because a cancellation is seen only between two calls. Nothing polls while there is room.
        let count = poll(&request, 1, 50)
        if count < 0 { return errno == EINTR ? .none : .failed(errno) }
        if count == 0 { return .none }
        if request.revents & Int16(POLLNVAL) != 0 { return .failed(EBADF) }
        if request.revents & Int16(POLLERR) != 0 { return .failed(EPIPE) }
        return .some
    }

    private func fail(_ number: CInt) -> Result<Void, DeliveryError> {
        unfinished.withLock { $0 = [] }
        return .failure(
            .transient(
                number == EPIPE || number == EBADF
                    ? "standard output is closed" : "standard output: \(PlainText.error(number))"))
    }
}
