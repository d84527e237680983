package import TminusCore

/// A time of the past as a person asks for it: what these commands write can be given back to them.
package struct AskedTime: Sendable, Hashable {
    private let parsed: DateOrTime
    private let precision: Duration

    /// Reads what `at` takes, also with a blank before the offset.
    ///
    /// Errors name the part that does not exist.
    package static func parse(_ text: String) -> Result<AskedTime, SpanProblem> {
        var text = text
        if let blank = text.lastIndex(of: " "), let first = text[blank...].dropFirst().first, "+-Zz".contains(first) {
            text.remove(at: blank)
        }
        return DateOrTime.parse(text).map { AskedTime(parsed: $0, precision: precision(of: text)) }
    }

    /// The instants that are meant: a day, a minute or second as it is written, or with a fraction one instant.
    package func span(in zone: Zone) -> ClosedRange<Timestamp> {
        switch parsed {
        case .day(let day): span(from: zone.instant(of: day), before: zone.instant(of: day.adding(months: 0, days: 1)))
        case .local(let local): span(from: zone.instant(of: local))
        case .instant(let instant): span(from: instant)
        }
    }

    /// Its first instant, and of a day or minute the last second, on the clock of a zone.
    package func words(in zone: Zone) -> String {
        let span = span(in: zone)
        let (first, last) = (HistoryText.local(span.lowerBound, zone), HistoryText.local(span.upperBound, zone))
        return first == last ? first : "\(first) to \(last)"
    }

    private func span(from start: Timestamp) -> ClosedRange<Timestamp> {
        span(from: start, before: start.advanced(by: precision))
    }

    /// Where a zone leaves out a whole day, both instants are the same.
    private func span(from start: Timestamp, before end: Timestamp) -> ClosedRange<Timestamp> {
        start...max(start, end.advanced(by: .nanoseconds(-1)))
    }

    /// How much the last part of a time stands for.
    private static func precision(of text: String) -> Duration {
        if text.contains(".") { return .nanoseconds(1) }
        // The date has ten characters and one after it; an offset begins with a sign.
        let time = text.dropFirst(11).prefix { $0 != "+" && $0 != "-" }
        return time.count { $0 == ":" } > 1 ? .seconds(1) : .seconds(60)
    }
}
