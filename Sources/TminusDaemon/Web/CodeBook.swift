internal import TminusCore
internal import TminusTooling

/// The codes with which a browser signs in without a token. Each is good once, for a minute.
struct CodeBook: Sendable {
    /// What a code gives.
    struct Grant: Sendable, Hashable {
        /// The user of the control socket who asked for it.
        var name: String
        /// The level of the session.
        var level: AccessLevel
    }

    /// How long a code is good.
    static let lifetime = Duration.seconds(60)
    /// The most codes that wait; beyond them the oldest goes.
    private static let most = 100

    /// The SHA-256 of each code that waits, oldest first.
    private var waiting: [(digest: String, grant: Grant, until: ContinuousClock.Instant)] = []

    /// No code.
    init() {}

    /// A new code.
    mutating func make(_ grant: Grant, now: ContinuousClock.Instant) -> String {
        let code = RandomSecret.make(bits: 160)
        waiting.removeAll { $0.until <= now }
        waiting.append((RandomSecret.digest(of: code), grant, now + Self.lifetime))
        waiting.removeFirst(max(0, waiting.count - Self.most))
        return code
    }

    /// What a code gives; nil if there is no such code any more. It is good no second time.
    mutating func redeem(_ code: String, now: ContinuousClock.Instant) -> Grant? {
        let digest = RandomSecret.digest(of: code)
        var found: Grant?
        for entry in waiting where RandomSecret.isSame(entry.digest, digest) && entry.until > now {
            found = entry.grant
        }
        waiting.removeAll { $0.digest == digest || $0.until <= now }
        return found
    }
}
