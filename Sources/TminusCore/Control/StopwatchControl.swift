/// Applies controls to a stopwatch: pure functions of its state and `now`. Everything due up to `now` must have been
/// processed.
struct StopwatchControl: Sendable {
    /// The maximum number of laps.
    static let lapLimit = 1_000

    let progress: StopwatchProgress
    let now: Timestamp

    /// Starts it from zero, or resumes it.
    func start(_ state: ScheduleState, adding: Duration?) throws(Unfit) -> ScheduleState {
        guard adding == nil else { throw Unfit("a stopwatch has no end to move") }
        return state.phase == .idle ? progress.started(state, at: now) : try resume(state)
    }

    /// Pauses it.
    func pause(_ state: ScheduleState) throws(Unfit) -> ScheduleState {
        if state.phase == .idle { throw Unfit(TimerControl.idle) }
        return stop(state)
    }

    /// Resumes it.
    func resume(_ state: ScheduleState) throws(Unfit) -> ScheduleState {
        if state.phase == .idle { throw Unfit(TimerControl.idle) }
        guard state.phase == .paused else { return state }
        var state = state
        state.release(at: now)
        return state
    }

    /// Pauses it if it runs.
    func stop(_ state: ScheduleState) -> ScheduleState {
        guard state.phase == .armed else { return state }
        var state = state
        state.hold(at: now)
        return state
    }

    /// Returns to zero, without laps.
    func reset(_ state: ScheduleState) -> ScheduleState {
        guard state.phase != .idle else { return state }
        var state = state
        state.phase = .idle
        (state.start, state.heldSince, state.laps) = (nil, nil, [])
        state.cursor = now
        return state
    }

    /// Records a lap.
    func lap(_ state: ScheduleState) throws(Unfit) -> ScheduleState {
        guard state.phase == .armed, let elapsed = state.elapsed(at: now) else {
            throw Unfit(state.phase == .paused ? "it is paused" : TimerControl.idle)
        }
        guard state.laps.count < Self.lapLimit else { throw Unfit("it already has \(Self.lapLimit) laps, the maximum") }
        var state = state
        // The clock may have been set back since the last lap.
        state.laps.append(max(elapsed, state.laps.last ?? .zero))
        return state
    }
}
