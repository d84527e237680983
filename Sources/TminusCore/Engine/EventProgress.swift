/// How an event moves on: pure functions of its definition, its cursor and `now`.
///
/// The cursor is an instant of *due* time, not of occurrences: everything due up to it is dealt with, whichever occurrence it
/// belongs to. So each lead time is walked on its own, from the first occurrence whose reminder lies behind the cursor.
struct EventProgress: Sendable {
    let definition: Definition
    let trigger: Trigger

    /// The next instant at which something of the event is due after `cursor`.
    func nextDue(after cursor: Timestamp) -> Timestamp? {
        var next = trigger.next(after: cursor)
        for reminder in definition.reminders {
            if let due = first(of: reminder, after: cursor)?.due, due < next ?? .distantFuture { next = due }
        }
        return next
    }

    /// Everything due after the cursor and up to `now`; the cursor moves to `now`.
    func progress(_ state: ScheduleState, now: Timestamp) -> Progress {
        var result = Progress(state: state)
        guard now > state.cursor else { return result }
        var expiry = trigger.next(after: state.cursor)
        while let occurrence = expiry, occurrence <= now {
            result.actions.append(
                DueAction(occurrence: occurrence, action: .expiry, due: occurrence, sinks: definition.onExpiry))
            result.state.occurrences += 1
            expiry = trigger.next(after: occurrence)
        }
        for reminder in definition.reminders {
            var found = first(of: reminder, after: state.cursor)
            while let (occurrence, due) = found, due <= now {
                result.actions.append(
                    DueAction(occurrence: occurrence, action: reminder.action, due: due, sinks: reminder.actions))
                found = next(of: reminder, afterOccurrence: occurrence, due: state.cursor)
            }
        }
        result.actions.sort(by: DueAction.areInOrder)
        result.state.cursor = now
        result.state.phase = nextDue(after: now) == nil ? .expired : .armed
        return result
    }

    /// Reminders of the coming occurrence that were due at or before `now`.
    func pastLeads(at now: Timestamp) -> [DueAction] {
        guard let occurrence = trigger.next(after: now) else { return [] }
        return definition.reminders.compactMap { reminder in
            let due = definition.zone.instant(reminder.lead, reminder.side, of: occurrence)
            guard due <= now else { return nil }
            return DueAction(occurrence: occurrence, action: reminder.action, due: due, sinks: reminder.actions)
        }
    }

    private func first(of reminder: Reminder, after cursor: Timestamp) -> (occurrence: Timestamp, due: Timestamp)? {
        // The occurrence whose reminder is at the cursor lies one lead away from it. Going there and back over the calendar is
        // off by at most the days by which months differ and an hour or two of daylight saving: four days cover it.
        let opposite: Reminder.Side = reminder.side == .before ? .after : .before
        let isExact = reminder.lead.months == 0 && reminder.lead.days == 0
        let near = definition.zone.instant(reminder.lead, opposite, of: cursor)
        let from = isExact ? near : near.advanced(by: .seconds(-4 * 86_400))
        return next(of: reminder, afterOccurrence: from, due: cursor)
    }

    private func next(
        of reminder: Reminder, afterOccurrence instant: Timestamp, due cursor: Timestamp
    ) -> (occurrence: Timestamp, due: Timestamp)? {
        var occurrence = trigger.next(after: instant)
        while let candidate = occurrence {
            let due = definition.zone.instant(reminder.lead, reminder.side, of: candidate)
            if due > cursor { return (candidate, due) }
            occurrence = trigger.next(after: candidate)
        }
        return nil
    }
}

extension DueAction {
    /// By due instant; at the same instant reminders before the expiry.
    static func areInOrder(_ left: Self, _ right: Self) -> Bool {
        if left.due != right.due { return left.due < right.due }
        if left.action == .expiry || right.action == .expiry {
            return left.action != .expiry && right.action == .expiry
        }
        return left.occurrence < right.occurrence
    }
}
