/// What becomes of a delivery that comes due while one of an earlier occurrence of the same definition to the same sink is not
/// over yet.
public enum Overlap: String, Sendable, Hashable, Codable, CaseIterable {
    /// Is not made while the earlier one runs; waits behind one that does not run, such as one that waits for a retry.
    case skip
    /// Waits until the earlier one is over.
    case queue
    /// Is made at the same time. Nothing keeps the order of such deliveries.
    case allow
    /// Takes the place of the earlier one, which is ended if it runs.
    case replace

    /// What a person reads of one that was skipped.
    public static let skippedReason = "an earlier occurrence was still running (overlap: skip)"
    /// What a person reads of one whose place was taken.
    public static let replacedReason = "a later occurrence took its place (overlap: replace)"
}

extension Overlap {
    /// The delivery at the head of those of one definition to one sink that are not over.
    public struct Head: Sendable, Hashable {
        /// Its occurrence.
        public var occurrence: Timestamp
        /// When the claim of who runs it ends; nil if it is not claimed. Only an unexpired claim means that it runs: a stored row
        /// alone can be left over from a process that was killed.
        public var claimedUntil: Timestamp?

        /// A head.
        public init(occurrence: Timestamp, claimedUntil: Timestamp?) {
            self.occurrence = occurrence
            self.claimedUntil = claimedUntil
        }
    }

    /// When a new delivery has its turn.
    public enum Turn: Sendable, Hashable {
        /// At its instant.
        case now
        /// When those before it are over.
        case behind
        /// Never.
        case skipped
        /// In the place of those before it that belong to other occurrences.
        case instead
    }

    /// When a delivery for `occurrence` has its turn, given the head of those before it.
    ///
    /// Actions of one occurrence, such as a reminder and the expiry, never push each other aside. What is sent to make up for a
    /// downtime is never skipped: it was asked for.
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
