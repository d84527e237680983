package import TminusCore

/// The keys of a definition file. The decoder, the schema and the reference use these tables.
package enum DefinitionKeys {
    /// The tables that do not depend on the kinds of sinks, in the order of the reference. The names are those that
    /// ``KeyTable/ValueType`` uses.
    package static let tables: [(name: String, table: KeyTable)] = [
        ("file", file), ("defaults", defaults), ("event", event), ("timer", timer), ("stopwatch", stopwatch),
        ("reminder", reminder),
        ("retry", SinkPolicy.retryTable),
    ]

    /// The sections of a file.
    package static let file = KeyTable(
        "a definition file",
        [
            .init(
                "defaults", .table("defaults"), "the defaults of all definitions of the file",
                example: "{ timezone: Europe/Berlin }"),
            .init("sinks", .byID("sink"), "sinks by their id", example: "{ log: { shell: ./log.sh } }"),
            .init("events", .byID("event"), "events by their id", example: "{ launch: { at: 2026-12-01 09:00 } }"),
            .init("timers", .byID("timer"), "timers by their id", example: "{ tea: { duration: 4m } }"),
            .init(
                "stopwatches", .byID("stopwatch"), "stopwatches by their id",
                example: "{ workout: { at-elapsed: 30m } }"),
            .init(
                "$schema", .text, "the JSON Schema of the file, for editors; tminus does not read it",
                example: "./tminus.schema.json"),
        ])

    /// `defaults`.
    package static let defaults = KeyTable(
        "'defaults'",
        [
            timezone.otherwise("the zone of the machine"), labels.otherwise("none"),
            remind.otherwise("none"),
            onReminder.standard("[stdout]"), onExpiry.standard("[stdout]"),
            onElapsed.standard("[stdout]"),
            onFailure.otherwise("no reports"), overlap.otherwise("'skip' for commands, else 'queue'"),
            catchUp.otherwise("'none' for repeating timers, else 'latest'"), grace.standard("7 days"),
            dst.standard("compatible"),
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
                "the interval from 'start' on; days and longer units count on the calendar, shorter ones in elapsed time",
                example: "2 weeks"),
            .init(
                "cron", .cron,
                "five fields as in crontab(5), six with seconds first, or a macro such as @daily",
                example: "\"30 9 * * MON-FRI\"", aliases: ["cron-expression", "crontab", "schedule"]),
            .init(
                "rrule", .recurrence, "a recurrence rule of RFC 5545, from 'start' on",
                example: "FREQ=MONTHLY;BYMONTHDAY=-1"),
            .init(
                "start", .dateTime, "no occurrence is earlier; it is the first occurrence of 'every' and 'rrule'",
                otherwise: "no bound", example: "2026-01-31 12:00"),
            .init(
                "until", .dateTime, "the latest possible occurrence; a date without a time includes the whole day",
                otherwise: "no bound", example: "2030-12-31"),
            .init(
                "count", .integer(1...Int.max), "the maximum number of occurrences, from the start on",
                otherwise: "no bound",
                example: "10"),
            .init(
                "except", .zeroOrMore(.dateTime), "excluded days or times", otherwise: "none",
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
                "'auto' starts the first cycle when the timer is first loaded, 'manual' waits for 'tminus start'",
                standard: "auto", example: "manual"),
            .init(
                "repeat", .choice(Timer.Repetition.allCases.map(\.rawValue)),
                "when the next cycle starts: never, at the expiry (fixed rate), or when the actions of the expiry have ended",
                standard: "never", example: "after-action"),
            .init(
                "count", .integer(1...Int.max), "the maximum number of expiries; needs 'repeat'", otherwise: "no bound",
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
                "'auto' starts it when it is first loaded, 'manual' waits for 'tminus start'", standard: "manual",
                example: "auto"),
            .init(
                "at-elapsed", .zeroOrMore(.duration), "the elapsed times at which the stopwatch sends an alert",
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
                "do", .zeroOrMore(.action), "where this reminder goes", otherwise: "the list of 'on-reminder'",
                example: "[stdout]"),
        ],
        rules: [.exactlyOne(["before", "after"])])

    private static let common: [KeyTable.Key] = [
        .init("name", .text, "the display name", otherwise: "the id", example: "Green tea"),
        .init("description", .text, "a longer text for people", example: "Second infusion"),
        .init(
            "color", .either([.choice(ColorText.names), .hexColor]), "a colour by name, or '#rrggbb' in quotes",
            example: "\"#ff8800\""),
        labels,
        .init("enabled", .boolean, "'false' keeps it listed, but sends nothing", standard: "true", example: "false"),
    ]

    private static let labels = KeyTable.Key(
        "labels", .map(.text), "named texts, passed to every payload",
        otherwise: "those of 'defaults', which are always added", example: "{ team: space }")
    private static let timezone = KeyTable.Key(
        "timezone", .zone, "the IANA time zone of dates and times without an offset",
        otherwise: "that of 'defaults', else the zone of the machine", example: "Europe/Berlin",
        aliases: ["tz", "zone", "time-zone"])
    private static let remind = KeyTable.Key(
        "remind", .zeroOrMore(.either([.lead, .table("reminder")])),
        "the lead times of reminders; an item with its own actions is { before: 1 day, do: ... }",
        otherwise: "that of 'defaults', else none", example: "[1 week, 1 day, { after: 10m, do: stdout }]")
    private static let onReminder = KeyTable.Key(
        "on-reminder", .zeroOrMore(.action), "where reminders go",
        otherwise: "that of 'defaults', else [stdout]", example: "[stdout, { shell: ./hook.sh }]", aliases: ["notify"])
    private static let catchUp = KeyTable.Key(
        "catch-up", .choice(CatchUp.allCases.map(\.rawValue)),
        "which occurrences missed in downtime, suspend or a clock step are sent: the newest, all (at most the newest 1,000), "
            + "or none; the others are counted and recorded",
        otherwise: "that of 'defaults', else 'none' for repeating timers and 'latest' for all others", example: "all")
    private static let grace = KeyTable.Key(
        "grace", .duration,
        "how late an expiry is still useful; a later one is recorded as missed. A reminder is useful until its occurrence",
        otherwise: "that of 'defaults', else 7 days", example: "1h")
    private static let dst = KeyTable.Key(
        "dst", .choice(DaylightSaving.allCases.map(\.rawValue)),
        "what happens to a clock time that is skipped or repeated: moved by the gap, or the first of two ('compatible'); "
            + "dropped, or the first of two ('skip'); moved, or both of two ('both')",
        otherwise: "that of 'defaults', else compatible", example: "skip")
    private static let jitter = KeyTable.Key(
        "jitter", .duration,
        "delays each expiry by up to this much; the delay depends on id and occurrence only, and never reaches the next one",
        otherwise: "that of 'defaults', else none", example: "5m")
    private static let clock = KeyTable.Key(
        "clock", .choice(Timer.Clock.allCases.map(\.rawValue)),
        "what a timer counts: elapsed time, time that the machine is awake, or wall clock time",
        otherwise: "that of 'defaults', else elapsed", example: "awake")
    private static let onExpiry = KeyTable.Key(
        "on-expiry", .zeroOrMore(.action), "where the expiry goes",
        otherwise: "that of 'defaults', else [stdout]", example: "{ shell: ./hook.sh, timeout: 2 minutes }",
        aliases: ["notify", "command", "url", "action", "actions"])
    private static let onElapsed = KeyTable.Key(
        "on-elapsed", .zeroOrMore(.action), "where the alerts of 'at-elapsed' go",
        otherwise: "that of 'defaults', else [stdout]", example: "[stdout]", aliases: ["notify"])
    private static let onFailure = KeyTable.Key(
        "on-failure", .zeroOrMore(.action), "where reports of dead deliveries and missed expiries go",
        otherwise: "that of 'defaults', else no reports", example: "{ shell: ./alarm.sh }")
    private static let overlap = KeyTable.Key(
        "overlap", .choice(Overlap.allCases.map(\.rawValue)),
        "what happens to an action while that of an earlier occurrence is not over",
        otherwise: "that of 'defaults', else 'skip' for commands and 'queue' for other sinks", example: "replace")
}

extension DefinitionKind {
    /// The keys of a definition of this kind.
    var table: KeyTable {
        switch self {
        case .event: DefinitionKeys.event
        case .timer: DefinitionKeys.timer
        case .stopwatch: DefinitionKeys.stopwatch
        }
    }

    /// The section of a file that contains definitions of this kind.
    var section: String {
        switch self {
        case .event: "events"
        case .timer: "timers"
        case .stopwatch: "stopwatches"
        }
    }
}

extension KeyTable.Key {
    /// A copy of the key with another description of its default.
    fileprivate func otherwise(_ words: String) -> Self {
        var key = self
        key.otherwise = words
        return key
    }

    /// A copy of the key with another default value.
    fileprivate func standard(_ value: String) -> Self {
        var key = self
        (key.standard, key.otherwise) = (value, nil)
        return key
    }
}
