/// What a clock that was set does to the schedules.
extension ScheduleMachine {
    /// Moves what counts time along with the clock. Events stay where they are.
    mutating func shift(
        by step: Duration, held: Bool, _ effects: inout ScheduleEffects, where counts: (Timer.Clock) -> Bool
    ) {
        for slot in slotsByID() {
            guard let row = table[slot] else { continue }
            let clock: Timer.Clock
            switch row.definition.schedule {
            case .event: continue
            case .timer(let timer): clock = timer.clock
            case .stopwatch: clock = .elapsed
            }
            guard counts(clock), let state = row.state.shifted(by: step, held: held) else { continue }
            put(row.definition, state, at: slot, &effects)
        }
        // Of one that is gone only the state is known: it counts elapsed time, as timers do unless they say otherwise.
        guard counts(.elapsed) else { return }
        for state in absent.values {
            guard let state = state.shifted(by: step, held: held) else { continue }
            absent[state.id] = state
            effects.commit.schedules.append(state)
        }
    }

    /// Brings everything back that was processed by a clock that was far ahead.
    mutating func correct(now: Timestamp, _ effects: inout ScheduleEffects) {
        let limit = now.advanced(by: ScheduleState.largestStepBack)
        for slot in slotsByID() {
            guard let row = table[slot] else { continue }
            let isPassAhead = unfinished[slot].map { $0.triage.now > limit } ?? false
            let corrected = corrected(row.state, of: row.definition, at: now, &effects)
            guard let state = corrected ?? (isPassAhead ? row.state : nil) else { continue }
            unfinished[slot] = nil
            backlog[slot] = nil
            put(row.definition, state, at: slot, &effects)
        }
    }

    /// A state without what a clock far ahead has done to it, and counts it; nil if there is nothing of that kind.
    func corrected(
        _ state: ScheduleState, of definition: Definition, at now: Timestamp, _ effects: inout ScheduleEffects
    ) -> ScheduleState? {
        guard var corrected = state.corrected(at: now) else { return nil }
        if case .event(let event) = definition.schedule {
            let next = EventProgress(definition: definition, event: event).nextDue(after: corrected.cursor)
            corrected.phase = next == nil ? .expired : .armed
        }
        effects.corrected += 1
        return corrected
    }
}
