internal import HTTPTypes
internal import Hummingbird
internal import TminusControl
internal import TminusCore

/// The routes by which browsers sign in and out.
extension ControlAPI {
    /// Registers the routes.
    func addSessions(to routes: inout ControlRoutes) {
        routes.add("/login", [.post: { try await login($0, $1) }], level: .open)
        routes.add("/logout", [.post: { _, context in try await logout(context) }], level: .open)
        routes.add("/session", [.get: { _, context in try .json(answer(context.access)) }], level: .read)
        routes.add("/codes", [.post: { try await makeCode($0, $1) }], level: .socket)
        routes.add(
            "/sessions", [.get: { _, _ in try .json(admission.signedIn.map { SignedIn($0) }) }], level: .socket)
        routes.add("/sessions/:id", [.delete: { _, context in try await end(context) }], level: .socket)
    }

    private func login(_ request: Request, _ context: ControlContext) async throws -> Response {
        let body = try await request.decoded(as: LoginBody.self)
        guard (body.token == nil) != (body.code == nil) else {
            throw Problem(.badRequest, "give 'token' or 'code', and not both")
        }
        let (session, secret) = try await admission.signIn(body, context.client)
        var access = admission.rules.access(session.name, session.level, context.client)
        access.session = session
        var response = try Response.json(answer(access))
        response.headers[.setCookie] = context.client.cookie.setting(secret)
        return response
    }

    private func logout(_ context: ControlContext) async throws -> Response {
        if let session = context.access.session { try await admission.signOut(session) }
        return Response(status: .noContent, headers: [.setCookie: context.client.cookie.clearing])
    }

    private func answer(_ access: Access) -> SessionAnswer {
        SessionAnswer(
            level: access.level, name: access.isKnown ? access.name : nil, ends: access.session?.ends,
            editing: access.cut?.rawValue ?? "allowed")
    }

    private func makeCode(_ request: Request, _ context: ControlContext) async throws -> Response {
        let body = try await request.decoded(as: CodeBody.self)
        guard let level = AccessLevel(rawValue: body.level ?? AccessLevel.read.rawValue),
            AccessLevel.granted.contains(level)
        else { throw Problem(.badRequest, "'level': expected read, control or edit") }
        guard level < .edit || admission.rules.allowsEdit else {
            throw Problem(.unfit, "'level': \(Access.Cut.off.words)", fitting: [])
        }
        guard !doors.addresses.isEmpty else {
            throw Problem(.unfit, "the daemon serves no HTTP over TCP; start it with --listen", fitting: [])
        }
        let code = admission.sessions.makeCode(CodeBook.Grant(name: context.user, level: level))
        let seconds = Int(CodeBook.lifetime.components.seconds)
        let links = doors.links.map { "\($0)#code=\(code)" }
        return .json(
            try ControlJSON.encode(CodeAnswer(code: code, level: level, seconds: seconds, links: links)),
            status: .created)
    }

    private func end(_ context: ControlContext) async throws -> Response {
        let id = context.parameters.get("id") ?? ""
        let found = admission.sessions.all.filter { $0.digest.hasPrefix(id) }
        guard id.utf8.count >= SignedIn.digits, let session = found.first else {
            throw Problem(.notFound, "there is no session '\(id.prefix(80))'; 'tminus web list' shows all")
        }
        try await admission.signOut(session)
        return Response(status: .noContent)
    }
}
