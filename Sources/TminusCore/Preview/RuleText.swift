/// A rule in its normal form, which shows how it was understood.
package struct RuleText: Sendable, Hashable {
    /// The key of the definition: `at`, `every`, `cron`, `rrule`, `duration`, `at-elapsed`.
    package var key: String
    /// Its value in the normal form, which reads back to an equal rule.
    package var value: String
    /// Its bounds, in words.
    package var bounds: [String]

    /// The rule of a definition.
    package init(_ definition: Definition) {
        switch definition.schedule {
        case .event(let event): self.init(event.trigger, in: definition.zone)
        case .timer(let timer): self.init(timer, in: definition.zone)
        case .stopwatch(let stopwatch): self.init(stopwatch)
        }
    }

    /// The rule of an event.
    init(_ trigger: Trigger, in zone: Zone) {
        switch trigger {
        case .at(let instants, _):
            key = "at"
            value = instants.count == 1 ? DateOrTime.instant(instants[0]).text(in: zone) : "\(instants.count) times"
            bounds = []
        case .every(let trigger):
            (key, value) = ("every", trigger.span.text)
            bounds = Self.words(trigger.bounds, trigger.daylightSaving, in: zone)
        case .cron(let trigger):
            (key, value) = ("cron", trigger.expression.description)
            bounds = Self.words(trigger.bounds, trigger.daylightSaving, in: zone)
        case .recurrence(let trigger):
            (key, value) = ("rrule", trigger.rule.description)
            bounds = Self.words(trigger.bounds, trigger.daylightSaving, in: zone)
        }
    }

    /// The rule of a timer.
    init(_ timer: Timer, in zone: Zone) {
        key = "duration"
        value = CalendarSpan(nanoseconds: timer.duration.nanoseconds).text
        bounds =
            switch timer.repetition {
            case .never: []
            case .immediately: ["repeated at once"]
            case .afterAction: ["repeated after its actions"]
            }
        if let count = timer.count { bounds.append("count \(count)") }
    }

    /// The rule of a stopwatch.
    init(_ stopwatch: Stopwatch) {
        key = "at-elapsed"
        let times = stopwatch.alerts.map { CalendarSpan(nanoseconds: $0.nanoseconds).text }
        value = times.isEmpty ? "not set" : times.joined(separator: " and ")
        bounds = []
    }

    private static func words(_ bounds: TriggerBounds, _ daylightSaving: DaylightSaving, in zone: Zone) -> [String] {
        var words: [String] = []
        if let start = bounds.start { words.append("start \(start.text(in: zone))") }
        if let until = bounds.until { words.append("until \(until.text(in: zone))") }
        if let count = bounds.count { words.append("count \(count)") }
        if !bounds.except.isEmpty {
            words.append("except \(bounds.except.map { $0.text(in: zone) }.joined(separator: " and "))")
        }
        if daylightSaving != .compatible { words.append("dst \(daylightSaving.rawValue)") }
        return words
    }
}

extension DateOrTime {
    /// The form used in a definition; an instant gets the offset of the zone.
    fileprivate func text(in zone: Zone) -> String {
        switch self {
        case .day(let local): local.dateText
        case .local(let local): "\(local.dateText) \(local.shortTimeText)"
        case .instant(let instant): instant.rfc3339(in: zone).replacing(".000", with: "")
        }
    }
}
