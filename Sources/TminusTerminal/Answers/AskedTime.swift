package import TminusCore

/// A past time as a user gives it to `tminus why`. Accepts the times that the commands print.
package struct AskedTime: Sendable, Hashable {
    private let parsed: DateOrTime
    private let precision: Duration
    /// Whether it was given without an offset, so that it depends on a zone.
    package private(set) var isLocal = false

    /// Parses every form that `at` takes, and also a space before the offset.
    ///
    /// An error names the invalid part.
    package static func parse(_ text: String) -> Result<AskedTime, SpanProblem> {
        var text = text
        if let blank = text.lastIndex(of: " "), let first = text[blank...].dropFirst().first, "+-Zz".contains(first) {
            text.remove(at: blank)
        }
        return DateOrTime.parse(text).map { parsed in
            var asked = AskedTime(parsed: parsed, precision: precision(of: text))
            if case .instant = parsed { asked.isLocal = false } else { asked.isLocal = true }
            return asked
        }
    }

    /// The same, and plain words such as `yesterday 9:00` or `fri`, which mean the last such time before `now`.
    package static func parse(_ text: String, now: Timestamp, zone: Zone) -> Result<AskedTime, SpanProblem> {
        let exact = parse(text)
        guard case .failure = exact else { return exact }
        return PlainDate.parse(text, now: now, zone: zone, allowsPast: true, looking: .back).map { date in
            let local = zone.local(date.instant)
            if date.isWholeDay { return AskedTime(parsed: .day(local), precision: .seconds(60), isLocal: true) }
            // An instant, because of a repeated local time the first is meant.
            return AskedTime(
                parsed: .instant(date.instant), precision: .seconds(local.second == 0 ? 60 : 1), isLocal: true)
        }
    }

    /// The instants the text stands for: a whole day, minute or second, depending on its precision, or with a fraction
    /// a single instant.
    package func span(in zone: Zone) -> ClosedRange<Timestamp> {
        switch parsed {
        case .day(let day): span(from: zone.instant(of: day), before: zone.instant(of: day.adding(months: 0, days: 1)))
        case .local(let local): span(from: zone.instant(of: local))
        case .instant(let instant): span(from: instant)
        }
    }

    /// The span in words, in local time: its first instant and, for a day or minute, its last second.
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

    /// The length of the smallest unit that the text gives.
    private static func precision(of text: String) -> Duration {
        if text.contains(".") { return .nanoseconds(1) }
        // The date and its separator take eleven characters; an offset begins with a sign.
        let time = text.dropFirst(11).prefix { $0 != "+" && $0 != "-" }
        return time.count { $0 == ":" } > 1 ? .seconds(1) : .seconds(60)
    }
}
