internal import HTTPTypes
internal import Hummingbird
internal import HummingbirdCore
internal import Logging
internal import TminusControl

/// What stands before all routes: who may ask, and what becomes of errors.
struct ControlGate: RouterMiddleware {
    let routes: ControlRoutes
    let logger: Logger

    @concurrent func handle(
        _ request: Request, context: ControlContext,
        next: @concurrent (Request, ControlContext) async throws -> Response
    ) async throws -> Response {
        do {
            let peer = try await Peer(of: context.channel)
            guard peer.isTrusted else {
                logger.warning("a user who may not was refused", metadata: ["user": "\(peer.name)"])
                throw Problem(
                    .forbidden, "only the user of the daemon and the administrator may ask it; you are \(peer.name)")
            }
            var context = context
            context.peer = peer
            return try await next(request, context)
        } catch let problem as Problem {
            return .problem(problem)
        } catch let error as HTTPError where error.status == .notFound {
            let path = request.uri.path
            let methods = routes.methods(at: path).joined(separator: ", ")
            guard !methods.isEmpty else { return .problem(Problem(.notFound, "there is no route \(path)")) }
            return .problem(Problem(.wrongMethod, "\(path) has only \(methods)"), headers: [.allow: methods])
        } catch let error as HTTPError {
            return .problem(Problem(.badRequest, error.body ?? "\(error)"))
        } catch is CancellationError {
            return .problem(Problem(.unavailable, "the daemon is stopping; ask again when it runs"))
        } catch {
            logger.error("a request failed", metadata: ["path": "\(request.uri.path)", "error": "\(error)"])
            return .problem(Problem(.internal, "\(error)"))
        }
    }
}
