/// The number of attempts that a sink accepts per period, written as `10/min` or `100/s`.
public struct RateLimit: Sendable, Hashable {
    /// The number of attempts; at least 1.
    public var count: Int
    /// The period; positive.
    public var period: Duration

    /// Creates a limit of `count` per `period`.
    public init(_ count: Int, per period: Duration) {
        self.count = count
        self.period = period
    }

    /// Reads a limit; nil if the text is not one.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let count = Int(parts[0].trimmed), (1...1_000_000).contains(count) else { return nil }
        let period: Duration
        switch String(parts[1].trimmed) {
        case "s", "sec", "second": period = .seconds(1)
        case "m", "min", "minute": period = .seconds(60)
        case "h", "hour": period = .seconds(3_600)
        case "d", "day": period = .seconds(86_400)
        default: return nil
        }
        self.init(count, per: period)
    }
}

extension Substring {
    fileprivate var trimmed: Substring {
        var text = self
        while text.first == " " { text.removeFirst() }
        while text.last == " " { text.removeLast() }
        return text
    }
}

/// A token bucket: it fills at the rate of the limit, up to the limit's count, and each attempt takes a token.
///
/// A new bucket holds one token, so a daemon that restarts in a loop exceeds the rate by one attempt per start at most.
package struct RateBucket: Sendable, Hashable {
    package let limit: RateLimit
    /// The fill level in nanoseconds; one attempt costs `cost`.
    private var level: Int64
    private var filled: Timestamp

    /// Creates a bucket at `now`, in steady time, which clock changes do not affect.
    package init(_ limit: RateLimit, now: Timestamp) {
        self.limit = limit
        level = Self.cost(limit)
        filled = now
    }

    /// The number of attempts allowed now.
    package func room(at now: Timestamp) -> Int {
        Int(level(at: now) / Self.cost(limit))
    }

    /// When the next attempt is allowed; nil means now.
    package func next(at now: Timestamp) -> Timestamp? {
        let missing = Self.cost(limit) - level(at: now)
        return missing > 0 ? now.advanced(by: .nanoseconds(missing)) : nil
    }

    /// Takes a token. The level may become negative; later filling pays the debt.
    package mutating func take(at now: Timestamp) {
        level = level(at: now) - Self.cost(limit)
        filled = max(filled, now)
    }

    private func level(at now: Timestamp) -> Int64 {
        let elapsed = max(0, filled.duration(to: now).nanoseconds)
        let full = Self.cost(limit) * Int64(limit.count)
        return level >= full - min(elapsed, full) ? full : level + elapsed
    }

    private static func cost(_ limit: RateLimit) -> Int64 {
        max(1, limit.period.nanoseconds / Int64(limit.count))
    }
}
