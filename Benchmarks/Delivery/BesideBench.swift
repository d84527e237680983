import Foundation
import TminusCore
import TminusSinks

/// How late the deliveries of a sink begin while another one, with more of them, hangs at a server that never answers.
struct BesideBench: DeliveryPart {
    let scratch: URL
    private let seconds = 5
    private let perSecond = 20

    /// The median and the 99th percentile of the lateness.
    func run() async throws -> [DeliveryFigure] {
        let silent = try SilentServer()
        defer { silent.close() }
        Meter.shared.reset()
        let sinks =
            "{\"n\": {\"null\": \"x\"}, \"h\": {\"webhook\": \"http://127.0.0.1:\(silent.port)/\", \"timeout\": \"2s\", "
            + "\"retry\": {\"limit\": 2, \"first\": \"100ms\"}}}"
        let lateness = try await House(scratch: scratch, sinks: sinks).run(
            count: perSecond * seconds, spacing: .milliseconds(1_000 / perSecond), actions: "[\"n\", \"h\"]",
            kinds: [NullSink.self, WebhookSink.self]
        ) { _ in
            _ = await Meter.shared.wait(for: perSecond * seconds)
            return Meter.shared.lateness.map { $0.seconds * 1_000 }.sorted()
        }
        return [
            DeliveryFigure(
                name: "lateness beside a sink that hangs, median", unit: "ms", values: [lateness[lateness.count / 2]],
                target: .atMost(50)),
            DeliveryFigure(
                name: "lateness beside a sink that hangs, 99 of 100", unit: "ms",
                values: [lateness[lateness.count * 99 / 100]], target: .atMost(50)),
        ]
    }
}

/// Takes connections and never says anything.
private final class SilentServer: Sendable {
    let port: UInt16
    private let descriptor: CInt

    init() throws {
        descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = descriptor
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && listen(descriptor, 4_096) == 0
                    && getsockname(descriptor, $0, &length) == 0
            }
        }
        guard isBound else { throw Failure("no port is free") }
        port = UInt16(bigEndian: address.sin_port)
    }

    /// Ends it.
    func close() { Glibc.close(descriptor) }
}
