internal import HTTPTypes
internal import Hummingbird
internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import NIOHTTP1
internal import TminusControl
internal import TminusCore

extension ControlRoutes {
    /// The answer to an error of a request, as a problem.
    ///
    /// - Parameter access: What the client may do: below level control it learns of no path and no defect.
    /// - Throws: The error, if the client has gone.
    func answer(
        to error: any Error, of request: Request, _ access: Access, _ logger: Logger
    ) throws -> Response {
        let isTrusted = access.level >= .control
        switch error {
        case is ChannelError, is IOError:
            // The client has gone: the library reports a closed connection as either.
            throw error
        case let problem as Problem:
            // Not Basic: a browser would ask, and keep what it got.
            return .problem(problem, headers: problem.kind == .unauthorized ? [.wwwAuthenticate: "Bearer"] : [:])
        case let refusal as Admission.Refusal: return refusal.response
        case let error as HTTPParserError:
            // The connection ends, because nobody knows where the next request would begin.
            return .problem(Problem(.badRequest, "the request is not HTTP: \(error)"), headers: [.connection: "close"])
        case let error as HTTPError where error.status == .notFound: return missing(request.uri.path)
        case let error as HTTPError: return .problem(Problem(.badRequest, error.body ?? "\(error)"))
        case let error as StoreError:
            let reason = isTrusted ? ": \(error.message)" : ""
            return .problem(Problem(.unavailable, "the store cannot be read\(reason); try again later"))
        case is CancellationError:
            return .problem(Problem(.unavailable, "the daemon is stopping; try again after it has restarted"))
        default:
            logger.error("request failed", metadata: ["path": "\(request.uri.path)", "error": "\(error)"])
            return .problem(Problem(.internal, isTrusted ? "\(error)" : "the request failed; the log says why"))
        }
    }

    /// The answer for a path without a route, or whose route has not that method.
    private func missing(_ path: String) -> Response {
        let methods = methods(at: path).joined(separator: ", ")
        guard !methods.isEmpty else { return .problem(Problem(.notFound, "there is no route \(path)")) }
        return .problem(Problem(.wrongMethod, "\(path) supports only \(methods)"), headers: [.allow: methods])
    }
}
