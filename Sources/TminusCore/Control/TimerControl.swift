/// Applies controls to a timer: pure functions of its state and `now`. Everything due up to `now` must have been
/// processed.
struct TimerControl: Sendable {
    let progress: TimerProgress
    let now: Timestamp

    /// Starts or resumes it; with `adding`, lengthens a running or paused cycle.
    func start(_ state: ScheduleState, adding: Duration?) throws(Unfit) -> ScheduleState {
        guard let adding else { return started(state) }
        guard adding > .zero else { throw Unfit("the time to add must be positive") }
        guard state.phase != .acting else { throw Unfit(Self.acting) }
        var state = state.phase == .armed || state.phase == .paused ? state : begun(state)
        guard let end = state.deadline?.advanced(by: adding), end < .distantFuture else {
            throw Unfit("it would end after the year 2261")
        }
        state.added += adding
        state.moveDeadline(to: end)
        // A reminder whose new instant is past already is not sent: nothing was due then.
        state.cursor = max(state.cursor, now)
        return state
    }

    /// Pauses a running cycle.
    func pause(_ state: ScheduleState) throws(Unfit) -> ScheduleState {
        switch state.phase {
        case .paused: return state
        case .armed:
            var state = state
            state.hold(at: now)
            return state
        case .acting: throw Unfit(Self.acting)
        case .idle: throw Unfit(Self.idle)
        case .expired: throw Unfit(Self.expired)
        }
    }

    /// Resumes a paused cycle.
    func resume(_ state: ScheduleState) throws(Unfit) -> ScheduleState {
        switch state.phase {
        case .paused, .armed, .acting: return started(state)
        case .idle: throw Unfit(Self.idle)
        case .expired: throw Unfit(Self.expired)
        }
    }

    /// Ends a cycle without its expiry.
    func stop(_ state: ScheduleState) throws(Unfit) -> ScheduleState {
        if state.phase == .expired { throw Unfit(Self.expired) }
        return state.phase == .idle ? state : stopped(state)
    }

    /// Returns to the beginning.
    func reset(_ state: ScheduleState) -> ScheduleState {
        switch state.phase {
        case .idle: return state
        case .paused, .expired: return stopped(state)
        case .armed, .acting: return begun(state)
        }
    }

    private func started(_ state: ScheduleState) -> ScheduleState {
        switch state.phase {
        case .armed, .acting: return state
        case .idle, .expired: return begun(state)
        case .paused:
            var state = state
            state.release(at: now)
            return state
        }
    }

    /// Starts the first cycle anew, with the full duration and the full count.
    private func begun(_ state: ScheduleState) -> ScheduleState {
        var begun = state
        begun.occurrences = 0
        // Not the maximum of both: the clock may have been set back.
        begun.cursor = now
        if state.phase == .armed { begun.moveDeadline(to: now.advanced(by: progress.timer.duration)) }
        return progress.started(begun, at: now)
    }

    private func stopped(_ state: ScheduleState) -> ScheduleState {
        var state = state
        state.phase = .idle
        (state.start, state.deadline, state.heldSince, state.added) = (nil, nil, nil, .zero)
        state.occurrences = 0
        state.cursor = now
        // Both refer to an occurrence that will not happen.
        (state.overrides.skip, state.overrides.snooze) = (nil, nil)
        return state
    }

    static let idle = "it is not running"
    static let expired = "it has expired"
    static let acting = "its actions are running, and the next cycle begins when they have ended"
}
