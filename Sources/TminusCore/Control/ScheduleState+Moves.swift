extension ScheduleState {
    /// How long a timer's cycle or a stopwatch has run, not counting pauses; zero if the clock was set back to before its
    /// start, nil if it was never started.
    package func elapsed(at now: Timestamp) -> Duration? {
        start.map { max(.zero, $0.duration(to: heldSince ?? now)) }
    }

    /// Whether the timer is paused before this occurrence, so that its instant is not known yet.
    func holds(_ occurrence: Timestamp) -> Bool { phase == .paused && occurrence == deadline }

    /// Pauses at `now`.
    mutating func hold(at now: Timestamp) {
        phase = .paused
        heldSince = now
        cursor = now
    }

    /// Resumes at `now`; the time of the pause does not count.
    mutating func release(at now: Timestamp) {
        let held = heldSince?.duration(to: now) ?? .zero
        phase = .armed
        heldSince = nil
        start = start?.advanced(by: held)
        if let deadline { moveDeadline(to: deadline.advanced(by: held)) }
        // What was due before the pause was processed when it began.
        cursor = now
    }

    /// Moves the end of the running cycle, together with its skip and snooze.
    mutating func moveDeadline(to instant: Timestamp) {
        guard let former = deadline else { return }
        deadline = instant
        if overrides.skip?.occurrence == former { overrides.skip?.occurrence = instant }
        if let snooze = overrides.snooze, snooze.occurrence == former {
            overrides.snooze?.occurrence = instant
            overrides.snooze?.until = snooze.until.advanced(by: former.duration(to: instant))
        }
    }

    /// The state after its clock was set by `step`; nil if that changes nothing. With `held`, a paused state moves too.
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
            // The expiry is over; only its snooze is still pending.
            state.overrides.snooze?.until = snooze.until.advanced(by: step)
        }
        return state == self ? nil : state
    }

    /// How far a clock may be set back so that nothing fires twice. A larger step is a correction: the time before was wrong. The
    /// limit is that of Debian's cron (cron(8)).
    static let largestStepBack = Duration.seconds(3 * 3_600)

    /// The state after a clock that was far ahead is right again: it goes on from `now`. Nil if it is not that far ahead.
    ///
    /// A cycle that would begin in the future begins now. One that has expired keeps its distance from the cursor, so what was
    /// sent of it is not due again. An occurrence that waits for the end of its actions, and what is paused, keep their instants:
    /// the end of the actions or a user lets them go on.
    func corrected(at now: Timestamp) -> ScheduleState? {
        let limit = now.advanced(by: Self.largestStepBack)
        var state = self
        if let restored = overrides.restored, restored > limit { state.overrides.restored = now }
        let reference =
            switch phase {
            case .armed: start
            case .expired: cursor
            case .idle, .paused, .acting: nil as Timestamp?
            }
        if kind == .event {
            if let start, start > limit { state.start = now }
        } else if let reference, reference > limit {
            let step = reference.duration(to: now)
            state.start = start?.advanced(by: step)
            if let deadline { state.moveDeadline(to: deadline.advanced(by: step)) }
        }
        if cursor > limit { state.cursor = now }
        return state == self ? nil : state
    }
}
