/// When a delivery is tried again: exponential backoff with full jitter.
///
/// The wait before attempt n + 1 is uniform in 0 to min(`longest`, `first` × 2^(n-1)) ("full jitter": Brooker, "Exponential
/// Backoff And Jitter", AWS Architecture Blog, 2015).
public struct RetryPolicy: Sendable, Hashable {
    /// How many attempts in all.
    public var limit: Int
    /// The bound of the wait after the first attempt.
    public var first: Duration
    /// The bound of every wait.
    public var longest: Duration
    /// How long after it was written a delivery is given up.
    public var giveUpAfter: Duration

    /// The contract's defaults: 10 attempts, 1 s, 5 min, 1 day.
    public static let standard = RetryPolicy(
        limit: 10, first: .seconds(1), longest: .seconds(300), giveUpAfter: .seconds(86_400))

    /// These bounds.
    public init(limit: Int, first: Duration, longest: Duration, giveUpAfter: Duration) {
        self.limit = limit
        self.first = first
        self.longest = longest
        self.giveUpAfter = giveUpAfter
    }

    /// What becomes of a delivery whose attempt failed.
    ///
    /// - Parameters:
    ///   - attempt: The attempt that failed, from 1.
    ///   - created: When the delivery was written.
    ///   - share: A random number from 0 to 1: the share of the bound that is waited.
    public func outcome(
        of error: DeliveryError, attempt: Int, created: Timestamp, now: Timestamp, share: Double
    ) -> Outcome {
        guard error.isTransient else { return .dead(reason: error.reason) }
        guard attempt < limit else { return .dead(reason: "\(error.reason) (given up after \(attempt) attempts)") }
        let bound = min(longest, first * (1 << min(attempt - 1, 30)))
        // A server may ask for more time than there is: then the last moment has to do.
        let last = created.advanced(by: giveUpAfter)
        let next = min(now.advanced(by: max(bound * share, error.retryAfter ?? .zero)), last)
        guard next > now else {
            return .dead(
                reason: "\(error.reason) (given up \(giveUpAfter.components.seconds) s after the first attempt)")
        }
        return .retry(at: next, reason: error.reason)
    }
}
