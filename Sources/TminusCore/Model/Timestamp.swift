/// An instant of wall time: nanoseconds since 1970-01-01T00:00:00Z without leap seconds, from 1677 to 2262.
///
/// Wall time and elapsed time have different types: an elapsed time is a `Duration`.
public struct Timestamp: Sendable, Hashable, Comparable, Codable {
    /// Nanoseconds since the Unix epoch.
    public var nanoseconds: Int64

    /// An instant that many nanoseconds after the Unix epoch.
    public init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// An instant that many whole seconds after the Unix epoch; saturates outside 1677 to 2262.
    public init(seconds: Int64) {
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        nanoseconds = overflow ? (seconds < 0 ? .min : .max) : product
    }

    /// The latest representable instant.
    public static let distantFuture = Timestamp(nanoseconds: .max)
    /// The earliest representable instant.
    public static let distantPast = Timestamp(nanoseconds: .min)

    public static func < (left: Self, right: Self) -> Bool { left.nanoseconds < right.nanoseconds }

    /// The nanosecond before this one; saturates at ``distantPast``.
    var previous: Timestamp { advanced(by: .nanoseconds(-1)) }
}

extension Timestamp: InstantProtocol {
    /// The instant `duration` later; saturates at ``distantPast`` and ``distantFuture``.
    public func advanced(by duration: Duration) -> Timestamp {
        let (sum, overflow) = nanoseconds.addingReportingOverflow(duration.nanoseconds)
        return overflow ? (duration < .zero ? .distantPast : .distantFuture) : Timestamp(nanoseconds: sum)
    }

    /// The time from this instant to `other`. Always exact, because a `Duration` has a larger range.
    public func duration(to other: Timestamp) -> Duration {
        let (difference, overflow) = other.nanoseconds.subtractingReportingOverflow(nanoseconds)
        guard overflow else { return .nanoseconds(difference) }
        return .seconds(other.nanoseconds / 1_000_000_000 - nanoseconds / 1_000_000_000)
            + .nanoseconds(other.nanoseconds % 1_000_000_000 - nanoseconds % 1_000_000_000)
    }
}

extension Duration {
    /// The whole nanoseconds of this duration, rounded towards zero; saturates at 292 years. The negated number is
    /// always valid.
    public var nanoseconds: Int64 {
        // Up to nine seconds a division of 64 bits is enough. This matters because it runs several times for every
        // delivery.
        if let few = Int64(exactly: attoseconds) { return few / 1_000_000_000 }
        let magnitude = attoseconds.magnitude
        let (high, low) = (UInt64(truncatingIfNeeded: magnitude >> 64), UInt64(truncatingIfNeeded: magnitude))
        // From here on the quotient has more than 63 bits.
        guard high < 500_000_000 else { return attoseconds < 0 ? -.max : .max }
        // This is one instruction; a division of 128 by 128 bits is a loop.
        let whole = Int64(UInt64(1_000_000_000).dividingFullWidth((high, low)).quotient)
        return attoseconds < 0 ? -whole : whole
    }
}
