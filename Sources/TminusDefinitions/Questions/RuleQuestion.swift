package import TminusCore

/// A question about a rule that stands in no file: what comes next by it, or how long a length of time is.
package struct RuleQuestion: Sendable {
    /// What is asked about.
    package enum Subject: Sendable {
        /// When a rule occurs.
        case trigger(Trigger)
        /// The length of a duration.
        case duration(Duration)
    }

    /// What is asked about.
    package var subject: Subject
    /// The zone on whose clock the rule is read.
    package var zone: Zone
    /// Lead times of the occurrences.
    package var leads: [CalendarSpan]
    /// After which instant; nil: not said.
    package var from: Timestamp?
    /// How many occurrences.
    package var limit: Int

    /// After which instant the first occurrence is looked for: that said, else now for `cron` and `every`, and from the
    /// beginning for `rrule` and `at`, which have one.
    package func start(now: Timestamp) -> Timestamp {
        if let from { return from }
        switch subject {
        case .trigger(.cron), .trigger(.every): return now
        case .trigger(.at), .trigger(.recurrence), .duration: return .distantPast
        }
    }

    /// How many occurrences are told if the question does not say.
    package static let standardLimit = 5

    /// The keys of a question.
    static let keys = KeyTable(
        "a question",
        [
            .init("id", .text, "what the answer repeats"),
            .init(
                "cron", .cron, "five fields as in crontab(5), or six with seconds first", example: "30 9 * * MON-FRI"),
            .init("rrule", .recurrence, "a recurrence rule of RFC 5545, from 'start' on", example: "FREQ=DAILY"),
            .init("at", .oneOrMore(.dateTime), "a date and time, or several", example: "2026-12-01 09:00"),
            .init("every", .lead, "a distance from 'start' on", example: "2 weeks"),
            .init("duration", .duration, "a length of time", example: "1h 30m"),
            .init("tz", .zone, "the IANA time zone", otherwise: "that of the machine", example: "Europe/Berlin"),
            .init("from", .dateTime, "only what comes after this", example: "2026-12-01 09:00"),
            .init("start", .dateTime, "where the rule begins", example: "2026-12-01 09:00"),
            .init("until", .dateTime, "the last moment", example: "2026-12-31"),
            .init("count", .integer(1...Int.max), "how many occurrences there are", example: "10"),
            .init("except", .zeroOrMore(.dateTime), "days or times that are left out", example: "2026-12-24"),
            .init("dst", .choice(DaylightSaving.allCases.map(\.rawValue)), "as in a definition", example: "skip"),
            .init("before", .oneOrMore(.lead), "a lead time", example: "1 day"),
            .init("n", .integer(1...limits), "how many occurrences are told", standard: "5", example: "10"),
        ],
        rules: [
            .exactlyOne(["cron", "rrule", "at", "every", "duration"]),
            .needs("rrule", "start", because: "a rule counts from there, such as 2026-12-01 09:00"),
        ])

    static let limits = 100_000
}
