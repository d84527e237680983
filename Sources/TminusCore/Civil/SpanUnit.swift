/// The units of a length of time, with the names of systemd.time(7).
package enum SpanUnit: CaseIterable {
    case microsecond, millisecond, second, minute, hour, day, week, month, year

    /// A month in systemd.time(7), and often a typing error for ``minute``.
    package static let bareMonth = "M"

    /// The ways to write it after a number. Case matters: `m` is a minute and `M` a month. `mo` is not in systemd.time(7).
    var names: [String] {
        switch self {
        case .microsecond: ["us", "usec", "\u{B5}s", "\u{3BC}s"]
        case .millisecond: ["ms", "msec"]
        case .second: ["s", "sec", "second", "seconds"]
        case .minute: ["m", "min", "minute", "minutes"]
        case .hour: ["h", "hr", "hour", "hours"]
        case .day: ["d", "day", "days"]
        case .week: ["w", "week", "weeks"]
        case .month: [Self.bareMonth, "mo", "month", "months"]
        case .year: ["y", "year", "years"]
        }
    }

    /// Its length as an exact duration. A year is 365.25 days and a month a twelfth of that, as in systemd.
    var nanoseconds: UInt128 {
        switch self {
        case .microsecond: 1_000
        case .millisecond: 1_000_000
        case .second: 1_000_000_000
        case .minute: 60_000_000_000
        case .hour: 3_600_000_000_000
        case .day: 86_400_000_000_000
        case .week: 604_800_000_000_000
        case .month: 2_629_800_000_000_000
        case .year: 31_557_600_000_000_000
        }
    }

    /// The unit of that name.
    init?(name: String) {
        guard let unit = Self.byName[name] else { return nil }
        self = unit
    }

    /// All names, for suggestions and the schema.
    package static let allNames = allCases.flatMap(\.names)

    private static let byName = Dictionary(
        uniqueKeysWithValues: allCases.flatMap { unit in unit.names.map { ($0, unit) } })
}
