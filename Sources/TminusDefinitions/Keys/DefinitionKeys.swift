package import TminusCore

/// The keys of a definition file: what decodes it, checks it, describes it.
package enum DefinitionKeys {
    /// The tables that do not depend on the kinds of sink, by the names that ``KeyTable/ValueType`` gives them, in the order
    /// of the reference.
    package static let tables: [(name: String, table: KeyTable)] = [
        ("file", file), ("defaults", defaults), ("event", event), ("timer", timer), ("reminder", reminder),
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
        ])

    /// `defaults`.
    package static let defaults = KeyTable(
        "'defaults'",
        [
            timezone.otherwise("that of the machine"), labels.otherwise("those of the definitions alone"),
            remind.otherwise("none"),
            onReminder.standard("[stdout]"), onExpiry.standard("[stdout]"),
        ])

    /// An event.
    package static let event = KeyTable(
        "an event",
        common + [
            .init(
                "at", .oneOrMore(.dateTime), "a date and time such as '2026-12-01 09:00', or a list of them",
                isRequired: true, example: "2026-12-01 09:00"),
            timezone, remind, onReminder, onExpiry,
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
            remind, onReminder, onExpiry,
        ],
        rules: [.needs("count", "repeat", except: "never", because: "a timer that does not repeat expires once")])

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
    private static let onExpiry = KeyTable.Key(
        "on-expiry", .zeroOrMore(.action), "where the expiry goes",
        otherwise: "that of 'defaults', else [stdout]", example: "{ shell: ./hook.sh, timeout: 2 minutes }")
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
