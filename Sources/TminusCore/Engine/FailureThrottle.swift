/// Decides which failed attempts are reported: of each delivery the first ten, then one a minute. Otherwise a receiver that is down
/// for hours would fill the log.
struct FailureThrottle: Sendable {
    /// How many failures of a delivery are all reported.
    static let free = 10
    /// The pause between two later reports.
    static let pause = Duration.seconds(60)

    /// When the last failure beyond the free ones was reported, in steady time. An entry older than the pause is the same as none.
    private var last: [DeliveryID: Timestamp] = [:]
    private var limit = 1_024

    /// How many deliveries it remembers.
    var count: Int { last.count }

    /// Whether to report that an attempt failed and is repeated.
    mutating func reports(_ delivery: Delivery, at steady: Timestamp) -> Bool {
        guard delivery.claim.tries > Self.free else { return true }
        if let before = last[delivery.id], steady < before.advanced(by: Self.pause) { return false }
        if last.count >= limit {
            last = last.filter { steady < $0.value.advanced(by: Self.pause) }
            limit = max(1_024, 2 * last.count)
        }
        last[delivery.id] = steady
        return true
    }
}
