package import TminusCore

/// A question about a rule outside of a file: its next occurrences, or the length of a duration.
package struct RuleQuestion: Sendable {
    /// The subject of a question.
    package enum Subject: Sendable {
        /// The next occurrences of a rule.
        case trigger(Trigger)
        /// The length of a duration.
        case duration(Duration)
    }

    /// The subject.
    package var subject: Subject
    /// The zone of the rule.
    package var zone: Zone
    /// Lead times whose due instants are wanted.
    package var leads: [CalendarSpan]
    /// The instant after which occurrences are wanted; nil if the question has none.
    package var from: Timestamp?
    /// The number of occurrences.
    package var limit: Int

    /// The instant from which to search: the given one, else now for `cron` and `every`, and the beginning for `rrule`
    /// and `at`, which have one.
    package func start(now: Timestamp) -> Timestamp {
        if let from { return from }
        switch subject {
        case .trigger(.cron), .trigger(.every): return now
        case .trigger(.at), .trigger(.recurrence), .duration: return .distantPast
        }
    }

    /// The default number of occurrences.
    package static let standardLimit = 5

    /// The keys of a question.
    static let keys = KeyTable(
        "a question",
        [
            .init("id", .text, "copied to the answer"),
            .init(
                "cron", .cron, "five fields as in crontab(5), or six with seconds first", example: "30 9 * * MON-FRI"),
            .init("rrule", .recurrence, "a recurrence rule of RFC 5545, from 'start' on", example: "FREQ=DAILY"),
            .init("at", .oneOrMore(.dateTime), "a date and time, or several", example: "2026-12-01 09:00"),
            .init("every", .lead, "the interval from 'start' on", example: "2 weeks"),
            .init("duration", .duration, "a length of time", example: "1h 30m"),
            .init("tz", .zone, "the IANA time zone", otherwise: "the zone of the machine", example: "Europe/Berlin"),
            .init("from", .dateTime, "only occurrences after this", example: "2026-12-01 09:00"),
            .init("start", .dateTime, "the start of the rule", example: "2026-12-01 09:00"),
            .init("until", .dateTime, "the latest possible occurrence", example: "2026-12-31"),
            .init("count", .integer(1...Int.max), "the maximum number of occurrences", example: "10"),
            .init("except", .zeroOrMore(.dateTime), "excluded days or times", example: "2026-12-24"),
            .init("dst", .choice(DaylightSaving.allCases.map(\.rawValue)), "as in a definition", example: "skip"),
            .init("before", .oneOrMore(.lead), "a lead time", example: "1 day"),
            .init("n", .integer(1...limits), "how many occurrences to return", standard: "5", example: "10"),
        ],
        rules: [
            .exactlyOne(["cron", "rrule", "at", "every", "duration"]),
            .needs("rrule", "start", because: "a rule counts from there, such as 2026-12-01 09:00"),
        ])

    static let limits = 100_000
}
