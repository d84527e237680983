import Dispatch
import Glibc
import TminusTestKit

/// A connection to a Unix-domain socket, byte by byte.
final class RawSocket: Sendable {
    let descriptor: CInt

    init(_ path: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        limitWaits()
        try withAddress(path) { pointer, length in
            guard connect(descriptor, pointer, length) == 0 else { throw ConformanceFailure("connect: \(errno)") }
        }
    }

    /// Connects to a port of this machine.
    init(port: Int) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        limitWaits()
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(truncatingIfNeeded: port).bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw ConformanceFailure("connect: \(errno)") }
    }

    /// Makes a socket at `path`; nobody accepts connections there after `deinit`.
    init(listeningAt path: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        try withAddress(path) { pointer, length in
            guard bind(descriptor, pointer, length) == 0, listen(descriptor, 8) == 0 else {
                throw ConformanceFailure("bind: \(errno)")
            }
        }
    }

    deinit { close(descriptor) }

    /// Writes all of it. Like the reading, on a queue of its own, which has its own thread: a global one has as many as there are cores,
    /// and shares them with the tasks of the server.
    func write(_ text: String) async throws {
        try await write(Array(text.utf8))
    }

    func write(_ bytes: [UInt8]) async throws {
        try await Self.blocking { try self.writeNow(bytes) }
    }

    /// What comes up to and with `end`, or all up to the end of the connection; with it may come some of what follows.
    func read(until end: String) async throws -> String {
        try await Self.blocking { try self.readNow(until: Array(end.utf8)) }
    }

    /// All that comes up to the end of the connection.
    func readToEnd() async throws -> String {
        try await Self.blocking { try self.readNow(until: nil) }
    }

    /// Says that nothing more will be written.
    func endWriting() { shutdown(descriptor, CInt(SHUT_WR)) }

    /// Waits until the other side has closed the connection, whatever there is left to read.
    func waitForClose() async throws {
        try await Self.blocking { [descriptor] in
            var request = pollfd(fd: descriptor, events: 0, revents: 0)
            let limit = CInt(Bounded.limit / .milliseconds(1))
            guard poll(&request, 1, limit) == 1 else { throw ConformanceFailure("the connection stays open") }
        }
    }

    /// Whether the other side has closed the connection.
    var isClosed: Bool {
        var request = pollfd(fd: descriptor, events: 0, revents: 0)
        return poll(&request, 1, 0) == 1
    }

    /// The value of work that blocks.
    static func blocking<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue(label: "blocking").async { continuation.resume(with: Result { try work() }) }
        }
    }

    /// A machine that other work keeps busy may take long to answer.
    private func limitWaits() {
        var limit = timeval(tv_sec: Int(Bounded.limit.components.seconds), tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(descriptor, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
        }
    }

    private func writeNow(_ bytes: [UInt8]) throws {
        var bytes = bytes[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL)) }
            guard count > 0 else { throw ConformanceFailure("write: \(errno)") }
            bytes = bytes.dropFirst(count)
        }
    }

    private func readNow(until end: [UInt8]?) throws -> String {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count >= 0 else {
                throw ConformanceFailure(
                    "read: \(errno); so far: \(String(decoding: bytes.suffix(200), as: UTF8.self))")
            }
            let old = bytes.count
            bytes += buffer[..<count]
            let isFound = end.map { bytes[max(0, old - $0.count)...].firstRange(of: $0) != nil } ?? false
            if count == 0 || isFound { return String(decoding: bytes, as: UTF8.self) }
        }
    }
}

private func withAddress(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) throws -> Void) throws {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    try withUnsafePointer(to: &address) { pointer in
        try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            try body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
    }
}
