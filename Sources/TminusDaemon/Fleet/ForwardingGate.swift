internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import TminusControl
internal import TminusSystem

/// Answers all requests to the control socket of a daemon that stands by: the leader does.
struct ForwardingGate: RouterMiddleware {
    let forwarder: RequestForwarder

    @concurrent func handle(
        _ request: Request, context: ControlContext,
        next: @concurrent (Request, ControlContext) async throws -> Response
    ) async throws -> Response {
        switch request.uri.path {
        // These are of the daemon itself.
        case "/healthz": return .line("ok", isGood: true)
        case "/readyz": return .line("not ready: stands by", isGood: false)
        case "/events" where request.method == .get: return try await ItemPolling(forwarder: forwarder).response()
        case "/metrics", "/metrics/definitions":
            throw Problem(
                .unavailable, "this daemon stands by: only the machine that leads has \(request.uri.path)")
        default: break
        }
        var request = request
        try await request.readBody(upTo: ControlContext.bodyLimit, on: context.channel)
        let bytes = try await request.body.collect(upTo: ControlContext.bodyLimit)
        guard let body = String(validating: bytes.readableBytesView, as: UTF8.self) else {
            throw Problem(.badRequest, "the body is not UTF-8")
        }
        var headers = Self.values(of: PortableRequest.headers) { request.headers[$0] }
        headers[ControlClient.userHeader] = "\(context.user) on \(MachinePaths.hostName)"
        let answer = try await forwarder.answer(
            to: PortableRequest(
                method: request.method.rawValue, path: request.head.path ?? "/", headers: headers,
                body: body.isEmpty ? nil : body))
        return Response(answer)
    }

    private static func values(of names: [String], _ value: (HTTPField.Name) -> String?) -> [String: String] {
        let found = names.compactMap { name in HTTPField.Name(name).flatMap(value).map { (name, $0) } }
        return Dictionary(found) { first, _ in first }
    }
}

extension Response {
    /// The answer of the leader.
    fileprivate init(_ answer: PortableAnswer) {
        var headers = HTTPFields()
        for (name, value) in answer.headers {
            if let name = HTTPField.Name(name) { headers[name] = value }
        }
        self.init(
            status: HTTPResponse.Status(code: answer.status), headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(string: answer.body)))
    }
}
