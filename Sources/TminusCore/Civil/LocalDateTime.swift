/// A date and a time of day on the calendar of some zone (proleptic Gregorian).
public struct LocalDateTime: Sendable, Hashable, Comparable {
    public var year: Int
    public var month: Int
    public var day: Int
    public var hour: Int
    public var minute: Int
    public var second: Int
    public var nanosecond: Int
    public init(_ year: Int, _ month: Int, _ day: Int, _ hour: Int = 0, _ minute: Int = 0, _ second: Int = 0, nanosecond: Int = 0) {
        (self.year, self.month, self.day, self.hour, self.minute, self.second, self.nanosecond) = (year, month, day, hour, minute, second, nanosecond)
    }
    public static func < (left: Self, right: Self) -> Bool { false }
}
