internal import HTTPTypes
internal import Logging
internal import Synchronization
internal import TminusControl

/// Finds out who sends a request over TCP.
final class Admission: Sendable {
    /// Why somebody is not let in.
    struct Refusal: Error, Sendable, Hashable {
        /// What they are told.
        var problem: Problem
        /// How long they have to wait, in whole seconds.
        var wait: Int?
    }

    private let tokens: TokenDesk
    private let rules: WebRules
    private let logger: Logger
    private let attempts = Mutex(AttemptLimit())

    /// Lets in who has one of these tokens.
    init(_ tokens: TokenDesk = TokenDesk(), rules: WebRules = WebRules(), logger: Logger) {
        self.tokens = tokens
        self.rules = rules
        self.logger = logger
    }

    /// Who sends a request. A wrong token is refused even where none is needed.
    func access(
        _ request: HTTPRequest, _ client: WebClient, now: ContinuousClock.Instant = .now
    ) throws(Refusal) -> Access {
        switch Credentials(request) {
        case .none: return rules.access(of: client)
        case .token(let secret):
            if let token = tokens.current.token(withSecret: secret) { return rules.access(token, client) }
            throw failure("the token is not valid", client, now)
        case .unusable(let reason): throw failure(reason, client, now)
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
