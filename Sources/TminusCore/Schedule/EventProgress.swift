/// Advances an event: pure functions of its definition, its cursor and `now`.
///
/// The cursor is an instant of *due* time, not of occurrences: everything due up to it has been processed, whichever
/// occurrence it belongs to. Therefore the expiry and each lead time have separate walks.
struct EventProgress: Sendable {
    let definition: Definition
    let event: Event

    /// The next due instant of the event after `cursor`.
    func nextDue(after cursor: Timestamp) -> Timestamp? {
        var next = expiries.firstDue(after: cursor)
        for reminder in definition.reminders {
            if let due = walk(reminder).firstDue(after: cursor), due < next ?? .distantFuture { next = due }
        }
        return next
    }

    /// Passes everything due after the cursor and up to `now` to the triage, and moves the cursor to `now`. Returns the
    /// next due instant.
    func progress(_ state: inout ScheduleState, _ triage: inout Triage) -> Timestamp? {
        let now = triage.now
        guard now > state.cursor else { return nextDue(after: state.cursor) }
        expiries.forEach(dueAfter: state.cursor, upTo: now) { occurrence, due in
            triage.take(DueAction(occurrence: occurrence, action: .expiry, due: due, sinks: definition.onExpiry))
            state.occurrences += 1
        }
        for reminder in definition.reminders {
            walk(reminder).forEach(dueAfter: state.cursor, upTo: now) { occurrence, due in
                triage.take(
                    DueAction(occurrence: occurrence, action: reminder.action, due: due, sinks: reminder.actions))
            }
        }
        state.cursor = now
        let next = nextDue(after: now)
        state.phase = next == nil ? .expired : .armed
        return next
    }

    /// Reminders of upcoming occurrences that were due at or before `now`.
    func pastLeads(at now: Timestamp) -> [Omission] {
        var omissions: [Omission] = []
        for reminder in definition.reminders where reminder.side == .before {
            let walk = walk(reminder)
            guard let first = event.trigger.next(after: now), walk.mayBeDue(by: now, from: first) else { continue }
            var omission: Omission?
            // Reminders due before that instant belong to past occurrences.
            walk.forEach(dueAfter: walk.earliestDue(ofOccurrencesAfter: now), upTo: now) { occurrence, due in
                guard occurrence > now else { return }
                omission = Omission(
                    definition: definition.id, occurrence: occurrence, action: reminder.action, due: due,
                    reason: .pastWhenDefined, count: (omission?.count ?? 0) + 1)
            }
            if let omission { omissions.append(omission) }
        }
        return omissions
    }

    /// The walk over its occurrences.
    var expiries: ExpiryWalk {
        ExpiryWalk(id: definition.id, trigger: event.trigger, jitter: event.jitter)
    }

    private func walk(_ reminder: Reminder) -> LeadWalk {
        LeadWalk(trigger: event.trigger, zone: definition.zone, lead: reminder.lead, side: reminder.side)
    }
}
