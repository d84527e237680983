extension ScheduleState {
    /// How long a timer's cycle or a stopwatch has run, without the time for which it was held; nil if it was never started.
    package func elapsed(at now: Timestamp) -> Duration? {
        start?.duration(to: heldSince ?? now)
    }

    /// Whether the end of this cycle cannot be told because the timer is paused.
    func holds(_ occurrence: Timestamp) -> Bool { phase == .paused && occurrence == deadline }

    /// Holds it at `now`.
    mutating func hold(at now: Timestamp) {
        phase = .paused
        heldSince = now
        cursor = now
    }

    /// Goes on at `now`, as if the time since it was held had not passed.
    mutating func release(at now: Timestamp) {
        let held = heldSince?.duration(to: now) ?? .zero
        phase = .armed
        heldSince = nil
        start = start?.advanced(by: held)
        if let deadline { moveDeadline(to: deadline.advanced(by: held)) }
        // What came due before was dealt with when it was held.
        cursor = now
    }

    /// Moves the end of the running cycle, and with it what people have said about that end.
    mutating func moveDeadline(to instant: Timestamp) {
        guard let former = deadline else { return }
        deadline = instant
        if overrides.skip?.occurrence == former { overrides.skip?.occurrence = instant }
        if let snooze = overrides.snooze, snooze.occurrence == former {
            overrides.snooze?.occurrence = instant
            overrides.snooze?.until = snooze.until.advanced(by: former.duration(to: instant))
        }
    }

    /// The same after the clock it counts by was moved by `step`; nil if that changes nothing. `held`: what is paused moves too.
    func shifted(by step: Duration, held: Bool) -> ScheduleState? {
        guard kind != .event else { return nil }
        var state = self
        if let snooze = overrides.snooze, snooze.occurrence != deadline {
            state.overrides.snooze?.occurrence = snooze.occurrence.advanced(by: step)
            state.overrides.snooze?.until = snooze.until.advanced(by: step)
        }
        if phase == .armed || phase == .paused && held {
            state.start = start?.advanced(by: step)
            if let deadline { state.moveDeadline(to: deadline.advanced(by: step)) }
            state.cursor = cursor.advanced(by: step)
            state.heldSince = heldSince?.advanced(by: step)
        } else if let snooze = overrides.snooze, snooze.occurrence == deadline, phase != .paused {
            // The expiry is over, and only what is to be sent again waits.
            state.overrides.snooze?.until = snooze.until.advanced(by: step)
        }
        return state == self ? nil : state
    }
}
