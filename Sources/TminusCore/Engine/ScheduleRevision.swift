/// What a definition says about its schedule, apart from its texts, labels and actions: decides what an edit does to a state.
///
/// Two parts, so that another lead time does not start a countdown anew: the rule that yields occurrences, and the leads.
struct ScheduleRevision: Sendable {
    let definition: Definition
    let fingerprint: String
    let leads: String

    init(_ definition: Definition) {
        self.definition = definition
        let rule =
            switch definition.schedule {
            case .event(let event): event.trigger.canonicalText
            case .timer(let timer):
                "timer \(timer.duration.nanoseconds) \(timer.start.rawValue) \(timer.repetition.rawValue) "
                    + (timer.count.map(String.init) ?? "-")
            case .stopwatch(let stopwatch): "stopwatch \(stopwatch.start.rawValue)"
            }
        fingerprint = Digest128.hexadecimal(of: [rule])
        leads = Digest128.hexadecimal(of: definition.reminders.map(\.action.rawValue).sorted())
    }

    /// Whether the state was computed for this very schedule.
    func describes(_ state: ScheduleState) -> Bool {
        state.kind == definition.kind && state.fingerprint == fingerprint && state.leads == leads
    }

    /// The state of a definition that is seen for the first time: nothing before `now` counts.
    func fresh(at now: Timestamp) -> ScheduleState {
        var state = ScheduleState(
            id: definition.id, kind: definition.kind, fingerprint: fingerprint, leads: leads, phase: .idle, cursor: now)
        switch definition.schedule {
        case .event: state.phase = eventPhase(after: now)
        case .stopwatch: break
        case .timer(let timer): if timer.start == .auto { state = started(state, timer, at: now) }
        }
        return state
    }

    /// The state after an edit of the schedule: computed from `now` on, never firing the past.
    func revised(_ former: ScheduleState, at now: Timestamp) -> ScheduleState {
        guard former.kind == definition.kind else { return fresh(at: now) }
        var state = former
        let hasNewRule = former.fingerprint != fingerprint
        state.fingerprint = fingerprint
        state.leads = leads
        state.cursor = max(former.cursor, now)
        switch definition.schedule {
        case .event: state.phase = eventPhase(after: state.cursor)
        case .stopwatch: break
        case .timer(let timer): if hasNewRule { state = rerun(state, timer, at: now) }
        }
        return state
    }

    private func rerun(_ former: ScheduleState, _ timer: Timer, at now: Timestamp) -> ScheduleState {
        var state = former
        switch former.phase {
        case .idle:
            return timer.start == .auto ? started(state, timer, at: now) : state
        case .expired:
            return fresh(at: now)
        case .acting:
            switch timer.repetition {
            case .afterAction: return state
            case .immediately: return started(state, timer, at: now)
            case .never:
                state.phase = .expired
                return state
            }
        case .paused: return state
        case .armed:
            // The elapsed part of a running cycle counts, unless that would put the new end into the past.
            let start = former.start ?? now
            return started(state, timer, at: start.advanced(by: timer.duration) > now ? start : now)
        }
    }

    private func started(_ state: ScheduleState, _ timer: Timer, at start: Timestamp) -> ScheduleState {
        TimerProgress(definition: definition, timer: timer).started(state, at: start)
    }

    private func eventPhase(after cursor: Timestamp) -> ScheduleState.Phase {
        guard case .event(let event) = definition.schedule else { return .idle }
        return EventProgress(definition: definition, event: event).nextDue(after: cursor) == nil
            ? .expired : .armed
    }
}
