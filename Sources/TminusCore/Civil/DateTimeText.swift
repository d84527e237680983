/// The forms of `at`.
public enum DateTimeText: Sendable, Hashable {
    case local(LocalDateTime)
    case instant(Timestamp)
    public static func parse(_ text: String) -> Result<DateTimeText, SpanProblem> { .failure(SpanProblem("TODO")) }
}
extension Timestamp {
    /// RFC 3339 in UTC with at least milliseconds
    public var rfc3339: String { "" }
    /// RFC 3339 with the offset of the zone
    public func rfc3339(in zone: Zone) -> String { "" }
}
