extension CalendarSpan {
    public static func parse(_ text: String) -> Result<CalendarSpan, SpanProblem> { .failure(SpanProblem("TODO")) }
    /// nil if it has months
    public var exactDuration: Duration? { nil }
    public var iso8601: String { "" }
    /// words, "1 day", "1 hour 30 minutes"
    public var text: String { "" }
}
