/// How many attempts a sink takes in a time, written as `10/min` or `100/s`.
public struct RateLimit: Sendable, Hashable {
    /// How many; at least 1.
    public var count: Int
    /// In what time; positive.
    public var period: Duration

    /// `count` in `period`.
    public init(_ count: Int, per period: Duration) {
        self.count = count
        self.period = period
    }

    /// The limit in `text`; nil if it is none.
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

/// A token bucket: it fills at the rate of its limit up to the limit's count, and each attempt takes one out.
///
/// It begins with one. So a daemon that is started again and again lets out no more than the rate, and one for each start.
package struct RateBucket: Sendable, Hashable {
    package let limit: RateLimit
    /// Nanoseconds of filling that are in the bucket; one attempt is worth `cost`.
    private var level: Int64
    private var filled: Timestamp

    /// A bucket at `now`, an instant of time that no setting of the clock moves.
    package init(_ limit: RateLimit, now: Timestamp) {
        self.limit = limit
        level = Self.cost(limit)
        filled = now
    }

    /// How many attempts it lets through now.
    package func room(at now: Timestamp) -> Int {
        Int(level(at: now) / Self.cost(limit))
    }

    /// When it lets the next attempt through; nil: now.
    package func next(at now: Timestamp) -> Timestamp? {
        let missing = Self.cost(limit) - level(at: now)
        return missing > 0 ? now.advanced(by: .nanoseconds(missing)) : nil
    }

    /// Takes out one attempt. One too many is paid later.
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
