internal import HTTPTypes
internal import Hummingbird
internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import NIOHTTP1
internal import ServiceLifecycle
internal import TminusControl
internal import TminusCore

/// The middleware before all routes: checks the peer, reads the body and turns errors into problems.
struct ControlGate: RouterMiddleware {
    /// The routes, to report the methods a path has.
    let routes: ControlRoutes
    /// Logs refusals and internal errors.
    let logger: Logger

    private static let deliveryHeader = HTTPField.Name(ControlClient.deliveryHeader)

    @concurrent func handle(
        _ request: Request, context: ControlContext,
        next: @concurrent (Request, ControlContext) async throws -> Response
    ) async throws -> Response {
        do {
            if Task.isShuttingDownGracefully { throw CancellationError() }
            let peer = try await Peer(of: context.channel)
            guard peer.isTrusted else {
                logger.warning("control refused: user has no permission", metadata: ["user": "\(peer.name)"])
                throw Problem(
                    .forbidden,
                    "permission denied: you are \(peer.name); only the daemon's user and root may use the control socket"
                )
            }
            var (request, context) = (request, context)
            context.user = peer.name
            // Only trusted peers get here, so it may name any delivery.
            if let delivery = Self.deliveryHeader.flatMap({ request.headers[$0] }).flatMap({ DeliveryID($0) }) {
                context.user += " (delivery \(delivery))"
            }
            try await request.readBody()
            return try await next(request, context)
        } catch let problem as Problem {
            return .problem(problem)
        } catch let error as HTTPParserError {
            // The connection ends, because nobody knows where the next request would begin.
            return .problem(Problem(.badRequest, "the request is not HTTP: \(error)"), headers: [.connection: "close"])
        } catch let error as ChannelError {
            // The client has gone.
            throw error
        } catch let error as HTTPError where error.status == .notFound {
            let path = request.uri.path
            let methods = routes.methods(at: path).joined(separator: ", ")
            guard !methods.isEmpty else { return .problem(Problem(.notFound, "there is no route \(path)")) }
            return .problem(Problem(.wrongMethod, "\(path) supports only \(methods)"), headers: [.allow: methods])
        } catch let error as HTTPError {
            return .problem(Problem(.badRequest, error.body ?? "\(error)"))
        } catch let error as StoreError {
            return .problem(Problem(.unavailable, "the store cannot be read: \(error.message); try again later"))
        } catch is CancellationError {
            return .problem(Problem(.unavailable, "the daemon is stopping; try again after it has restarted"))
        } catch {
            logger.error("request failed", metadata: ["path": "\(request.uri.path)", "error": "\(error)"])
            return .problem(Problem(.internal, "\(error)"))
        }
    }
}
