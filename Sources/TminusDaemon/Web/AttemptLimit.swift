/// Limits how often somebody may try tokens that are wrong. Right ones do not count, and always pass, so nobody can lock out another.
struct AttemptLimit: Sendable {
    /// What follows from a wrong token.
    struct Verdict: Sendable, Hashable {
        /// How long this address has to wait; nil if it may try again.
        var wait: Duration?
        /// The number of wrong tokens since the last line in the log, if it is time for one.
        var logged: Int?
    }

    /// The most attempts of one address, and of all, within ``period``.
    private static let ofOne = 10
    private static let ofAll = 100
    /// The time that counts, and between two lines in the log.
    private static let period = Duration.seconds(60)

    /// The last attempts, oldest first: never more than ``ofAll``.
    private var failures: [(network: String, at: ContinuousClock.Instant)] = []
    private var lastLine: ContinuousClock.Instant?
    private var unlogged = 0

    /// No attempt yet.
    init() {}

    /// A wrong token came from a network.
    mutating func failed(_ network: String, now: ContinuousClock.Instant) -> Verdict {
        failures.removeAll { now - $0.at >= Self.period }
        unlogged += 1
        var verdict = Verdict()
        let own = failures.filter { $0.network == network }
        if own.count >= Self.ofOne, let first = own.first {
            verdict.wait = Self.period - (now - first.at)
        } else if failures.count >= Self.ofAll, let first = failures.first {
            verdict.wait = Self.period - (now - first.at)
        } else {
            failures.append((network, now))
        }
        if lastLine.map({ now - $0 >= Self.period }) ?? true {
            (verdict.logged, unlogged, lastLine) = (unlogged, 0, now)
        }
        return verdict
    }
}
