extension RecurrenceRule: CustomStringConvertible {
    /// The rule as RFC 5545 writes it; ``parse(_:)`` reads it back to an equal rule.
    public var description: String {
        var parts = ["FREQ=\(frequency.rawValue)"]
        if interval != 1 { parts.append("INTERVAL=\(interval)") }
        if let count { parts.append("COUNT=\(count)") }
        if let until { parts.append("UNTIL=\(until)") }
        func add(_ name: String, _ values: [Int]) {
            if !values.isEmpty { parts.append("\(name)=\(values.map(String.init).joined(separator: ","))") }
        }
        add("BYMONTH", months)
        add("BYWEEKNO", weekNumbers)
        add("BYYEARDAY", yearDays)
        add("BYMONTHDAY", monthDays)
        if !weekdays.isEmpty { parts.append("BYDAY=\(weekdays.map(\.description).joined(separator: ","))") }
        add("BYHOUR", hours)
        add("BYMINUTE", minutes)
        add("BYSECOND", seconds)
        add("BYSETPOS", positions)
        if weekStart != 1 { parts.append("WKST=\(Self.weekdayNames[weekStart])") }
        return parts.joined(separator: ";")
    }
}

extension RecurrenceRule.Weekday: CustomStringConvertible {
    /// `MO`, `1MO`, `-1FR`.
    public var description: String {
        (ordinal == 0 ? "" : "\(ordinal)") + RecurrenceRule.weekdayNames[day]
    }
}

extension RecurrenceRule.Until: CustomStringConvertible {
    /// The basic format of ISO 8601, as in RFC 5545 sections 3.3.4 and 3.3.5.
    public var description: String {
        switch self {
        case .instant(let instant): LocalDateTime(epochSeconds: instant.parts.seconds, nanosecond: 0).basicText + "Z"
        case .local(let local): local.basicText
        case .day(let day): String(day.basicText.prefix(8))
        }
    }
}

extension LocalDateTime {
    /// `20261201T090000`.
    fileprivate var basicText: String {
        func digits(_ number: Int, _ width: Int) -> String {
            let text = String(number)
            return String(repeating: "0", count: max(0, width - text.count)) + text
        }
        return digits(year, 4) + digits(month, 2) + digits(day, 2) + "T" + digits(hour, 2) + digits(minute, 2)
            + digits(second, 2)
    }
}
