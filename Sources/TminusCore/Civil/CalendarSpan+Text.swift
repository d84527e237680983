extension CalendarSpan {
    /// Reads a lead time. Years, months, weeks and days are calendar units; smaller units are exact.
    ///
    /// The forms are `1h 30m` and `1 week 2 days` with the units of systemd.time(7), `1:30:00`, and ISO 8601. Parts add
    /// up (`1h 1h` is two hours). Case matters (`M` is a month, `m` a minute). In a fraction of a day or week, the
    /// whole days are calendar days and the rest is exact. A fraction of a year must amount to whole months, and a
    /// fraction of a month is an error. Digits below a nanosecond are ignored. Errors: no unit, an unknown unit, a
    /// minus sign, zero, more than 200 years.
    public static func parse(_ text: String) -> Result<CalendarSpan, SpanProblem> {
        SpanParts.read(text).flatMap { (parts: SpanParts) -> Result<CalendarSpan, SpanProblem> in
            var months: UInt128 = 0
            var days: UInt128 = 0
            var nanoseconds: UInt128 = 0
            for part in parts.parts {
                switch part.unit {
                case .year, .month:
                    let (whole, rest) = part.divided(into: part.unit == .year ? 12 : 1, restLength: UInt128(part.scale))
                    guard rest == 0 else {
                        return .failure(
                            SpanProblem("\(text.excerpt): a month has no half; write days for the fraction"))
                    }
                    months += whole
                case .week, .day:
                    let (whole, rest) = part.divided(
                        into: part.unit == .week ? 7 : 1, restLength: SpanUnit.day.nanoseconds)
                    days += whole
                    nanoseconds += rest
                default:
                    nanoseconds += part.divided(into: part.unit.nanoseconds, restLength: 0).whole
                }
                let total = months * SpanUnit.month.nanoseconds + days * SpanUnit.day.nanoseconds + nanoseconds
                guard total <= longest else { return .failure(tooLong(text)) }
            }
            guard months + days + nanoseconds > 0 else {
                return .failure(SpanProblem("\(text.excerpt) is zero; a lead time must be longer"))
            }
            return .success(CalendarSpan(months: Int(months), days: Int(days), nanoseconds: Int64(nanoseconds)))
        }
    }

    /// Reads an exact duration in the forms of ``parse(_:)``; zero is allowed.
    ///
    /// A day is 86,400 s. A year is 365.25 days and a month 30.4375 days, as in systemd. In the ISO 8601 form both are
    /// errors, because there they are calendar units. The limit is 200 years.
    public static func parseDuration(_ text: String) -> Result<Duration, SpanProblem> {
        SpanParts.read(text).flatMap { (parts: SpanParts) -> Result<Duration, SpanProblem> in
            var nanoseconds: UInt128 = 0
            for part in parts.parts {
                if parts.isISO, part.unit == .year || part.unit == .month {
                    return .failure(SpanProblem("\(text.excerpt): years and months have no fixed length; write days"))
                }
                nanoseconds += part.divided(into: part.unit.nanoseconds, restLength: 0).whole
                guard nanoseconds <= longest else { return .failure(tooLong(text)) }
            }
            return .success(.nanoseconds(Int64(nanoseconds)))
        }
    }

    /// The same, except that `M` alone is an error: in an exact duration it is more likely a typing error for `m`.
    public static func parseExactDuration(_ text: String) -> Result<Duration, SpanProblem> {
        if let doubt = monthDoubt(about: text) { return .failure(SpanProblem(doubt)) }
        return parseDuration(text)
    }

    /// The meaning of a text that writes months as `M` alone, for an error or a warning; nil for other texts.
    package static func monthDoubt(about text: String) -> String? {
        guard text.utf8.contains(UInt8(ascii: "M")), case .success(let parts) = SpanParts.read(text), parts.hasBareMonth
        else { return nil }
        return "\(text.excerpt): m is minutes, mo or month are months"
    }

    /// The longest span that users may write, which is less than `Int64.max` nanoseconds.
    private static let longest = 200 * SpanUnit.year.nanoseconds

    private static func tooLong(_ text: String) -> SpanProblem {
        SpanProblem("\(text.excerpt) is too long; write at most 200 years")
    }

    /// The exact length, with days of 86,400 s; nil if there are months, whose length is not fixed.
    public var exactDuration: Duration? {
        guard months == 0 else { return nil }
        let (seconds, overflow) = Int64(days).multipliedReportingOverflow(by: 86_400)
        return .seconds(overflow ? (days < 0 ? .min : .max) : seconds) + .nanoseconds(nanoseconds)
    }

    /// The span in ISO 8601. Equal spans have the same text, and ``parse(_:)`` reads it back to the same span (except
    /// zero, `PT0S`, which is not a lead time).
    public var iso8601: String {
        var text = "P"
        if months / 12 != 0 { text += "\(months / 12)Y" }
        if months % 12 != 0 { text += "\(months % 12)M" }
        if days != 0 { text += "\(days)D" }
        guard nanoseconds != 0 || text == "P" else { return text }
        let (hours, minutes, seconds) = clock
        text += "T"
        if hours != 0 { text += "\(hours)H" }
        if minutes != 0 { text += "\(minutes)M" }
        if seconds != "0" || text.hasSuffix("T") { text += "\(seconds)S" }
        return text
    }

    /// The span in words: `1 day`, `1 hour 30 minutes`, `2 weeks`. Whole weeks are written as weeks, other days as
    /// days.
    public var text: String {
        var words: [String] = []
        func add(_ count: String, _ unit: String) {
            if count != "0" { words.append("\(count) \(unit)\(count == "1" ? "" : "s")") }
        }
        add("\(months / 12)", "year")
        add("\(months % 12)", "month")
        if days % 7 == 0 { add("\(days / 7)", "week") } else { add("\(days)", "day") }
        let (hours, minutes, seconds) = clock
        add("\(hours)", "hour")
        add("\(minutes)", "minute")
        add(seconds, "second")
        return words.isEmpty ? "0 seconds" : words.joined(separator: " ")
    }

    /// The exact part in hours, minutes and decimal seconds.
    private var clock: (hours: Int64, minutes: Int64, seconds: String) {
        let whole = nanoseconds / 1_000_000_000
        let fraction = (nanoseconds % 1_000_000_000).magnitude
        var seconds = "\(whole % 60)"
        if fraction > 0 {
            if nanoseconds < 0, whole % 60 == 0 { seconds = "-0" }
            var digits = String(1_000_000_000 + fraction).dropFirst()
            while digits.last == "0" { digits.removeLast() }
            seconds += ".\(digits)"
        }
        return (whole / 3_600, whole / 60 % 60, seconds)
    }
}
