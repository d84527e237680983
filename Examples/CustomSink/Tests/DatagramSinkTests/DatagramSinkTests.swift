import DatagramSink
import Foundation
import Glibc
import Testing
import TminusCore
import TminusTestKit

@Suite("Datagram sink")
struct DatagramSinkTests {
    @Test("conforms", arguments: SinkConformance.checks)
    func conforms(check: SinkConformance.Check) async throws {
        let suite = SinkConformance(DatagramSink.self) {
            let reader = try Reader()
            return .init(spec: Self.spec(reader.path)) { reader.datagrams() }
        } stalledBench: {
            let reader = try Reader()
            try reader.fill()
            return .init(spec: Self.spec(reader.path)) { reader.datagrams() }
        }
        try await check.run(suite)
    }

    @Test("a reader that is not there may come later")
    func nobodyReads() async throws {
        let registry = SinkRegistry([DatagramSink.self])
        let sink = try #require(
            registry.make(Self.spec("/tmp/nobody.sock"), root: "/", reporting: DiagnosticBag(file: "test.yaml"))
        ).sink
        await #expect(throws: DeliveryError.transient("nobody reads '/tmp/nobody.sock'")) {
            try await sink.deliver(Deliveries.one())
        }
    }

    private static func spec(_ path: String) -> SinkSpec {
        let options = Node(.mapping([Node.Entry(key: "datagram", value: Node(.scalar(path)))]))
        return SinkSpec(name: nil, kind: "datagram", options: options, directory: "/")
    }
}

/// A socket for one test.
private final class Reader: Sendable {
    struct NotMade: Error { var code: CInt }

    let path = NSTemporaryDirectory() + "datagram-\(UUID().uuidString.prefix(8)).sock"
    private let descriptor: CInt

    init() throws {
        descriptor = socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard try call(bind) == 0 else { throw NotMade(code: errno) }
    }

    deinit {
        close(descriptor)
        unlink(path)
    }

    /// The datagrams received since the last call.
    func datagrams() -> [[UInt8]] {
        var all: [[UInt8]] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, CInt(MSG_DONTWAIT))
            guard count >= 0 else { return all }
            all.append(Array(buffer[..<count]))
        }
    }

    /// Fills the receive buffer.
    func fill() throws {
        let writer = socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        defer { close(writer) }
        guard try call({ connect(writer, $1, $2) }) == 0 else { throw NotMade(code: errno) }
        while send(writer, "x", 1, CInt(MSG_DONTWAIT)) == 1 {}
    }

    private func call(_ body: (CInt, UnsafePointer<sockaddr>, socklen_t) -> CInt) throws -> CInt {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        guard path.utf8.count < MemoryLayout.size(ofValue: address.sun_path) else { throw NotMade(code: ENAMETOOLONG) }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
