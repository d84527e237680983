/// The instants that a local time stands for.
public enum LocalResolution: Sendable, Hashable {
    /// The clock shows it once.
    case unique(Timestamp)
    /// The clock skips it. `before` and `after` lie earlier and later by the length of the gap.
    case gap(before: Timestamp, after: Timestamp)
    /// The clock shows it twice.
    case overlap(first: Timestamp, second: Timestamp)

    /// The instant by the policy `compatible`: a skipped time moves forward by the length of the gap (RFC 5545 section
    /// 3.3.5); of a repeated time the first instant counts.
    public var compatible: Timestamp {
        switch self {
        case .unique(let instant): instant
        case .gap(_, let after): after
        case .overlap(let first, _): first
        }
    }
}
