internal import Hummingbird
internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import TminusCore

/// The context of a request on its way through the router.
struct ControlContext: RequestContext {
    /// The router's own storage.
    var coreContext: CoreRequestContextStorage
    /// The connection's channel.
    let channel: any Channel
    /// Who sends the request, and what they may do. The gate of the door sets it before any route runs.
    var access = Access.nobody
    /// The way by which the request came.
    var door = Door.socket
    /// Where the request comes from, over TCP.
    var client = WebClient()
    /// The name under which state and log record what the request does.
    var user: String { access.name }

    /// The largest request body, in bytes.
    static let bodyLimit = 64 << 10

    /// Creates the context of a request.
    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
    }
}

extension Router<ControlContext> {
    /// Answers the requests of a server by these routes.
    ///
    /// - Parameter prefix: The path below which a proxy has the daemon. It is taken away from the path of a request, unless the proxy
    ///   has done that.
    func channelResponder(below prefix: String = "", logger: Logger) -> HTTPChannelHandler.Responder {
        let responder = buildResponder()
        return { request, writer, channel in
            let request = request.without(prefix)
            let context = ControlContext(source: ApplicationRequestContextSource(channel: channel, logger: logger))
            let response = try await responder.respondInOwnTask(to: request, context: context)
            try await writer.write(response: response.head, body: response.body)
        }
    }
}

extension HTTPResponder where Context: Sendable {
    /// Answers in a task of its own. A task keeps the memory of its deepest calls until it ends, and the task of a viewer's
    /// connection lasts for days (`serving.py`, "memory of one").
    fileprivate func respondInOwnTask(to request: Request, context: Context) async throws -> Response {
        async let response = respond(to: request, context: context)
        return try await response
    }
}

extension Request {
    /// The request with its path as below a prefix, if it begins with that.
    fileprivate func without(_ prefix: String) -> Request {
        guard !prefix.isEmpty, let path = head.path, path.hasPrefix(prefix + "/") else { return self }
        var head = head
        head.path = String(path.dropFirst(prefix.count))
        return Request(head: head, body: body)
    }
}
