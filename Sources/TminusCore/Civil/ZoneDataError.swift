/// Why bytes or a text are not the rules of a time zone.
public struct ZoneDataError: Error, Sendable, Hashable, CustomStringConvertible {
    /// For people.
    public var reason: String

    /// An error with that reason.
    public init(_ reason: String) {
        self.reason = reason
    }

    public var description: String { reason }
}
