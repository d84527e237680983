/// What instants a local time stands for.
public enum LocalResolution: Sendable, Hashable {
    /// The clock shows it once.
    case unique(Timestamp)
    /// The clock skips it. By the length of the gap, `before` is the instant of an earlier clock time and `after` of a later.
    case gap(before: Timestamp, after: Timestamp)
    /// The clock shows it twice.
    case overlap(first: Timestamp, second: Timestamp)

    /// The instant by the policy `compatible`: in a gap the clock time moves forward by its length (RFC 5545 section 3.3.5);
    /// of two instants the first.
    public var compatible: Timestamp {
        switch self {
        case .unique(let instant): instant
        case .gap(_, let after): after
        case .overlap(let first, _): first
        }
    }
}
