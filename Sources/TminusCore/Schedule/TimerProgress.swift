/// Advances a timer: pure functions of its definition, its state and `now`.
struct TimerProgress: Sendable {
    let definition: Definition
    let timer: Timer

    /// The next due instant of the timer.
    func nextDue(_ state: ScheduleState) -> Timestamp? {
        guard state.phase == .armed || state.phase == .expired, let deadline = state.deadline else { return nil }
        var next: Timestamp? = state.phase == .armed ? deadline : nil
        for reminder in definition.reminders where state.phase == .armed || reminder.side == .after {
            let due = definition.zone.instant(reminder.lead, reminder.side, of: deadline)
            if due > state.cursor, due < next ?? .distantFuture { next = due }
        }
        return next
    }

    /// Starts a cycle at `start`. The cursor suppresses reminders that would be due before that.
    func started(_ state: ScheduleState, at start: Timestamp) -> ScheduleState {
        var state = state
        state.phase = .armed
        state.start = start
        state.deadline = start.advanced(by: timer.duration)
        state.added = .zero
        state.heldSince = nil
        state.cursor = max(state.cursor, start)
        return state
    }

    /// Passes everything due up to `now` to the triage, and then moves the cursor to `now`. Does nothing if nothing is due.
    func progress(_ state: inout ScheduleState, _ triage: inout Triage) {
        let now = triage.now
        // Not `now > state.cursor`: an edit moves the cursor to now, and an expiry that was due before is still due.
        guard let next = nextDue(state), next <= now else { return }
        if state.phase == .armed { skipCyclesLongGone(&state, &triage) }
        repeat {
            collectReminders(state, &triage)
        } while collectExpiry(&state, &triage)
        state.cursor = now
    }

    /// The next cycle after the actions of an expiry have ended; nil if the timer does not wait for them.
    func actionsEnded(_ state: ScheduleState, occurrence: Timestamp, now: Timestamp) -> ScheduleState? {
        guard state.phase == .acting, state.deadline == occurrence else { return nil }
        var state = state
        // The clock may have been set back while the actions ran.
        state.cursor = now
        return started(state, at: now)
    }

    /// Counts missed cycles of a fixed-rate timer that the catch-up policy does not send, without visiting each. After
    /// two weeks of downtime, a timer of one second has more than a million of them.
    private func skipCyclesLongGone(_ state: inout ScheduleState, _ triage: inout Triage) {
        guard timer.repetition == .immediately else { return }
        if let reason = triage.suppression {
            return skip(&state, &triage, reason: reason, before: triage.now, leaving: 0)
        }
        let (restored, mute) = (triage.overrides.restored, triage.overrides.mute)
        for (reason, end) in [(Omission.Reason.restored, restored), (.muted, mute?.until)] {
            guard let end else { continue }
            skip(&state, &triage, reason: reason, before: min(end, triage.now), leaving: 0)
            // The last cycle before the end is taken one by one, before the cycles after it are counted.
            if let deadline = state.deadline, deadline < end {
                collectReminders(state, &triage)
                _ = collectExpiry(&state, &triage)
            }
        }
        if definition.catchUp != .none {
            let uselessBefore = triage.now.advanced(by: .zero - definition.grace)
            skip(&state, &triage, reason: .tooLate, before: uselessBefore, leaving: 0)
        }
        skip(
            &state, &triage, reason: definition.catchUp.reasonToDrop,
            before: triage.now.advanced(by: .zero - Lateness.punctual), leaving: definition.catchUp.expiryLimit)
    }

    /// Counts the cycles that ended before `instant`, except for the last `kept`.
    private func skip(
        _ state: inout ScheduleState, _ triage: inout Triage, reason: Omission.Reason, before instant: Timestamp,
        leaving kept: Int
    ) {
        guard let deadline = state.deadline else { return }
        let period = timer.duration.nanoseconds
        let overdue = deadline.duration(to: instant).nanoseconds
        guard overdue > 0 else { return }
        // The loop handles one more than is kept, so that a timer with a count can end there.
        let skipped = min(Int(overdue / period) - kept, (timer.count ?? .max) - state.occurrences - 1 - kept)
        guard skipped > 0 else { return }
        let last = deadline.advanced(by: .nanoseconds(period) * (skipped - 1))
        triage.omit(
            DueAction(occurrence: last, action: .expiry, due: last, sinks: definition.onExpiry), reason, count: skipped)
        for reminder in definition.reminders where reminder.side == .before {
            let first = definition.zone.instant(reminder.lead, .before, of: deadline)
            let count = first > state.cursor ? skipped : skipped - 1
            guard count > 0 else { continue }
            let due = definition.zone.instant(reminder.lead, .before, of: last)
            triage.omit(
                DueAction(occurrence: last, action: reminder.action, due: due, sinks: reminder.actions),
                reason == .muted || reason == .restored || reason == triage.suppression
                    ? reason : definition.catchUp == .none ? .notCaughtUp : .tooLate, count: count)
        }
        state.occurrences += skipped
        state = started(state, at: last)
    }

    private func collectReminders(_ state: ScheduleState, _ triage: inout Triage) {
        guard state.phase != .acting, let deadline = state.deadline else { return }
        for reminder in definition.reminders where state.phase == .armed || reminder.side == .after {
            let due = definition.zone.instant(reminder.lead, reminder.side, of: deadline)
            guard due > state.cursor, due <= triage.now else { continue }
            triage.take(DueAction(occurrence: deadline, action: reminder.action, due: due, sinks: reminder.actions))
        }
    }

    /// Takes the expiry if it is due. Returns true if the next cycle started at that instant; it may be due as well.
    private func collectExpiry(_ state: inout ScheduleState, _ triage: inout Triage) -> Bool {
        guard state.phase == .armed, let deadline = state.deadline, deadline <= triage.now else { return false }
        triage.take(DueAction(occurrence: deadline, action: .expiry, due: deadline, sinks: definition.onExpiry))
        state.occurrences += 1
        if timer.repetition == .never || state.occurrences >= timer.count ?? .max {
            state.phase = .expired
            return false
        }
        switch timer.repetition {
        case .immediately:
            state = started(state, at: deadline)
            return true
        case .afterAction, .never:
            state.phase = .acting
            return false
        }
    }
}
