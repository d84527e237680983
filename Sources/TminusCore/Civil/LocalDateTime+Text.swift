extension LocalDateTime {
    /// `2026-12-01`.
    package var dateText: String { "\(Self.digits(year, 4))-\(Self.digits(month, 2))-\(Self.digits(day, 2))" }

    /// `09:00:00`, followed by the fraction unless it is zero.
    package var timeText: String {
        var text = "\(Self.digits(hour, 2)):\(Self.digits(minute, 2)):\(Self.digits(second, 2))"
        guard nanosecond > 0 else { return text }
        text += ".\(Self.digits(nanosecond, 9))"
        while text.utf8.last == UInt8(ascii: "0") { text.removeLast() }
        return text
    }

    /// `09:00`, followed by the seconds unless they are zero.
    package var shortTimeText: String { second == 0 && nanosecond == 0 ? String(timeText.prefix(5)) : timeText }

    /// `Mon` to `Sun`.
    package var weekdayName: String { Self.weekdayNames[weekday] }

    private static let weekdayNames = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]

    private static func digits(_ number: Int, _ width: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, width - text.utf8.count)) + text
    }
}
