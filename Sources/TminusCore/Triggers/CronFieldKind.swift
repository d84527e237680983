/// The fields of a cron expression.
enum CronFieldKind {
    case second, minute, hour, dayOfMonth, month, dayOfWeek

    /// The name of the field, for messages.
    var name: String {
        switch self {
        case .second: "second field"
        case .minute: "minute field"
        case .hour: "hour field"
        case .dayOfMonth: "day-of-month field"
        case .month: "month field"
        case .dayOfWeek: "day-of-week field"
        }
    }

    /// The numbers that may be written; 7 also means Sunday.
    var values: ClosedRange<Int> {
        switch self {
        case .second, .minute: 0...59
        case .hour: 0...23
        case .dayOfMonth: 1...31
        case .month: 1...12
        case .dayOfWeek: 0...7
        }
    }

    /// The names that may be written, in the order of their numbers.
    var names: [String] {
        switch self {
        case .month: ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"]
        case .dayOfWeek: ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"]
        default: []
        }
    }

    /// What to write instead of the syntax of another cron; nil if the item is no such syntax.
    func hint(for item: String) -> String? {
        if item == "?" { return "'?' is not known; write '*'" }
        if item.contains("~") { return "\(item.excerpt): a random value is not known; use 'jitter'" }
        guard self == .dayOfMonth || self == .dayOfWeek else { return nil }
        if item.contains("#") {
            return "\(item.excerpt): the nth day of the week is not known; use 'rrule: FREQ=MONTHLY;BYDAY=1MO'"
        }
        let upper = item.uppercased()
        let isSpecial =
            upper == "L" || upper == "LW"
            || upper.dropLast().allSatisfy(\.isNumber) && upper.count > 1
                && (upper.hasSuffix("L") || upper.hasSuffix("W"))
        return isSpecial
            ? "\(item.excerpt) is not known; use 'rrule', such as 'FREQ=MONTHLY;BYMONTHDAY=-1' for the last day" : nil
    }

    /// How to write a range that wraps around.
    func advice(low: Int, high: Int, step: Int) -> String {
        guard step == 1 else { return "" }
        if self == .dayOfWeek, high == 0 { return "; write '\(low)-7', Sunday is also 7" }
        let (first, last) = (self == .dayOfWeek ? 0 : values.lowerBound, self == .dayOfWeek ? 6 : values.upperBound)
        func range(_ low: Int, _ high: Int) -> String { low == high ? "\(low)" : "\(low)-\(high)" }
        return low <= last ? "; write '\(range(low, last)),\(range(first, high))'" : ""
    }
}
