/// The next occurrence and reminder of a definition. The outlook stays the same until ``end`` unless the state changes,
/// so that a list of thousands can keep it.
package struct Outlook: Sendable, Hashable {
    /// An upcoming reminder, or an upcoming alert of a stopwatch.
    package struct Alert: Sendable, Hashable {
        /// When it is due.
        package var due: Timestamp
        /// `1 day before`; for a stopwatch `at 30 minutes`.
        package var lead: String
        /// The nominal length of the lead, with months of 30 days; nil unless the reminder is before its occurrence.
        package var length: Duration?
        /// Why it will not be sent, if an override prevents it.
        package var silence: Omission.Reason?
    }

    /// The upcoming occurrence, or the last one if none is upcoming.
    package private(set) var occurrence: Timestamp?
    /// Whether there is no upcoming occurrence.
    package private(set) var isOver = false
    /// The start of the interval that ends at ``occurrence``: the previous occurrence, or when the event was first
    /// seen; the start of a timer's cycle.
    package private(set) var begin: Timestamp?
    /// The next reminder or alert.
    package private(set) var alert: Alert?
    /// The outlook may change from this instant on.
    package private(set) var end = Timestamp.distantFuture

    /// Computes the outlook at `now`.
    package init(_ entry: ScheduleEntry, now: Timestamp) {
        let (definition, state) = (entry.definition, entry.state)
        switch definition.schedule {
        case .event(let event): look(at: event, of: definition, state, now)
        case .timer: look(atTimer: definition, state, now)
        case .stopwatch(let stopwatch): look(at: stopwatch, state, now)
        }
        if !definition.isEnabled { alert = nil }
        let overrides = state.overrides
        for instant in [overrides.mute?.until, overrides.snooze?.until, overrides.skip?.occurrence, alert?.due] {
            if let instant, instant > now { end = min(end, instant) }
        }
    }

    private mutating func look(
        at event: Event, of definition: Definition, _ state: ScheduleState, _ now: Timestamp
    ) {
        // After the clock was set back the cursor is ahead: what is due up to it was dealt with.
        let processed = max(now, state.cursor)
        let coming = event.trigger.next(after: processed)
        isOver = coming == nil
        occurrence = coming ?? event.trigger.last(atOrBefore: now)
        if let coming {
            begin = event.trigger.last(atOrBefore: now) ?? state.start
            end = coming
        }
        for reminder in definition.reminders {
            let walk = LeadWalk(
                trigger: event.trigger, zone: definition.zone, lead: reminder.lead, side: reminder.side)
            guard let due = walk.firstDue(after: processed) else { continue }
            var occurrence: Timestamp?
            // Needed for a skip only, and it costs another walk.
            if state.overrides.skip != nil {
                walk.forEach(dueAfter: processed, upTo: due) { found, _ in occurrence = occurrence ?? found }
            }
            offer(due, reminder, of: occurrence ?? due, state)
        }
    }

    private mutating func look(atTimer definition: Definition, _ state: ScheduleState, _ now: Timestamp) {
        isOver = state.phase == .expired
        guard state.phase != .idle, let deadline = state.deadline else { return }
        occurrence = deadline
        begin = state.start
        guard state.phase == .armed || isOver else { return }
        for reminder in definition.reminders where state.phase == .armed || reminder.side == .after {
            let due = definition.zone.instant(reminder.lead, reminder.side, of: deadline)
            if due > now { offer(due, reminder, of: deadline, state) }
        }
    }

    private mutating func look(at stopwatch: Stopwatch, _ state: ScheduleState, _ now: Timestamp) {
        guard state.phase == .armed || state.phase == .paused, let start = state.start else { return }
        begin = start
        guard state.phase == .armed else { return }
        for time in stopwatch.alerts where start.advanced(by: time) > now {
            let due = start.advanced(by: time)
            let action = DueAction(occurrence: due, action: .elapsed(time), due: due, sinks: [])
            alert = Alert(
                due: due, lead: "at \(CalendarSpan(nanoseconds: time.nanoseconds).text)",
                silence: state.overrides.reason(against: action))
            return
        }
    }

    private mutating func offer(
        _ due: Timestamp, _ reminder: Reminder, of occurrence: Timestamp, _ state: ScheduleState
    ) {
        guard due < alert?.due ?? .distantFuture else { return }
        let action = DueAction(occurrence: occurrence, action: reminder.action, due: due, sinks: [])
        alert = Alert(
            due: due, lead: reminder.action.words, length: reminder.side == .before ? reminder.lead.nominalLength : nil,
            silence: state.overrides.reason(against: action))
    }
}
