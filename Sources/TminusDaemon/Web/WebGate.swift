internal import HTTPTypes
internal import Hummingbird
internal import Logging
internal import NIOCore
internal import TminusControl
internal import TminusCore

/// The middleware before all routes over TCP: checks `Host` first of all, then from which site a
/// request comes and who sends it, and turns errors into problems.
struct WebGate: RouterMiddleware {
    /// The routes of this door, to report the methods a path has.
    let routes: ControlRoutes
    /// The names by which the daemon may be addressed.
    let hosts: HostNames
    /// Which proxies are believed.
    let proxies: ProxyRules
    /// Whether requests come by a Unix-domain socket, before which only a proxy stands.
    let isSocket: Bool
    /// Whether the door speaks TLS.
    let isEncrypted: Bool
    /// How many follow the changes.
    let doors: WebDoors
    /// Who may come in.
    let admission: Admission
    /// Counts answers and refusals.
    let figures: WebFigures
    /// Logs internal errors.
    let logger: Logger

    @concurrent func handle(
        _ request: Request, context: ControlContext,
        next: @concurrent (Request, ControlContext) async throws -> Response
    ) async throws -> Response {
        let begun = ContinuousClock.now
        var response = try await answer(request, context, next)
        WebHeaders.add(to: &response.headers)
        figures.answered(answered(request, context, response), after: begun.duration(to: .now))
        return request.method == .head ? response.createHeadResponse() : response
    }

    /// What counts of a request: neither its path nor its method, unless they are known here.
    private func answered(
        _ request: Request, _ context: ControlContext, _ response: Response
    ) -> WebFigures.Answered {
        let isKnown = [.get, .head, .post, .put, .delete].contains(request.method)
        // The router has set it before this runs; where it found no route, it says `NotFound`.
        let route = context.endpointPath.flatMap { $0.hasPrefix("/") ? $0 : nil }
        return WebFigures.Answered(
            route: route ?? "other", method: isKnown ? request.method.rawValue : "other", code: response.status.code)
    }

    private func answer(
        _ request: Request, _ context: ControlContext,
        _ next: @concurrent (Request, ControlContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        context.door = .tcp
        let peer = context.channel.remoteAddress?.ipAddress
        context.client = proxies.client(of: request.head, from: peer, isSocket: isSocket, isEncrypted: isEncrypted)
        if let problem = refusal(of: request, context.client) {
            return .problem(problem, headers: [.connection: "close"])
        }
        do throws(Problem) {
            try SiteRules(scheme: context.client.scheme, host: context.client.host ?? "").check(request.head)
        } catch {
            figures.refused(.origin)
            return .problem(error, headers: [.connection: "close"])
        }
        if !proxies.prefix.isEmpty, request.uri.path == proxies.prefix {
            // The URLs of the page are relative to what is below. This one is relative as well, for a proxy that has more above.
            let name = proxies.prefix.split(separator: "/").last ?? ""
            return Response(status: .permanentRedirect, headers: [.location: "\(name)/"])
        }
        do {
            context.access = try await admission.access(request.head, context.client)
            let response = try await next(request, context)
            guard response.headers[.contentType] == "text/event-stream" else { return response }
            guard doors.follow(context.channel) else {
                figures.refused(.full)
                throw Problem(.unavailable, "too many follow the changes already; try again later")
            }
            admission.follows(context.access, on: context.channel)
            return response
        } catch {
            count(error)
            return try routes.answer(to: error, of: request, context.access, logger)
        }
    }

    private func count(_ error: any Error) {
        if let refusal = error as? Admission.Refusal { figures.refused(refusal.wait == nil ? .token : .rate) }
        switch (error as? Problem)?.kind {
        case .unauthorized: figures.refused(.token)
        case .forbidden: figures.refused(.level)
        default: break
        }
    }

    /// Why a request is not for this daemon; nil if it is.
    private func refusal(of request: Request, _ client: WebClient) -> Problem? {
        // The first one is the authority; further ones stay among the fields.
        guard !request.headers.contains(where: { $0.name.canonicalName == "host" }) else {
            return Problem(.badRequest, "the request must name exactly one host")
        }
        switch hosts.judge(client.host) {
        case .known: return nil
        case .invalid:
            figures.refused(.host)
            return Problem(.badRequest, "the header Host is missing or names no host")
        case .unknown(let name):
            figures.refused(.host)
            let shown = String(name.prefix(100))
            return Problem(.misdirected, "the name '\(shown)' is not known here: start with --host \(shown)")
        }
    }
}
