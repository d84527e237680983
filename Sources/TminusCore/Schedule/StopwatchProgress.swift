/// Advances a stopwatch: pure functions of its definition, its state and `now`.
struct StopwatchProgress: Sendable {
    let definition: Definition
    let stopwatch: Stopwatch

    /// The due instant of the next alert.
    func nextDue(_ state: ScheduleState) -> Timestamp? {
        guard state.phase == .armed, let start = state.start else { return nil }
        return stopwatch.alerts.lazy.map(start.advanced(by:)).filter { $0 > state.cursor }.min()
    }

    /// Starts counting at `now`.
    func started(_ state: ScheduleState, at now: Timestamp) -> ScheduleState {
        var state = state
        state.phase = .armed
        state.start = now
        state.heldSince = nil
        state.laps = []
        state.cursor = now
        return state
    }

    /// Passes every alert due after the cursor and up to `now` to the triage, and moves the cursor to `now`.
    func progress(_ state: inout ScheduleState, _ triage: inout Triage) {
        let now = triage.now
        guard state.phase == .armed, let start = state.start, now > state.cursor else { return }
        for alert in stopwatch.alerts {
            let due = start.advanced(by: alert)
            guard due > state.cursor, due <= now else { continue }
            triage.take(DueAction(occurrence: due, action: .elapsed(alert), due: due, sinks: definition.onElapsed))
        }
        state.cursor = now
    }
}
