public final class Zone: Sendable, Hashable {
    public let name: String
    /// Parses TZif
    public init(name: String, tzif bytes: [UInt8]) throws { self.name = name }
    public static let utc: Zone = { fatalError() }()
    /// seconds east of UTC
    public func offset(at instant: Timestamp) -> Int { 0 }
    public func local(_ instant: Timestamp) -> LocalDateTime { LocalDateTime(0,0,0) }
    /// by the "compatible" policy
    public func instant(of local: LocalDateTime) -> Timestamp { .distantPast }
    /// the instant a lead before/after
    public func instant(_ lead: CalendarSpan, _ side: Reminder.Side, of occurrence: Timestamp) -> Timestamp { occurrence }
    public static func == (l: Zone, r: Zone) -> Bool { l.name == r.name }
    public func hash(into h: inout Hasher) { h.combine(name) }
}
