/// When a delivery is tried again: exponential backoff with full jitter.
///
/// The wait before attempt n + 1 is uniform in 0 to min(`longest`, `first` × 2^(n-1)) ("full jitter": Brooker, "Exponential
/// Backoff And Jitter", AWS Architecture Blog, 2015).
public struct RetryPolicy: Sendable, Hashable {
    /// Which failures another attempt follows.
    public enum Condition: String, Sendable, Hashable, Codable, CaseIterable {
        /// Those that the sink takes to be passing.
        case transient
        /// All.
        case any
    }

    /// How many attempts in all; nil: as many as fit in `giveUpAfter`.
    public var limit: Int?
    /// The bound of the wait after the first attempt.
    public var first: Duration
    /// The bound of every wait.
    public var longest: Duration
    /// How long after it was written a delivery is given up.
    public var giveUpAfter: Duration
    /// Which failures another attempt follows.
    public var condition: Condition

    /// 1 s, 5 min, 1 day, and no bound on the attempts: ten of them, at these waits, would end after some four minutes, before
    /// most outages of a receiver do.
    public static let standard = RetryPolicy(
        limit: nil, first: .seconds(1), longest: .seconds(300), giveUpAfter: .seconds(86_400))

    /// These bounds.
    public init(
        limit: Int?, first: Duration, longest: Duration, giveUpAfter: Duration, condition: Condition = .transient
    ) {
        self.limit = limit
        self.first = first
        self.longest = longest
        self.giveUpAfter = giveUpAfter
        self.condition = condition
    }

    /// What becomes of a delivery whose attempt failed.
    ///
    /// - Parameters:
    ///   - attempt: The attempt that failed, from 1.
    ///   - since: When the delivery was written, or a person asked for it anew.
    ///   - expires: When it is of no more use; nil: never.
    ///   - share: A random number from 0 to 1: the share of the bound that is waited.
    public func outcome(
        of error: DeliveryError, attempt: Int, since: Timestamp, expires: Timestamp? = nil, now: Timestamp,
        share: Double
    ) -> Outcome {
        guard error.isTransient || condition == .any else { return .dead(reason: error.reason) }
        if let limit, attempt >= limit { return .dead(reason: "\(error.reason) (given up after \(attempt) attempts)") }
        let bound = min(longest, first * (1 << min(attempt - 1, 30)))
        // A server may ask for more time than there is: then the last moment has to do.
        let last = since.advanced(by: giveUpAfter)
        let next = min(now.advanced(by: max(bound * share, error.retryAfter ?? .zero)), last)
        if let expires, next >= expires { return .expired(reason: error.reason) }
        guard next > now else {
            return .dead(
                reason: "\(error.reason) (given up \(giveUpAfter.components.seconds) s after the first attempt)")
        }
        return .retry(at: next, reason: error.reason)
    }
}
