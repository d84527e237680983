/// Advances an event: pure functions of its definition, its cursor and `now`.
///
/// The cursor is an instant of *due* time, not of occurrences: everything due up to it has been processed, whichever
/// occurrence it belongs to. Therefore the expiry and each lead time have separate walks.
struct EventProgress {
    let definition: Definition
    let event: Event
    /// What the walks of many lead times share; nil for a few.
    let memo: OccurrenceMemo?

    /// The most reminders whose searches are not remembered.
    private static let few = 8

    init(definition: Definition, event: Event) {
        self.definition = definition
        self.event = event
        memo = definition.reminders.count > Self.few ? OccurrenceMemo(event.trigger) : nil
    }

    /// The next due instant of the event after `cursor`.
    func nextDue(after cursor: Timestamp) -> Timestamp? {
        var next = expiries.firstDue(after: cursor)
        for reminder in definition.reminders {
            if let due = walk(reminder).firstDue(after: cursor), due < next ?? .distantFuture { next = due }
        }
        return next
    }

    /// The walk over its occurrences.
    var expiries: ExpiryWalk {
        ExpiryWalk(id: definition.id, trigger: event.trigger, jitter: event.jitter)
    }

    /// The walk over the due instants of a reminder.
    func walk(_ reminder: Reminder) -> LeadWalk {
        LeadWalk(
            trigger: event.trigger, zone: definition.zone, lead: reminder.lead, side: reminder.side, memo: memo)
    }
}

/// Passes everything of an event that is due after its cursor and up to the triage's `now` to the triage. It can stop
/// after any occurrence and resume in a later turn: a rule of one second has 86,400 a day.
struct EventPass: Sendable {
    /// What was due and its verdict so far.
    var triage: Triage
    /// The number of expiries so far.
    private var occurrences = 0
    /// The walk in progress: 0 is that of the expiries, the others are those of the reminders.
    private var walk = 0
    /// Where the walk resumes; nil at its beginning.
    private var position: Timestamp?

    /// A pass that has not begun.
    init(_ triage: Triage) {
        self.triage = triage
    }

    /// Continues, but visits no more occurrences than `allowance`, which it reduces. Returns whether the pass is complete.
    mutating func advance(_ progress: EventProgress, after cursor: Timestamp, allowance: inout Int) -> Bool {
        let (definition, trigger, now) = (progress.definition, progress.event.trigger, triage.now)
        guard now > cursor else { return true }
        if walk == 0 {
            let isSteady = progress.event.jitter == .zero
            position = progress.expiries.visit(dueAfter: cursor, upTo: now, from: position) { occurrence, due in
                let action = DueAction(occurrence: occurrence, action: .expiry, due: due, sinks: definition.onExpiry)
                allowance -= 1
                return take(action, trigger, isStop: allowance <= 0) { isSteady ? .distantFuture : nil }
            }
            if position != nil { return false }
            walk = 1
        }
        while walk <= definition.reminders.count {
            let reminder = definition.reminders[walk - 1]
            let leads = progress.walk(reminder)
            position = leads.visit(dueAfter: cursor, upTo: now, from: position) { occurrence, due in
                let action = DueAction(
                    occurrence: occurrence, action: reminder.action, due: due, sinks: reminder.actions)
                allowance -= 1
                return take(action, trigger, isStop: allowance <= 0) { leads.reach(from: occurrence) }
            }
            if position != nil { return false }
            walk += 1
        }
        return true
    }

    /// Takes an action, or many at once that are not sent for one reason, if the rule can count them.
    ///
    /// - Parameter reach: The last occurrence up to which due instants keep their distance; nil if they do not.
    private mutating func take(
        _ action: DueAction, _ trigger: Trigger, isStop: Bool, reach: () -> Timestamp?
    ) -> WalkStep {
        let distance = action.due.duration(to: action.occurrence)
        if let bulk = triage.bulk(action), let reach = reach(),
            let run = trigger.run(
                from: action.occurrence, through: min(bulk.through.advanced(by: distance), reach),
                leaving: bulk.keeping)
        {
            var last = action
            (last.occurrence, last.due) = (run.last, run.last.advanced(by: .zero - distance))
            triage.omit(last, bulk.reason, count: run.count)
            if action.isExpiry { occurrences += run.count }
            return WalkStep(last: run.last, isStop: isStop)
        }
        triage.take(action)
        if action.isExpiry { occurrences += 1 }
        return WalkStep(isStop: isStop)
    }

    /// Moves a state on to the `now` of the pass. Returns the next due instant.
    func finish(_ progress: EventProgress, _ state: inout ScheduleState) -> Timestamp? {
        guard triage.now > state.cursor else { return progress.nextDue(after: state.cursor) }
        state.occurrences += occurrences
        state.cursor = triage.now
        let next = progress.nextDue(after: triage.now)
        state.phase = next == nil ? .expired : .armed
        return next
    }
}

/// Counts the reminders of upcoming occurrences that were due before an event was defined: one record for each lead
/// time. It can stop after any occurrence and resume in a later turn.
struct PastLeadCount: Sendable {
    let definition: Definition
    /// When the event was defined.
    let now: Timestamp
    private let event: Event
    /// The reminder in progress.
    private var reminder = 0
    /// Where it resumes; nil at its beginning.
    private var position: Timestamp?
    private var omission: Omission?

    /// A count that has not begun; nil if the definition has no reminders before occurrences of an event.
    init?(_ definition: Definition, now: Timestamp) {
        guard case .event(let event) = definition.schedule, !definition.reminders.isEmpty else { return nil }
        self.definition = definition
        self.event = event
        self.now = now
    }

    /// Continues, but visits no more occurrences than `allowance`, which it reduces. Adds the records of the reminders
    /// that are counted completely. Returns whether the count is complete.
    mutating func advance(_ omissions: inout [Omission], allowance: inout Int) -> Bool {
        let progress = EventProgress(definition: definition, event: event)
        guard let first = event.trigger.next(after: now) else { return true }
        while reminder < definition.reminders.count {
            let current = definition.reminders[reminder]
            let walk = progress.walk(current)
            if current.side == .before, walk.mayBeDue(by: now, from: first) {
                position = walk.visitPast(at: now, from: position) { last, due, count in
                    omission = Omission(
                        definition: definition.id, occurrence: last, action: current.action, due: due,
                        reason: .pastWhenDefined, count: (omission?.count ?? 0) + count)
                    allowance -= 1
                    return allowance > 0
                }
                if position != nil { return false }
                if let omission { omissions.append(omission) }
                omission = nil
            }
            reminder += 1
        }
        return true
    }
}
