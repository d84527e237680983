package import TminusCore

/// The keys of a definition file: what decodes it, checks it, describes it.
package enum DefinitionKeys {
    /// The tables that do not depend on the kinds of sink, by the names that ``KeyTable/ValueType`` gives them, in the order
    /// of the reference.
    package static let tables: [(name: String, table: KeyTable)] = [
        ("file", file), ("defaults", defaults), ("event", event), ("timer", timer), ("stopwatch", stopwatch),
        ("reminder", reminder),
        ("retry", SinkPolicy.retryTable),
    ]

    /// The whole file.
    package static let file = KeyTable(
        "a definition file",
        [
            .init(
                "defaults", .table("defaults"), "what holds for all definitions of the file",
                example: "{ timezone: Europe/Berlin }"),
            .init("sinks", .byID("sink"), "sinks by their id", example: "{ log: { shell: ./log.sh } }"),
            .init("events", .byID("event"), "events by their id", example: "{ launch: { at: 2026-12-01 09:00 } }"),
            .init("timers", .byID("timer"), "timers by their id", example: "{ tea: { duration: 4m } }"),
            .init(
                "stopwatches", .byID("stopwatch"), "stopwatches by their id",
                example: "{ workout: { at-elapsed: 30m } }"),
        ])

    /// `defaults`.
    package static let defaults = KeyTable(
        "'defaults'",
        [
            timezone.otherwise("that of the machine"), labels.otherwise("those of the definitions alone"),
            remind.otherwise("none"),
            onReminder.standard("[stdout]"), onExpiry.standard("[stdout]"),
            onElapsed.standard("[stdout]"),
            onFailure.otherwise("nobody is told"), overlap.otherwise("'skip' for commands, else 'queue'"),
            catchUp.otherwise("by what a definition is"), grace.standard("7 days"), dst.standard("compatible"),
            jitter.otherwise("none"), clock.standard("elapsed"),
        ])

    /// An event.
    package static let event = KeyTable(
        "an event",
        common + [
            .init(
                "at", .oneOrMore(.dateTime), "a date and time such as '2026-12-01 09:00', or a list of them",
                example: "2026-12-01 09:00"),
            .init(
                "every", .lead,
                "a distance from 'start' on: days and more on the calendar, less in real time", example: "2 weeks"),
            .init(
                "cron", .cron,
                "five fields as in crontab(5), six with seconds first, or @daily and kin",
                example: "\"30 9 * * MON-FRI\""
            ),
            .init(
                "rrule", .recurrence, "a recurrence rule of RFC 5545, from 'start' on",
                example: "FREQ=MONTHLY;BYMONTHDAY=-1"),
            .init(
                "start", .dateTime, "nothing occurs before; the first occurrence of 'every' and 'rrule'",
                otherwise: "no bound", example: "2026-01-31 12:00"),
            .init(
                "until", .dateTime, "the last moment at which something may occur; a date alone includes its whole day",
                otherwise: "no bound", example: "2030-12-31"),
            .init(
                "count", .integer(1...Int.max), "how many occurrences from the start on", otherwise: "no bound",
                example: "10"),
            .init(
                "except", .zeroOrMore(.dateTime), "days or times that are left out", otherwise: "none",
                example: "[2026-12-25, 2026-12-31 09:30]"),
            timezone, dst, jitter, remind, onReminder, onExpiry, onFailure, overlap, catchUp, grace,
        ],
        rules: [
            .exactlyOne(["at", "every", "cron", "rrule"]),
            .needs("every", "start", because: "occurrences are counted from there, such as start: 2026-12-01 09:00"),
            .needs("rrule", "start", because: "a rule counts from there, such as start: 2026-12-01 09:00"),
        ])

    /// A timer.
    package static let timer = KeyTable(
        "a timer",
        common + [
            .init(
                "duration", .duration, "the length of one cycle, such as '1h 30m'", isRequired: true,
                example: "1h 30m"),
            .init(
                "start", .choice(Timer.Start.allCases.map(\.rawValue)),
                "'auto' begins the first cycle when the timer is first loaded, 'manual' does not",
                standard: "auto", example: "manual"),
            .init(
                "repeat", .choice(Timer.Repetition.allCases.map(\.rawValue)),
                "what happens after an expiry: the next cycle begins at a fixed rate, or when the expiry's actions have ended",
                standard: "never", example: "after-action"),
            .init(
                "count", .integer(1...Int.max), "how many expiries at the most; needs 'repeat'", otherwise: "no bound",
                example: "3"),
            clock, remind, onReminder, onExpiry, onFailure, overlap, catchUp, grace,
        ],
        rules: [.needs("count", "repeat", except: "never", because: "a timer that does not repeat expires once")])

    /// A stopwatch.
    package static let stopwatch = KeyTable(
        "a stopwatch",
        common + [
            .init(
                "start", .choice(Timer.Start.allCases.map(\.rawValue)),
                "'auto' starts it when it is first loaded, 'manual' does not", standard: "manual", example: "auto"),
            .init(
                "at-elapsed", .zeroOrMore(.duration), "the times of the stopwatch at which it tells",
                otherwise: "none", example: "[30m, 1h]"),
            onElapsed, onFailure, overlap,
        ])

    /// One item of `remind`.
    package static let reminder = KeyTable(
        "a reminder",
        [
            .init("before", .lead, "how long before the occurrence", example: "1 day"),
            .init("after", .lead, "how long after the occurrence", example: "10m"),
            .init(
                "do", .zeroOrMore(.action), "where it goes", otherwise: "the list of 'on-reminder'",
                example: "[stdout]"),
        ],
        rules: [.exactlyOne(["before", "after"])])

    private static let common: [KeyTable.Key] = [
        .init("name", .text, "the name for people", otherwise: "the id", example: "Green tea"),
        .init("description", .text, "more for people", example: "Second infusion"),
        .init(
            "color", .either([.choice(ColorText.names), .hexColor]), "a colour by name, or '#rrggbb' in quotes",
            example: "\"#ff8800\""),
        labels,
        .init("enabled", .boolean, "'false' keeps it listed and silent", standard: "true", example: "false"),
    ]

    private static let labels = KeyTable.Key(
        "labels", .map(.text), "texts by name, passed through to every payload",
        otherwise: "those of 'defaults', which are also added to a definition's own", example: "{ team: space }")
    private static let timezone = KeyTable.Key(
        "timezone", .zone, "the IANA time zone of dates and times without an offset",
        otherwise: "that of 'defaults', else that of the machine", example: "Europe/Berlin")
    private static let remind = KeyTable.Key(
        "remind", .zeroOrMore(.either([.lead, .table("reminder")])),
        "how long before an occurrence there are reminders; an item with its own actions is { before: 1 day, do: ... }",
        otherwise: "that of 'defaults', else none", example: "[1 week, 1 day, { after: 10m, do: stdout }]")
    private static let onReminder = KeyTable.Key(
        "on-reminder", .zeroOrMore(.action), "where reminders go",
        otherwise: "that of 'defaults', else [stdout]", example: "[stdout, { shell: ./hook.sh }]")
    private static let catchUp = KeyTable.Key(
        "catch-up", .choice(CatchUp.allCases.map(\.rawValue)),
        "what is sent of occurrences that were missed in downtime, suspend or a step of the clock: the newest, all (the newest "
            + "1,000 at most), or none; what is not sent is counted and recorded",
        otherwise: "that of 'defaults', else none for a timer that repeats and latest for the others", example: "all")
    private static let grace = KeyTable.Key(
        "grace", .duration,
        "how late an expiry is still useful; later it is recorded as missed. A reminder is useful until its occurrence",
        otherwise: "that of 'defaults', else 7 days", example: "1h")
    private static let dst = KeyTable.Key(
        "dst", .choice(DaylightSaving.allCases.map(\.rawValue)),
        "what is done about a clock time that does not exist or exists twice: moved by the gap and the first of two, left out, or "
            + "both of two",
        otherwise: "that of 'defaults', else compatible", example: "skip")
    private static let jitter = KeyTable.Key(
        "jitter", .duration,
        "moves each expiry by up to that much, always the same for the same id and occurrence, never beyond the next one",
        otherwise: "that of 'defaults', else none", example: "5m")
    private static let clock = KeyTable.Key(
        "clock", .choice(Timer.Clock.allCases.map(\.rawValue)),
        "what a timer counts: time that passes, time that the machine is awake, or what the wall clock shows",
        otherwise: "that of 'defaults', else elapsed", example: "awake")
    private static let onExpiry = KeyTable.Key(
        "on-expiry", .zeroOrMore(.action), "where the expiry goes",
        otherwise: "that of 'defaults', else [stdout]", example: "{ shell: ./hook.sh, timeout: 2 minutes }")
    private static let onElapsed = KeyTable.Key(
        "on-elapsed", .zeroOrMore(.action), "where the times of 'at-elapsed' are told",
        otherwise: "that of 'defaults', else [stdout]", example: "[stdout]")
    private static let onFailure = KeyTable.Key(
        "on-failure", .zeroOrMore(.action), "where it is told that a delivery was given up or an expiry missed",
        otherwise: "that of 'defaults', else nobody is told", example: "{ shell: ./alarm.sh }")
    private static let overlap = KeyTable.Key(
        "overlap", .choice(Overlap.allCases.map(\.rawValue)),
        "what becomes of an action while that of an earlier occurrence is not over",
        otherwise: "that of 'defaults', else 'skip' for commands and 'queue' for other sinks", example: "replace")
}

extension DefinitionKind {
    /// The keys of such a definition.
    var table: KeyTable {
        switch self {
        case .event: DefinitionKeys.event
        case .timer: DefinitionKeys.timer
        case .stopwatch: DefinitionKeys.stopwatch
        }
    }

    /// The key of a file under which such definitions are.
    var section: String {
        switch self {
        case .event: "events"
        case .timer: "timers"
        case .stopwatch: "stopwatches"
        }
    }
}

extension KeyTable.Key {
    /// The same key with other words for what holds when it is left out.
    fileprivate func otherwise(_ words: String) -> Self {
        var key = self
        key.otherwise = words
        return key
    }

    /// The same key with a value for what holds when it is left out.
    fileprivate func standard(_ value: String) -> Self {
        var key = self
        (key.standard, key.otherwise) = (value, nil)
        return key
    }
}
