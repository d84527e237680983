/// The upcoming occurrences of a definition, or of a rule alone, with their reminders and clock changes.
package struct SchedulePreview: Sendable {
    /// A reminder of an occurrence.
    package struct Lead: Sendable, Hashable {
        /// The distance from the occurrence.
        package var lead: CalendarSpan
        /// Whether it is before or after the occurrence.
        package var side: Reminder.Side
        /// The instant at which it is due.
        package var due: Timestamp
        /// Whether that instant is past, so that it is not sent.
        package var isPast: Bool
    }

    /// One occurrence.
    package struct Occurrence: Sendable, Hashable {
        /// The instant according to the rule.
        package var instant: Timestamp
        /// When its expiry is due; later than the instant by the jitter.
        package var expiry: Timestamp
        /// The effect of daylight saving on it.
        package var clockChange: ClockChange?
        /// The elapsed time of a stopwatch at that instant.
        package var elapsed: Duration?
        /// Its reminders, sorted by due instant.
        package var leads: [Lead]
        /// Whether it has passed, and only reminders after it are to come.
        package var isPast = false
    }

    /// The definition; nil for a rule alone.
    package var definition: Definition?
    /// The rule in its normal form.
    package var rule: RuleText
    /// The zone in which instants are shown.
    package var zone: Zone
    /// The instant that counts as the present; nothing at or before it is shown, apart from occurrences that have
    /// reminders after it.
    package var from: Timestamp
    /// The occurrences, sorted: passed ones with reminders that are still to come, then those to come.
    package var occurrences: [Occurrence]
    /// Dropped clock times before the last occurrence; of `at`, also those after it.
    package var leftOut: [ClockChange]
    /// Whether nothing occurs after the last one.
    package var isComplete: Bool
    /// An assumption that the reader must know, such as the start of a timer.
    package var note: String?

    /// The first occurrences of a rule alone after an instant.
    package init(
        _ trigger: Trigger, leads: [CalendarSpan], in zone: Zone, after from: Timestamp, limit: Int, now: Timestamp
    ) {
        self.init(
            trigger, reminders: leads.map { ($0, .before) }, in: zone, after: from, limit: limit, now: now,
            expiry: { $0 })
    }

    /// The first occurrences of a definition after an instant. A timer or stopwatch is assumed to start then.
    package init(_ definition: Definition, after from: Timestamp, limit: Int) {
        let reminders = definition.reminders.map { ($0.lead, $0.side) }
        switch definition.schedule {
        case .event(let event):
            let walk = ExpiryWalk(id: definition.id, trigger: event.trigger, jitter: event.jitter)
            self.init(
                event.trigger, reminders: reminders, in: definition.zone, after: from, limit: limit, now: from,
                expiry: walk.due)
        case .timer(let timer):
            self.init(timer, reminders: reminders, in: definition.zone, from: from, limit: limit)
        case .stopwatch(let stopwatch):
            self.init(stopwatch, in: definition.zone, from: from, limit: limit)
        }
        self.definition = definition
    }

    private init(
        _ trigger: Trigger, reminders: [(CalendarSpan, Reminder.Side)], in zone: Zone, after from: Timestamp,
        limit: Int, now: Timestamp, expiry: (Timestamp) -> Timestamp
    ) {
        rule = RuleText(trigger, in: zone)
        self.zone = zone
        self.from = now
        occurrences = []
        func occurrence(_ instant: Timestamp, isPast: Bool) -> Occurrence {
            Occurrence(
                instant: instant, expiry: expiry(instant), clockChange: trigger.clockChange(at: instant, in: zone),
                leads: Self.leads(reminders, of: instant, in: zone, past: now), isPast: isPast)
        }
        let passed = ComingReminders(reminders, of: trigger, in: zone).occurrences(upTo: from, limit: limit)
        var coming: [Timestamp] = []
        var next = trigger.next(after: from)
        while let instant = next, coming.count < limit {
            coming.append(instant)
            next = trigger.next(after: instant)
        }
        occurrences = passed.map { occurrence($0, isPast: true) } + coming.map { occurrence($0, isPast: false) }
        isComplete = next == nil
        // The times of `at` are few, so those after the last occurrence are named too.
        var end = coming.last
        if case .at = trigger, next == nil { end = .distantFuture }
        leftOut = end.map { trigger.leftOut(after: from, upTo: $0, in: zone) } ?? []
    }

    private init(
        _ timer: Timer, reminders: [(CalendarSpan, Reminder.Side)], in zone: Zone, from: Timestamp, limit: Int
    ) {
        rule = RuleText(timer, in: zone)
        self.zone = zone
        self.from = from
        (occurrences, leftOut) = ([], [])
        // The duration of the actions is unknown, so only the first cycle can be computed.
        let cycles = timer.repetition == .immediately ? min(limit, timer.count ?? .max) : min(limit, 1)
        var start = from
        for _ in 0..<cycles {
            let end = start.advanced(by: timer.duration)
            guard end < .distantFuture else { break }
            occurrences.append(
                Occurrence(
                    instant: end, expiry: end, clockChange: nil,
                    leads: Self.leads(reminders, of: end, in: zone, past: start)))
            start = end
        }
        isComplete = timer.repetition == .never || timer.repetition == .immediately && timer.count == cycles
        note =
            switch (timer.start, timer.repetition) {
            case (.auto, .afterAction): "as if it started now; the next cycle begins when the actions have ended"
            case (.auto, _): "as if it started now"
            case (.manual, .afterAction):
                "started by hand; shown as if it started now; the next cycle begins when the actions have ended"
            case (.manual, _): "started by hand; shown as if it started now"
            }
    }

    private init(_ stopwatch: Stopwatch, in zone: Zone, from: Timestamp, limit: Int) {
        rule = RuleText(stopwatch)
        self.zone = zone
        self.from = from
        leftOut = []
        occurrences = stopwatch.alerts.prefix(limit).map { elapsed in
            let instant = from.advanced(by: elapsed)
            return Occurrence(instant: instant, expiry: instant, elapsed: elapsed, leads: [])
        }
        isComplete = occurrences.count == stopwatch.alerts.count
        note =
            switch stopwatch.start {
            case .auto: "as if it started now"
            case .manual: "started by hand; shown as if it started now"
            }
    }

    private static func leads(
        _ reminders: [(CalendarSpan, Reminder.Side)], of instant: Timestamp, in zone: Zone, past: Timestamp
    ) -> [Lead] {
        reminders.map { lead, side in
            let due = zone.instant(lead, side, of: instant)
            return Lead(lead: lead, side: side, due: due, isPast: due <= past)
        }.sorted { $0.due < $1.due }
    }
}
