internal import TminusCore

/// Decides when the service manager is told that the engine works.
///
/// At half of the limit the engine is pinged. Its answer, from a turn of its own, is passed on, unless its commit has been on its
/// way for that long: then the store hangs. An answer that is not passed on is asked for again soon, so that a trouble
/// that ends within the limit has no consequence, and one of one and a half limits always has one.
struct WatchdogState: Sendable {
    /// What to do with an answer of the engine.
    enum Verdict: Equatable {
        /// Pass it on.
        case send
        /// Ping again after that time.
        case pingAgain(after: Duration)
        /// It was passed on already.
        case nothing
    }

    /// The datagram.
    static let message = "WATCHDOG=1"
    /// A limit of microseconds must not keep the process busy.
    private static let shortest = Duration.milliseconds(10)

    /// The time between two pings: half of the limit (sd_watchdog_enabled(3)).
    let interval: Duration
    private var isWaiting = false

    /// The state before the first ping.
    init(limit: Duration) {
        interval = max(limit / 2, Self.shortest)
    }

    private var pause: Duration { max(interval / 10, Self.shortest) }

    /// Notes a ping. Returns the time until the next one.
    mutating func pinged() -> Duration {
        isWaiting = true
        return interval
    }

    /// Judges an answer of the engine.
    mutating func judge(_ pulse: Pulse) -> Verdict {
        guard isWaiting else { return .nothing }
        if let age = pulse.commitAge, age >= interval { return .pingAgain(after: pause) }
        isWaiting = false
        return .send
    }

    /// Notes that an answer could not be passed on. Returns the time until the next ping.
    mutating func failed() -> Duration {
        isWaiting = true
        return pause
    }
}
