package import TminusCore

/// The keys of a definition file: what decodes it, checks it, describes it.
package enum DefinitionKeys {
    /// The whole file.
    package static let file = KeyTable(
        "a definition file",
        [
            .init("defaults", .table("defaults"), "what holds for all definitions of the file"),
            .init("sinks", .map(.table("sink")), "sinks by their id"),
            .init("events", .map(.table("event")), "events by their id"),
            .init("timers", .map(.table("timer")), "timers by their id"),
        ])

    /// `defaults`.
    package static let defaults = KeyTable(
        "defaults", [timezone, labels, remind, onReminder, onExpiry])

    /// An event.
    package static let event = KeyTable(
        "an event",
        common + [
            .init(
                "at", .oneOrMore(.dateTime), "a date and time such as '2026-12-01 09:00', or a list of them",
                isRequired: true),
            timezone, remind, onReminder, onExpiry,
        ])

    /// A timer.
    package static let timer = KeyTable(
        "a timer",
        common + [
            .init("duration", .duration, "the length of one cycle, such as '1h 30m'", isRequired: true),
            .init(
                "start", .choice(Timer.Start.allCases.map(\.rawValue)), "what begins the first cycle",
                standard: "auto"),
            .init(
                "repeat", .choice(Timer.Repetition.allCases.map(\.rawValue)), "what happens after an expiry",
                standard: "never"),
            .init("count", .integer(1...Int.max), "how many expiries at the most"),
            remind, onReminder, onExpiry,
        ])

    /// One item of `remind`.
    package static let reminder = KeyTable(
        "a reminder",
        [
            .init("before", .lead, "how long before the occurrence"),
            .init("after", .lead, "how long after the occurrence"),
            .init("do", .oneOrMore(.action), "where it goes", standard: "on-reminder"),
        ])

    private static let common: [KeyTable.Key] = [
        .init("name", .text, "the name for people", standard: "the id"),
        .init("description", .text, "more for people"),
        .init("color", .text, "a colour by name, or '#rrggbb' in quotes"),
        labels,
        .init("enabled", .boolean, "'false' keeps it listed and silent", standard: "true"),
    ]

    private static let labels = KeyTable.Key(
        "labels", .map(.text), "texts by name, passed through to every payload")
    private static let timezone = KeyTable.Key(
        "timezone", .zone, "an IANA time zone", standard: "the zone of the machine")
    private static let remind = KeyTable.Key(
        "remind", .oneOrMore(.either([.lead, .table("reminder")])), "lead times of reminders")
    private static let onReminder = KeyTable.Key(
        "on-reminder", .oneOrMore(.action), "where reminders go", standard: "[stdout]")
    private static let onExpiry = KeyTable.Key(
        "on-expiry", .oneOrMore(.action), "where the expiry goes", standard: "[stdout]")
}
