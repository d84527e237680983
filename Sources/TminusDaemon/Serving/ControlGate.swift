internal import HTTPTypes
internal import Hummingbird
internal import Logging
internal import ServiceLifecycle
internal import TminusControl
internal import TminusCore

/// The middleware before all routes of the control socket: checks the peer, and turns errors into problems.
struct ControlGate: RouterMiddleware {
    /// The routes, to report the methods a path has.
    let routes: ControlRoutes
    /// Logs refusals and internal errors.
    let logger: Logger

    private static let deliveryHeader = HTTPField.Name(ControlClient.deliveryHeader)
    private static let userHeader = HTTPField.Name(ControlClient.userHeader)

    @concurrent func handle(
        _ request: Request, context: ControlContext,
        next: @concurrent (Request, ControlContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        do {
            if Task.isShuttingDownGracefully { throw CancellationError() }
            context.access = try await access(request, context)
            return try await next(request, context)
        } catch {
            return try routes.answer(to: error, of: request, context.access, logger)
        }
    }

    private func access(_ request: Request, _ context: ControlContext) async throws -> Access {
        let peer = try await Peer(of: context.channel)
        guard peer.isTrusted else {
            logger.warning("control refused: user has no permission", metadata: ["user": "\(peer.name)"])
            throw Problem(
                .forbidden,
                "permission denied: you are \(peer.name); only the daemon's user and root may use the control socket"
            )
        }
        // Only trusted peers get here, so it may name any delivery, and any user of another machine.
        let delivery = Self.deliveryHeader.flatMap { request.headers[$0] }.flatMap { DeliveryID($0) }
        let user = Self.userHeader.flatMap { request.headers[$0] }.flatMap { ControlClient.user(in: $0) }
        return Access(level: .socket, name: (user ?? peer.name) + (delivery.map { " (delivery \($0))" } ?? ""))
    }
}
