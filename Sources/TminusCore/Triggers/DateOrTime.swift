/// A bound of a trigger as it is written: a whole day, a time of day on it, or an instant.
public enum DateOrTime: Sendable, Hashable {
    /// A day on the calendar of the trigger's zone.
    case day(LocalDateTime)
    /// A date and time on the clock of the trigger's zone.
    case local(LocalDateTime)
    /// An instant, written with an offset from UTC.
    case instant(Timestamp)

    /// Reads what ``DateTimeText/parse(_:)`` reads, and keeps a date without a time apart.
    public static func parse(_ text: String) -> Result<DateOrTime, SpanProblem> {
        DateTimeText.parse(text).map { parsed in
            switch parsed {
            case .instant(let instant): .instant(instant)
            case .local(let local): AsciiScanner(text).contains(":") ? .local(local) : .day(local)
            }
        }
    }

    /// The clock time with which it begins.
    func local(in zone: Zone) -> LocalDateTime {
        switch self {
        case .day(let local), .local(let local): local
        case .instant(let instant): zone.local(instant)
        }
    }

    /// Its first instant.
    func earliest(in zone: Zone) -> Timestamp {
        switch self {
        case .day(let local), .local(let local): zone.instant(of: local)
        case .instant(let instant): instant
        }
    }

    /// Whether it is over before another begins.
    package func isBefore(_ other: DateOrTime, in zone: Zone) -> Bool { latest(in: zone) < other.earliest(in: zone) }

    /// Its last instant: of a day, the last nanosecond; of a repeated clock time, the second.
    func latest(in zone: Zone) -> Timestamp {
        switch self {
        case .day(let local):
            zone.instant(of: local.adding(months: 0, days: 1)).advanced(by: .nanoseconds(-1))
        case .local(let local):
            switch zone.resolve(local) {
            case .unique(let instant): instant
            case .gap(_, let after): after
            case .overlap(_, let second): second
            }
        case .instant(let instant): instant
        }
    }

    /// The instants of a time of an event, or of the first moment of a day.
    func instants(in zone: Zone, _ daylightSaving: DaylightSaving) -> [Timestamp] {
        switch self {
        case .day(let local), .local(let local):
            switch (zone.resolve(local), daylightSaving) {
            case (.unique(let instant), _): [instant]
            case (.gap, .skip): []
            case (.gap(_, let after), _): [after]
            case (.overlap(let first, let second), .both): [first, second]
            case (.overlap(let first, _), _): [first]
            }
        case .instant(let instant): [instant]
        }
    }

    /// The same text for the same bound.
    var canonicalText: String {
        switch self {
        case .day(let local): "\(local.dayNumber)d"
        case .local(let local): "\(local.epochSeconds).\(local.nanosecond)l"
        case .instant(let instant): "\(instant.nanoseconds)"
        }
    }
}
