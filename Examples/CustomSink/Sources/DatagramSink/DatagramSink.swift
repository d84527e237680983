import Glibc
public import TminusCore

/// `datagram: ./path.sock`: sends each delivery as one datagram to a local socket (unix(7)), such as a status bar's.
public struct DatagramSink: Sink {
    public static let kind = "datagram"
    public static let options = KeyTable(
        "a datagram sink",
        [.init("datagram", .filePath, "the path of the socket to send to", isRequired: true)])

    public var maxConcurrent: Int { 4 }
    public var timeLimit: Duration { .seconds(5) }

    private let path: String

    /// Decodes and does nothing else, because `tminus check` makes sinks too.
    public init?(from reader: inout MappingReader, context: SinkContext) {
        guard let text = reader.text("datagram") else { return nil }
        path = context.resolve(text)
        // unix(7): a path has at most 107 bytes.
        guard path.utf8.count < Self.pathSize, !path.utf8.contains(0) else {
            reader.error("'datagram' must be a path of less than \(Self.pathSize) bytes", at: "datagram")
            return nil
        }
    }

    public func deliver(_ delivery: Delivery) async throws(DeliveryError) -> DeliveryReport {
        let descriptor = socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw .transient("no socket: error \(errno)") }
        defer { close(descriptor) }
        let payload = CloudEvent.json(delivery)
        // Never blocks, because all deliveries share the thread.
        let sent = withAddress { address, length in
            sendto(descriptor, payload, payload.count, CInt(MSG_DONTWAIT), address, length)
        }
        if sent == payload.count { return .empty }
        switch errno {
        case EMSGSIZE: throw .permanent("the payload of \(payload.count) bytes does not fit into a datagram")
        case EAGAIN, ENOBUFS: throw .transient("the reader of '\(path)' does not keep up")
        case ENOENT, ECONNREFUSED: throw .transient("nobody reads '\(path)'")
        default: throw .transient("'\(path)' cannot be written: error \(errno)")
        }
    }

    private static let pathSize = MemoryLayout.size(ofValue: sockaddr_un().sun_path)

    private func withAddress<Value>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Value) -> Value {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
