/// A recurrence rule: the RRULE of RFC 5545 section 3.3.10.
///
/// Lists are sorted and without duplicates, so equal rules have the same text (``description``).
public struct RecurrenceRule: Sendable, Hashable {
    /// The unit of the periods of a rule.
    public enum Frequency: String, Sendable, Hashable, CaseIterable {
        case secondly = "SECONDLY"
        case minutely = "MINUTELY"
        case hourly = "HOURLY"
        case daily = "DAILY"
        case weekly = "WEEKLY"
        case monthly = "MONTHLY"
        case yearly = "YEARLY"

        /// The length in seconds of a period shorter than a day; nil for longer periods.
        var length: Int? {
            switch self {
            case .secondly: 1
            case .minutely: 60
            case .hourly: 3_600
            default: nil
            }
        }
    }

    /// The inclusive end of a rule.
    public enum Until: Sendable, Hashable {
        /// An instant, written in UTC.
        case instant(Timestamp)
        /// A local time in the zone of the start.
        case local(LocalDateTime)
        /// The whole of a day in the zone of the start.
        case day(LocalDateTime)
    }

    /// An item of BYDAY.
    public struct Weekday: Sendable, Hashable, Comparable {
        /// Which one of the month or year, counted from its end if negative; 0 means all.
        public var ordinal: Int
        /// 0 is Sunday.
        public var day: Int

        /// A day of the week, or the nth of its month or year.
        public init(_ ordinal: Int = 0, day: Int) {
            self.ordinal = ordinal
            self.day = day
        }

        public static func < (left: Self, right: Self) -> Bool { (left.ordinal, left.day) < (right.ordinal, right.day) }
    }

    /// FREQ.
    public internal(set) var frequency: Frequency
    /// INTERVAL; at least 1.
    public internal(set) var interval = 1
    /// COUNT, including the start; nil means no limit.
    public internal(set) var count: Int?
    /// UNTIL.
    public internal(set) var until: Until?
    /// WKST: the first day of a week; 0 is Sunday.
    public internal(set) var weekStart = 1
    /// BYSECOND.
    public internal(set) var seconds: [Int] = []
    /// BYMINUTE.
    public internal(set) var minutes: [Int] = []
    /// BYHOUR.
    public internal(set) var hours: [Int] = []
    /// BYDAY.
    public internal(set) var weekdays: [Weekday] = []
    /// BYMONTHDAY.
    public internal(set) var monthDays: [Int] = []
    /// BYYEARDAY.
    public internal(set) var yearDays: [Int] = []
    /// BYWEEKNO.
    public internal(set) var weekNumbers: [Int] = []
    /// BYMONTH.
    public internal(set) var months: [Int] = []
    /// BYSETPOS.
    public internal(set) var positions: [Int] = []

    /// A rule with one occurrence in each period.
    init(_ frequency: Frequency) { self.frequency = frequency }

    /// The two-letter names of the days of the week, from Sunday on.
    static let weekdayNames = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"]
}
