internal import Logging
internal import Synchronization
internal import TminusCore
internal import TminusTooling

/// The browsers that are signed in. Requests read them in memory; the store has them too, so that a restart signs nobody out.
final class SessionDesk: Sendable {
    private struct State {
        var sessions: [String: WebSession] = [:]
        var codes = CodeBook()
    }

    private let store: any Store
    private let clock: any WallClock
    private let logger: Logger
    private let state = Mutex(State())

    /// The most sessions, and those of one token or user; beyond them the one that was used least recently ends. So nobody signs out
    /// those with other tokens.
    private static let (most, mostOfOne) = (1_000, 50)
    /// How old the stored last use may become.
    private static let precision = Duration.seconds(600)

    /// A desk that has not read the store.
    init(store: any Store, clock: any WallClock, logger: Logger) {
        self.store = store
        self.clock = clock
        self.logger = logger
    }

    /// Reads the sessions of former runs, and ends those that are over. A store that cannot be read signs everybody out until the next
    /// start, and stops nothing else.
    func load() async {
        do throws(StoreError) {
            let stored = try await store.sessions()
            let now = clock.now
            state.withLock { state in
                for session in stored where session.ends > now { state.sessions[session.digest] = session }
            }
            let over = stored.filter { $0.ends <= now }.map(\.digest)
            if !over.isEmpty { _ = try await store.endSessions(over) }
        } catch {
            logger.error("the sessions of browsers cannot be read", metadata: ["reason": "\(error.message)"])
        }
    }

    /// The sessions that are not over, the last used first.
    var all: [WebSession] {
        let now = clock.now
        return state.withLock { $0.sessions.values.filter { $0.ends > now } }
            .sorted { ($1.used, $0.digest) < ($0.used, $1.digest) }
    }

    /// The session with a digest, if it is not over.
    func session(_ digest: String) -> WebSession? {
        state.withLock { $0.sessions[digest] }.flatMap { $0.ends > clock.now ? $0 : nil }
    }

    /// The session that a browser shows by its secret; it counts as used.
    func session(withSecret secret: String) async -> WebSession? {
        // A search by the SHA-256 tells nothing of a secret of 260 random bits.
        guard var session = session(RandomSecret.digest(of: secret)) else { return nil }
        let now = clock.now
        // A clock that was set back does not shorten it.
        guard session.used.duration(to: now) >= Self.precision else { return session }
        session.used = now
        let isThere = state.withLock { [session] state in
            guard state.sessions[session.digest] != nil else { return false }
            state.sessions[session.digest] = session
            return true
        }
        guard isThere else { return nil }
        try? await store.keep(session)
        // It may have ended meanwhile, and must not come back with the next start.
        guard self.session(session.digest) != nil else {
            _ = try? await store.endSessions([session.digest])
            return nil
        }
        return session
    }

    /// Signs a browser in. Returns its session and its secret of 256 random bits.
    func signIn(
        _ name: String, _ level: AccessLevel, token: String?, from address: String
    ) async throws(StoreError) -> (session: WebSession, secret: String) {
        let secret = RandomSecret.make(bits: 260)
        let now = clock.now
        let session = WebSession(
            digest: RandomSecret.digest(of: secret), name: name, token: token, level: level, address: address,
            made: now,
            used: now)
        try await store.keep(session)
        let own = all.filter { ($0.name, $0.token) == (name, token) }
        let surplus = Set((all.dropFirst(Self.most - 1) + own.dropFirst(Self.mostOfOne - 1)).map(\.digest))
        if !surplus.isEmpty {
            logger.notice(
                "too many sessions: those used least recently end",
                metadata: ["name": "\(name)", "count": "\(surplus.count)"])
            try await end(Array(surplus))
        }
        state.withLock { $0.sessions[session.digest] = session }
        return (session, secret)
    }

    /// Ends sessions.
    func end(_ digests: [String]) async throws(StoreError) {
        state.withLock { state in for digest in digests { state.sessions[digest] = nil } }
        _ = try await store.endSessions(digests)
    }

    /// A code that signs a browser in.
    func makeCode(_ grant: CodeBook.Grant, now: ContinuousClock.Instant = .now) -> String {
        state.withLock { $0.codes.make(grant, now: now) }
    }

    /// What a code gives, once.
    func redeem(_ code: String, now: ContinuousClock.Instant = .now) -> CodeBook.Grant? {
        state.withLock { $0.codes.redeem(code, now: now) }
    }
}
