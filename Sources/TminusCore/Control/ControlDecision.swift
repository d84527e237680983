/// Applies a control to the state of a definition: a pure function of both and `now`. Everything due up to `now` must
/// have been processed.
struct ControlDecision: Sendable {
    let definition: Definition
    let state: ScheduleState
    let now: Timestamp

    /// The state after the control, possibly unchanged; or why the control does not fit, with the verbs that would
    /// change something.
    func decide(_ request: ControlRequest) throws(ControlRefusal) -> ScheduleState {
        do throws(Unfit) {
            return try state(after: request)
        } catch {
            throw .unfit(reason: error.reason, fitting: fitting)
        }
    }

    private var fitting: [Control.Verb] {
        Control.Verb.allCases.filter { verb in
            let request = ControlRequest(id: definition.id, control: sample(of: verb), by: "")
            return (try? state(after: request)).map { $0 != state } ?? false
        }
    }

    private func sample(of verb: Control.Verb) -> Control {
        switch verb {
        case .start: .start(adding: nil)
        case .pause: .pause
        case .resume: .resume
        case .stop: .stop
        case .reset: .reset
        case .lap: .lap
        case .snooze: .snooze(for: .seconds(1))
        case .skip: .skip
        case .mute: .mute(until: now.advanced(by: .seconds(1)))
        case .unmute: .unmute
        }
    }

    private func state(after request: ControlRequest) throws(Unfit) -> ScheduleState {
        switch request.control {
        case .snooze, .skip, .mute, .unmute: return try overridden(request)
        case .start, .pause, .resume, .stop, .reset, .lap: break
        }
        switch definition.schedule {
        case .event: throw Unfit("an event follows the calendar; it has no start, pause or stop")
        case .timer(let timer):
            let timer = TimerControl(progress: TimerProgress(definition: definition, timer: timer), now: now)
            return try controlled(timer, request.control)
        case .stopwatch(let stopwatch):
            let progress = StopwatchProgress(definition: definition, stopwatch: stopwatch)
            return try controlled(StopwatchControl(progress: progress, now: now), request.control)
        }
    }

    private func controlled(_ timer: TimerControl, _ control: Control) throws(Unfit) -> ScheduleState {
        switch control {
        case .start(let adding): try timer.start(state, adding: adding)
        case .pause: try timer.pause(state)
        case .resume: try timer.resume(state)
        case .stop: try timer.stop(state)
        case .reset: timer.reset(state)
        case .lap: throw Unfit("a timer has no laps")
        case .snooze, .skip, .mute, .unmute: state
        }
    }

    private func controlled(_ stopwatch: StopwatchControl, _ control: Control) throws(Unfit) -> ScheduleState {
        switch control {
        case .start(let adding): try stopwatch.start(state, adding: adding)
        case .pause: try stopwatch.pause(state)
        case .resume: try stopwatch.resume(state)
        case .stop: stopwatch.stop(state)
        case .reset: stopwatch.reset(state)
        case .lap: try stopwatch.lap(state)
        case .snooze, .skip, .mute, .unmute: state
        }
    }

    private func overridden(_ request: ControlRequest) throws(Unfit) -> ScheduleState {
        let overrides = OverrideControl(
            definition: definition, origin: Overrides.Origin(by: request.by, at: now, note: request.note), now: now)
        return switch request.control {
        case .snooze(let time): try overrides.snooze(state, for: time)
        case .skip: try overrides.skip(state)
        case .mute(let until): try overrides.mute(state, until: until)
        case .unmute: overrides.unmute(state)
        case .start, .pause, .resume, .stop, .reset, .lap: state
        }
    }
}
