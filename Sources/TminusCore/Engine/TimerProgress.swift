/// How a timer moves on: pure functions of its definition, its state and `now`.
struct TimerProgress: Sendable {
    let definition: Definition
    let timer: Timer
    let lateness: Lateness

    /// The next instant at which something of the timer is due.
    func nextDue(_ state: ScheduleState) -> Timestamp? {
        guard state.phase == .armed || state.phase == .expired, let deadline = state.deadline else { return nil }
        var next: Timestamp? = state.phase == .armed ? deadline : nil
        for reminder in definition.reminders where state.phase == .armed || reminder.side == .after {
            let due = definition.zone.instant(reminder.lead, reminder.side, of: deadline)
            if due > state.cursor, due < next ?? .distantFuture { next = due }
        }
        return next
    }

    /// Begins a cycle at `start`. The cursor keeps reminders silent that would lie before it.
    func started(_ state: ScheduleState, at start: Timestamp) -> ScheduleState {
        var state = state
        state.phase = .armed
        state.start = start
        state.deadline = start.advanced(by: timer.duration)
        state.cursor = max(state.cursor, start)
        return state
    }

    /// Everything due after the cursor and up to `now`; the cursor moves to `now`.
    func progress(_ state: ScheduleState, now: Timestamp) -> Progress {
        var result = Progress(state: state)
        guard state.phase != .idle, state.phase != .acting, now > state.cursor else { return result }
        if state.phase == .armed { skipCyclesLongGone(&result, now: now) }
        repeat {
            collectReminders(&result, now: now)
        } while collectExpiry(&result, now: now)
        result.actions.sort(by: DueAction.areInOrder)
        result.state.cursor = now
        return result
    }

    /// The next cycle of a timer whose expiry's actions have ended.
    func actionsEnded(_ state: ScheduleState, occurrence: Timestamp, now: Timestamp) -> ScheduleState? {
        guard state.phase == .acting, state.deadline == occurrence else { return nil }
        return started(state, at: now)
    }

    /// Counts, without visiting them, the cycles of a fixed-rate timer that ended while nobody could act: after two weeks of
    /// downtime a timer of one second has more than a million of them.
    private func skipCyclesLongGone(_ result: inout Progress, now: Timestamp) {
        guard timer.repetition == .immediately, definition.catchUp == .none, let deadline = result.state.deadline
        else { return }
        let period = timer.duration.nanoseconds
        let overdue = deadline.duration(to: now.advanced(by: .zero - lateness.punctual)).nanoseconds
        guard overdue > 0 else { return }
        // The last cycle is left to the loop, so that a bounded timer ends there.
        let skipped = min(Int(overdue / period), (timer.count ?? .max) - result.state.occurrences - 1)
        guard skipped > 0 else { return }
        let last = deadline.advanced(by: .nanoseconds(period) * (skipped - 1))
        result.omissions.append(
            Omission(
                definition: definition.id, occurrence: last, action: .expiry, due: last, reason: .notCaughtUp,
                count: skipped))
        result.state.occurrences += skipped
        result.state = started(result.state, at: last)
    }

    private func collectReminders(_ result: inout Progress, now: Timestamp) {
        let state = result.state
        guard state.phase != .acting, let deadline = state.deadline else { return }
        for reminder in definition.reminders where state.phase == .armed || reminder.side == .after {
            let due = definition.zone.instant(reminder.lead, reminder.side, of: deadline)
            guard due > state.cursor, due <= now else { continue }
            result.actions.append(
                DueAction(occurrence: deadline, action: reminder.action, due: due, sinks: reminder.actions))
        }
    }

    /// Takes the expiry if it is due; true if another cycle began at its instant and may be due as well.
    private func collectExpiry(_ result: inout Progress, now: Timestamp) -> Bool {
        guard result.state.phase == .armed, let deadline = result.state.deadline, deadline <= now else { return false }
        result.actions.append(
            DueAction(occurrence: deadline, action: .expiry, due: deadline, sinks: definition.onExpiry))
        result.state.occurrences += 1
        if timer.repetition == .never || result.state.occurrences >= timer.count ?? .max {
            result.state.phase = .expired
            return false
        }
        switch timer.repetition {
        case .immediately:
            result.state = started(result.state, at: deadline)
            return true
        case .afterAction, .never:
            result.state.phase = .acting
            return false
        }
    }
}
