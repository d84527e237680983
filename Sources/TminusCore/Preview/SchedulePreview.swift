/// The coming occurrences of a definition or of a rule by itself, with all there is to say about each.
package struct SchedulePreview: Sendable {
    /// A reminder of an occurrence.
    package struct Lead: Sendable, Hashable {
        /// How far from the occurrence.
        package var lead: CalendarSpan
        /// On which side of it.
        package var side: Reminder.Side
        /// When it is due.
        package var due: Timestamp
        /// Whether that is over already: it is not sent.
        package var isPast: Bool
    }

    /// One occurrence.
    package struct Occurrence: Sendable, Hashable {
        /// The instant by the rule.
        package var instant: Timestamp
        /// When its expiry is due; later than the instant by the jitter.
        package var expiry: Timestamp
        /// What daylight saving does to it.
        package var clockChange: ClockChange?
        /// Of a stopwatch: the time that has passed then.
        package var elapsed: Duration?
        /// Its reminders in the order in which they are due.
        package var leads: [Lead]
    }

    /// The definition; nil for a rule by itself.
    package var definition: Definition?
    /// The rule in its normal form.
    package var rule: RuleText
    /// The zone whose clock is shown.
    package var zone: Zone
    /// What counts as the present: nothing at or before it is shown.
    package var from: Timestamp
    /// In order.
    package var occurrences: [Occurrence]
    /// Clock times before the last occurrence that the clock skips and that are left out.
    package var leftOut: [ClockChange]
    /// Whether nothing comes after the last.
    package var isComplete: Bool
    /// What one has to know to read it, such as when a timer is taken to start.
    package var note: String?

    /// The first occurrences of a rule by itself after an instant.
    package init(
        _ trigger: Trigger, leads: [CalendarSpan], in zone: Zone, after from: Timestamp, limit: Int, now: Timestamp
    ) {
        self.init(
            trigger, reminders: leads.map { ($0, .before) }, in: zone, after: from, limit: limit, now: now,
            expiry: { $0 })
    }

    /// The first occurrences of a definition after an instant, of a timer or stopwatch as if it started then.
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
        var next = trigger.next(after: from)
        while let instant = next, occurrences.count < limit {
            occurrences.append(
                Occurrence(
                    instant: instant, expiry: expiry(instant), clockChange: trigger.clockChange(at: instant, in: zone),
                    leads: Self.leads(reminders, of: instant, in: zone, past: now)))
            next = trigger.next(after: instant)
        }
        isComplete = next == nil
        leftOut = occurrences.last.map { trigger.leftOut(after: from, upTo: $0.instant, in: zone) } ?? []
    }

    private init(
        _ timer: Timer, reminders: [(CalendarSpan, Reminder.Side)], in zone: Zone, from: Timestamp, limit: Int
    ) {
        rule = RuleText(timer, in: zone)
        self.zone = zone
        self.from = from
        (occurrences, leftOut) = ([], [])
        // How long the actions of an expiry take is not known beforehand.
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
                "it waits to be started; as if that were now; the next cycle begins when the actions have ended"
            case (.manual, _): "it waits to be started; as if that were now"
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
            case .manual: "it waits to be started; as if that were now"
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
