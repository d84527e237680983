internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import TminusCore

/// The routes for probes. They are open: they tell only whether the daemon works, and the names of what does not.
extension ControlAPI {
    /// Registers the routes.
    func addHealth(to routes: inout ControlRoutes) {
        routes.addReadable("/healthz", .open) { _, _ in
            let hanging = await probes.health.hanging()
            return .line(
                hanging.isEmpty ? "ok" : "hanging: \(hanging.map(\.rawValue).joined(separator: ", "))",
                isGood: hanging.isEmpty)
        }
        routes.addReadable("/readyz", .open) { _, _ in
            let missing = probes.readiness.missing
            return .line(
                missing.isEmpty ? "ready" : "not ready: \(missing.map(\.rawValue).joined(separator: ", "))",
                isGood: missing.isEmpty)
        }
    }
}

/// What answers probes.
struct Probes: Sendable {
    let health: HealthDesk
    let readiness: Readiness

    /// The daemon stops.
    func stopping() {
        readiness.stopping()
        health.stopping()
    }
}

extension Response {
    /// Answers with one line of text, and with 200 or 503.
    static func line(_ text: String, isGood: Bool) -> Response {
        Response(
            status: isGood ? .ok : .serviceUnavailable,
            headers: [.contentType: "text/plain; charset=utf-8", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text + "\n")))
    }
}
