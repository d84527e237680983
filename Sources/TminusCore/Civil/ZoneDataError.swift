/// Why bytes or a text are not valid time zone rules.
public struct ZoneDataError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The reason, for display.
    public var reason: String

    /// An error with this reason.
    public init(_ reason: String) {
        self.reason = reason
    }

    public var description: String { reason }
}
