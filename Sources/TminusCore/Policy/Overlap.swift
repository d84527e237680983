/// What happens to a delivery that comes due while an earlier occurrence of the same definition still has a pending
/// delivery to the same sink.
public enum Overlap: String, Sendable, Hashable, Codable, CaseIterable {
    /// Dropped if the earlier one is running; otherwise, for instance if that one waits for a retry, it waits behind
    /// it.
    case skip
    /// Waits until the earlier one is over.
    case queue
    /// Runs at the same time; the order of such deliveries is undefined.
    case allow
    /// Replaces the earlier one, which is cancelled if it is running.
    case replace

    /// The reason recorded for a skipped delivery.
    public static let skippedReason = "an earlier occurrence was still running (overlap: skip)"
    /// The reason recorded for a replaced delivery.
    public static let replacedReason = "a later occurrence replaced it (overlap: replace)"
}

extension Overlap {
    /// The first of the pending deliveries of one definition to one sink.
    public struct Head: Sendable, Hashable {
        /// Its occurrence.
        public var occurrence: Timestamp
        /// When its claim expires; nil if it is not claimed. Only an unexpired claim means that it runs: a killed
        /// process can leave a claimed row behind.
        public var claimedUntil: Timestamp?

        /// Creates a head.
        public init(occurrence: Timestamp, claimedUntil: Timestamp?) {
            self.occurrence = occurrence
            self.claimedUntil = claimedUntil
        }
    }

    /// When a new delivery may run.
    public enum Turn: Sendable, Hashable {
        /// At its instant.
        case now
        /// After the deliveries before it.
        case behind
        /// Never.
        case skipped
        /// At once; it replaces the deliveries before it that belong to other occurrences.
        case instead
    }

    /// When a delivery for `occurrence` may run, given the head of those before it.
    ///
    /// Actions of one occurrence, such as a reminder and the expiry, never replace or skip each other. A catch-up
    /// delivery is never skipped, since the policy asked for it.
    public func turn(behind head: Head?, occurrence: Timestamp, isCatchUp: @autoclosure () -> Bool, now: Timestamp)
        -> Turn
    {
        guard self != .allow, let head else { return .now }
        guard head.occurrence != occurrence else { return .behind }
        switch self {
        case .allow: return .now
        case .queue: return .behind
        case .replace: return .instead
        case .skip:
            let isRunning = head.claimedUntil.map { $0 > now } ?? false
            return isRunning && !isCatchUp() ? .skipped : .behind
        }
    }
}
