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
        case "/events" where request.method == .get:
            return try await ItemPolling(forwarder: forwarder).response(on: context.channel)
        case "/codes":
            // The code would be in the database, for everybody who may read that.
            throw Problem(.unavailable, "this daemon stands by: sign in on the machine that leads")
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
        headers[ControlClient.userHeader] = ControlClient.userValue("\(context.user) on \(MachinePaths.hostName)")
        let portable = PortableRequest(
            method: request.method.rawValue, path: request.head.path ?? "/", headers: headers,
            body: body.isEmpty ? nil : body)
        let answering = Task { try await forwarder.answer(to: portable) }
        // The library does not cancel a request whose client has gone.
        context.channel.closeFuture.whenComplete { _ in answering.cancel() }
        return try Response(try await answering.value)
    }

    private static func values(of names: [String], _ value: (HTTPField.Name) -> String?) -> [String: String] {
        let found = names.compactMap { name in HTTPField.Name(name).flatMap(value).map { (name, $0) } }
        return Dictionary(found) { first, _ in first }
    }
}

extension Response {
    /// The answer of the leader.
    fileprivate init(_ answer: PortableAnswer) throws {
        // It comes from the database.
        guard (200...599).contains(answer.status) else {
            throw Problem(.internal, "the answer of the machine that leads has the status \(answer.status)")
        }
        var headers = HTTPFields()
        for name in PortableAnswer.headers {
            if let value = answer.headers[name], let name = HTTPField.Name(name) { headers[name] = value }
        }
        self.init(
            status: HTTPResponse.Status(code: answer.status), headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(string: answer.body)))
    }
}
