/// What a definition says about its schedule, apart from its texts, labels and actions: decides what an edit does to a state.
///
/// Two parts, so that another lead time does not start a countdown anew: the rule that yields occurrences, and the leads.
struct ScheduleRevision: Sendable {
    let definition: Definition
    /// The digest of the rule that yields occurrences.
    let fingerprint: UInt64
    /// The digest of the lead times.
    let leads: UInt64

    init(_ definition: Definition) {
        self.definition = definition
        var actions = definition.reminders.map(\.action)
        switch definition.schedule {
        case .event(let event): fingerprint = Self.digest(of: event.trigger.canonicalText)
        case .timer(let timer):
            fingerprint = Self.digest(
                of: "timer \(timer.duration.nanoseconds) \(timer.start.rawValue) \(timer.repetition.rawValue) "
                    + (timer.count.map(String.init) ?? "-"))
        case .stopwatch(let stopwatch):
            fingerprint = Self.digest(of: "stopwatch \(stopwatch.start.rawValue)")
            actions += stopwatch.alerts.map(FiringAction.elapsed)
        }
        // A sum, because their order in the file does not matter.
        leads = actions.reduce(0) { $0 &+ Self.digest(of: $1.rawValue) }
    }

    /// FNV-1a. 64 bits are enough: a digest is compared only with the former one of the same definition.
    private static func digest(of text: String) -> UInt64 {
        text.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }

    /// Whether the state was computed for this very schedule.
    func describes(_ state: ScheduleState) -> Bool {
        state.kind == definition.kind && state.fingerprint == fingerprint && state.leads == leads
    }

    /// Whether the state was computed for this rule, be it with other lead times.
    func hasRule(of state: ScheduleState) -> Bool { state.kind == definition.kind && state.fingerprint == fingerprint }

    /// The state of a definition that is seen for the first time: nothing before `now` counts.
    func fresh(at now: Timestamp) -> ScheduleState { fresh(at: now, firstOfEvent: firstOfEvent(after: now)) }

    /// The same, where it is known what an event has due first: both its state and its place in the queue ask for it, and finding it
    /// is most of what an event costs that is new.
    func fresh(at now: Timestamp, firstOfEvent: Timestamp?) -> ScheduleState {
        var state = ScheduleState(
            id: definition.id, kind: definition.kind, fingerprint: fingerprint, leads: leads, phase: .idle, cursor: now)
        switch definition.schedule {
        case .event:
            state.phase = firstOfEvent == nil ? .expired : .armed
            state.start = now
        case .stopwatch(let stopwatch): if stopwatch.start == .auto { state = started(state, stopwatch, at: now) }
        case .timer(let timer): if timer.start == .auto { state = started(state, timer, at: now) }
        }
        return state
    }

    /// The state after an edit of the schedule: computed from `now` on, never firing the past.
    func revised(_ former: ScheduleState, at now: Timestamp) -> ScheduleState {
        guard former.kind == definition.kind else {
            // What was said about an occurrence of the other kind means nothing for this one.
            var state = fresh(at: now)
            state.overrides.mute = former.overrides.mute
            return state
        }
        var state = former
        let hasNewRule = former.fingerprint != fingerprint
        state.fingerprint = fingerprint
        state.leads = leads
        // Not the maximum of both: the clock may have been set back. What has fired is in the ledger, and is not fired again.
        state.cursor = now
        switch definition.schedule {
        case .event:
            state.phase = firstOfEvent(after: state.cursor) == nil ? .expired : .armed
            if hasNewRule || state.start == nil { state.start = now }
            if hasNewRule { state = overridesMoved(state) }
        case .stopwatch(let stopwatch):
            if state.phase == .idle, stopwatch.start == .auto, hasNewRule { state = started(state, stopwatch, at: now) }
        case .timer(let timer): if hasNewRule { state = rerun(state, timer, at: now) }
        }
        return state
    }

    /// The same after what people have said about an occurrence that is to come was moved to the one that comes next now: that is
    /// what they meant. It is dropped if none comes. What has been due stays.
    func overridesMoved(_ former: ScheduleState) -> ScheduleState {
        guard !former.overrides.isEmpty, case .event(let event) = definition.schedule else { return former }
        let expiries = EventProgress(definition: definition, event: event).expiries
        let next = expiries.firstOccurrence(dueAfter: former.cursor)
        var state = former
        if let skip = former.overrides.skip, expiries.due(of: skip.occurrence) > former.cursor {
            state.overrides.skip = next.map { Overrides.Skip(occurrence: $0, origin: skip.origin) }
        }
        if let snooze = former.overrides.snooze, expiries.due(of: snooze.occurrence) > former.cursor {
            state.overrides.snooze = next.map { next in
                let delay = snooze.occurrence.duration(to: snooze.until)
                return Overrides.Snooze(
                    occurrence: next, until: expiries.due(of: next).advanced(by: delay), origin: snooze.origin)
            }
        }
        return state
    }

    private func rerun(_ former: ScheduleState, _ timer: Timer, at now: Timestamp) -> ScheduleState {
        var state = former
        switch former.phase {
        case .idle:
            return timer.start == .auto ? started(state, timer, at: now) : state
        case .expired:
            var state = fresh(at: now)
            state.overrides = former.overrides
            return state
        case .acting:
            switch timer.repetition {
            case .afterAction: return state
            case .immediately: return started(state, timer, at: now)
            case .never:
                state.phase = .expired
                return state
            }
        case .armed, .paused:
            // The elapsed part of the cycle counts, and what a person added, unless that would put the new end into the past.
            let reference = former.heldSince ?? now
            let end = (former.start ?? reference).advanced(by: timer.duration + former.added)
            if end > reference {
                state.moveDeadline(to: end)
            } else {
                state.start = reference
                state.added = .zero
                state.moveDeadline(to: reference.advanced(by: timer.duration))
            }
            return state
        }
    }

    private func started(_ state: ScheduleState, _ stopwatch: Stopwatch, at start: Timestamp) -> ScheduleState {
        StopwatchProgress(definition: definition, stopwatch: stopwatch).started(state, at: start)
    }

    private func started(_ state: ScheduleState, _ timer: Timer, at start: Timestamp) -> ScheduleState {
        TimerProgress(definition: definition, timer: timer).started(state, at: start)
    }

    /// What an event has due first; nil if it has nothing, and for what is no event.
    func firstOfEvent(after cursor: Timestamp) -> Timestamp? {
        guard case .event(let event) = definition.schedule else { return nil }
        return EventProgress(definition: definition, event: event).nextDue(after: cursor)
    }
}
