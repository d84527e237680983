/// When a delivery is retried: exponential backoff with full jitter.
///
/// The wait before attempt n + 1 is uniform in 0 to min(`longest`, `first` × 2^(n-1)) ("full jitter": Brooker,
/// "Exponential Backoff And Jitter", AWS Architecture Blog, 2015).
public struct RetryPolicy: Sendable, Hashable {
    /// Which failures are retried.
    public enum Condition: String, Sendable, Hashable, Codable, CaseIterable {
        /// Those that the sink reports as transient.
        case transient
        /// All failures.
        case any
    }

    /// The shortest ``first`` that a file can give.
    static let shortestFirst = Duration.milliseconds(100)

    /// The maximum number of attempts; nil means as many as fit in `giveUpAfter`.
    public var limit: Int?
    /// The upper bound of the wait after the first attempt.
    public var first: Duration
    /// The upper bound of every wait.
    public var longest: Duration
    /// How long after it was written a delivery is attempted.
    public var giveUpAfter: Duration
    /// Which failures are retried.
    public var condition: Condition

    /// 1 s, 5 min, 1 day, and unlimited attempts. Ten attempts with these waits would end after about four minutes,
    /// which is shorter than most outages of a receiver.
    public static let standard = RetryPolicy(
        limit: nil, first: .seconds(1), longest: .seconds(300), giveUpAfter: .seconds(86_400))

    /// Creates a policy.
    public init(
        limit: Int?, first: Duration, longest: Duration, giveUpAfter: Duration, condition: Condition = .transient
    ) {
        self.limit = limit
        self.first = first
        self.longest = longest
        self.giveUpAfter = giveUpAfter
        self.condition = condition
    }

    /// The outcome of a delivery whose attempt failed.
    ///
    /// - Parameters:
    ///   - attempt: The number of the failed attempt, from 1.
    ///   - since: When the delivery was written, or a user retried it.
    ///   - expires: When the delivery expires; nil means never.
    ///   - share: A random number from 0 to 1 that the bound of the wait is multiplied by.
    public func outcome(
        of error: DeliveryError, attempt: Int, since: Timestamp, expires: Timestamp? = nil, now: Timestamp,
        share: Double
    ) -> Outcome {
        guard error.isTransient || condition == .any else { return .dead(reason: error.reason) }
        if let limit, attempt >= limit {
            let count = limit == 1 ? "1 attempt" : "\(limit) attempts"
            return .dead(reason: "\(error.reason) (the limit is \(count))")
        }
        let bound = min(longest, first * (1 << min(attempt - 1, 30)))
        // A server can only lengthen the wait. If it asks for more than the remaining time, the last attempt is made at the
        // last moment.
        let last = since.advanced(by: giveUpAfter)
        let next = min(now.advanced(by: max(bound * share, error.retryAfter ?? .zero)), last)
        if let expires, next >= expires { return .expired(reason: error.reason) }
        // A share near 0 makes no wait at all, which is not the end.
        guard last > now else {
            return .dead(reason: "\(error.reason) (not delivered within \(giveUpAfter.components.seconds) s)")
        }
        return .retry(at: next, reason: error.reason)
    }
}
