/// A bound of a trigger as written: a whole day, a local time, or an instant.
public enum DateOrTime: Sendable, Hashable {
    /// A day on the calendar of the trigger's zone.
    case day(LocalDateTime)
    /// A date and time on the clock of the trigger's zone.
    case local(LocalDateTime)
    /// An instant, written with an offset from UTC.
    case instant(Timestamp)

    /// Reads what ``DateTimeText/parse(_:)`` reads, but keeps a date without a time as a day.
    public static func parse(_ text: String) -> Result<DateOrTime, SpanProblem> {
        DateTimeText.parse(text).map { parsed in
            switch parsed {
            case .instant(let instant): .instant(instant)
            case .local(let local): AsciiScanner(text).contains(":") ? .local(local) : .day(local)
            }
        }
    }

    /// The local time at which it begins.
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

    /// Whether it ends before the other begins.
    package func isBefore(_ other: DateOrTime, in zone: Zone) -> Bool { latest(in: zone) < other.earliest(in: zone) }

    /// Its last instant: the last nanosecond of a day, the second occurrence of a repeated local time.
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

    /// The instants of an event at this time; a day stands for its first moment.
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

    /// A text that is equal for equal bounds.
    var canonicalText: String {
        switch self {
        case .day(let local): "\(local.dayNumber)d"
        case .local(let local): "\(local.epochSeconds).\(local.nanosecond)l"
        case .instant(let instant): "\(instant.nanoseconds)"
        }
    }
}
