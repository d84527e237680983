/// What people may do with a stopwatch: pure functions of its state and `now`, up to which everything due has been dealt with.
struct StopwatchControl: Sendable {
    /// How many laps it keeps.
    static let lapLimit = 1_000

    let progress: StopwatchProgress
    let now: Timestamp

    /// Runs it from zero, or goes on.
    func start(_ state: ScheduleState, adding: Duration?) throws(Unfit) -> ScheduleState {
        guard adding == nil else { throw Unfit("a stopwatch has no end that could be moved") }
        return state.phase == .idle ? progress.started(state, at: now) : try resume(state)
    }

    /// Holds it.
    func pause(_ state: ScheduleState) throws(Unfit) -> ScheduleState {
        if state.phase == .idle { throw Unfit(TimerControl.idle) }
        return stop(state)
    }

    /// Goes on.
    func resume(_ state: ScheduleState) throws(Unfit) -> ScheduleState {
        if state.phase == .idle { throw Unfit(TimerControl.idle) }
        guard state.phase == .paused else { return state }
        var state = state
        state.release(at: now)
        return state
    }

    /// Holds it, if it runs.
    func stop(_ state: ScheduleState) -> ScheduleState {
        guard state.phase == .armed else { return state }
        var state = state
        state.hold(at: now)
        return state
    }

    /// Back to zero, without laps.
    func reset(_ state: ScheduleState) -> ScheduleState {
        guard state.phase != .idle else { return state }
        var state = state
        state.phase = .idle
        (state.start, state.heldSince, state.laps) = (nil, nil, [])
        state.cursor = now
        return state
    }

    /// Notes its time.
    func lap(_ state: ScheduleState) throws(Unfit) -> ScheduleState {
        guard state.phase == .armed, let elapsed = state.elapsed(at: now) else {
            throw Unfit(state.phase == .paused ? "it is paused" : TimerControl.idle)
        }
        guard state.laps.count < Self.lapLimit else { throw Unfit("it has \(Self.lapLimit) laps, and keeps no more") }
        var state = state
        state.laps.append(elapsed)
        return state
    }
}
