/// A length of time with a calendar part and an exact part: `1 month 2 days 3 h`.
///
/// In a lead time, months and then days are counted on the calendar of a zone; the exact part is added last. In a
/// duration, a day is 86,400 seconds, and months are not allowed.
public struct CalendarSpan: Sendable, Hashable, Codable {
    /// Calendar months; a year is 12.
    public var months: Int
    /// Calendar days; a week is 7.
    public var days: Int
    /// The exact part in nanoseconds.
    public var nanoseconds: Int64

    /// A span of these parts; none may be negative.
    public init(months: Int = 0, days: Int = 0, nanoseconds: Int64 = 0) {
        self.months = months
        self.days = days
        self.nanoseconds = nanoseconds
    }
}

/// Why a text is not a length of time.
public struct SpanProblem: Error, Sendable, Hashable {
    /// What is wrong and what to write instead.
    public var message: String

    /// A problem with that message.
    public init(_ message: String) {
        self.message = message
    }
}

extension CalendarSpan {
    /// The length with months of 30 days and days of 24 hours, to compare spans.
    package var nominalLength: Duration {
        .seconds(86_400) * (30 * months + days) + .nanoseconds(nanoseconds)
    }
}
