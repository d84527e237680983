internal import HTTPTypes
internal import Hummingbird
internal import Logging
internal import NIOCore
internal import Synchronization
internal import TminusControl
internal import TminusCore
internal import TminusTooling

/// Finds out who sends a request over TCP, and signs browsers in and out.
final class Admission: Sendable {
    /// Why somebody is not let in.
    struct Refusal: Error, Sendable, Hashable {
        /// The answer to the client.
        var problem: Problem
        /// How long they have to wait, in whole seconds.
        var wait: Int?

        /// The answer. It asks for no Basic: a browser would keep what it got.
        var response: Response {
            var fields: HTTPFields = wait == nil ? [.wwwAuthenticate: "Bearer"] : [:]
            if let wait { fields[.retryAfter] = "\(wait)" }
            return .problem(problem, headers: fields)
        }
    }

    /// What the doors give to whom.
    let rules: WebRules
    /// The browsers that are signed in.
    let sessions: SessionDesk
    private let tokens: TokenDesk
    private let guests = Guests()
    private let logger: Logger
    private let attempts = Mutex(AttemptLimit())

    /// Lets in who has one of these tokens or sessions.
    init(_ tokens: TokenDesk = TokenDesk(), sessions: SessionDesk, rules: WebRules = WebRules(), logger: Logger) {
        self.tokens = tokens
        self.sessions = sessions
        self.rules = rules
        self.logger = logger
    }

    /// Who sends a request. A wrong token is refused even where none is needed; a session that is over counts as none.
    func access(
        _ request: HTTPRequest, _ client: WebClient, now: ContinuousClock.Instant = .now
    ) async throws(Refusal) -> Access {
        switch Credentials(request) {
        case .token(let secret):
            guard let token = tokens.current.token(withSecret: secret) else {
                throw failure("the token is not valid", client, now)
            }
            var access = rules.access(token.name, token.level, client)
            access.proof = .token(token.digest)
            return access
        case .unusable(let reason): throw failure(reason, client, now)
        case .none:
            guard let secret = client.cookie.secret(in: request),
                let session = await sessions.session(withSecret: secret), let level = level(of: session)
            else { return rules.access(of: client) }
            var access = rules.access(session.name, level, client)
            (access.session, access.proof) = (session, .session(session.digest))
            return access
        }
    }

    /// The sessions whose browsers are let in, the last used first.
    var signedIn: [WebSession] { sessions.all.filter { level(of: $0) != nil } }

    /// The level of a session now: never more than its token has; nil if that was removed.
    private func level(of session: WebSession) -> AccessLevel? {
        guard let digest = session.token else { return session.level }
        return tokens.current.tokens.first { $0.digest == digest }.map { min($0.level, session.level) }
    }

    /// Signs a browser in by a token or a code.
    func signIn(
        _ body: LoginBody, _ client: WebClient, now: ContinuousClock.Instant = .now
    ) async throws -> (session: WebSession, secret: String) {
        let address = client.address ?? "-"
        if let secret = body.token, let token = tokens.current.token(withSecret: secret) {
            return try await sessions.signIn(token.name, token.level, token: token.digest, from: address)
        }
        if let code = body.code, let grant = sessions.redeem(code, now: now) {
            return try await sessions.signIn(grant.name, grant.level, token: nil, from: address)
        }
        throw failure("the token or code is not valid", client, now)
    }

    /// Ends a session, and what its browser follows.
    func signOut(_ session: WebSession) async throws {
        try await sessions.end([session.digest])
        closeUninvited()
    }

    /// Somebody follows the changes on a connection, until what they showed is not valid any more.
    func follows(_ access: Access, on channel: any Channel) {
        if let proof = access.proof { guests.came(proof, on: channel) }
    }

    /// Ends what those follow whose token was removed or whose session is over. Called when the daemon is awake anyway.
    func closeUninvited() {
        let list = tokens.current.tokens
        guests.closeUnless { proof in
            switch proof {
            case .token(let digest): list.contains { $0.digest == digest }
            case .session(let digest): sessions.session(digest).flatMap { level(of: $0) } != nil
            }
        }
    }

    private func failure(_ reason: String, _ client: WebClient, _ now: ContinuousClock.Instant) -> Refusal {
        let verdict = attempts.withLock { $0.failed(client.network, now: now) }
        if let count = verdict.logged {
            logger.warning(
                "a wrong token was refused", metadata: ["address": "\(client.address ?? "-")", "attempts": "\(count)"])
        }
        guard let wait = verdict.wait else { return Refusal(problem: Problem(.unauthorized, reason)) }
        let seconds = Int(max(1, min(60, wait.components.seconds + 1)))
        return Refusal(
            problem: Problem(.tooMany, "too many wrong tokens; try again in \(seconds) s"), wait: seconds)
    }
}
