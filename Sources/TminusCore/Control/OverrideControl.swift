/// Applies mute, skip and snooze: pure functions of a definition, its state and `now`. Everything due up to `now` must
/// have been processed.
struct OverrideControl: Sendable {
    /// How long after an expiry a snooze still applies to it; long enough for several snoozes in a row.
    static let reach = Duration.seconds(3_600)

    let definition: Definition
    let origin: Overrides.Origin
    let now: Timestamp

    /// Sends nothing until that instant.
    func mute(_ state: ScheduleState, until: Timestamp) throws(Unfit) -> ScheduleState {
        guard until > now else { throw Unfit("\(until.rfc3339) is past") }
        var state = state
        state.overrides.mute = Overrides.Mute(until: until, origin: origin)
        return state
    }

    /// Removes all overrides. A snoozed expiry that would have been sent by now is sent at once.
    func unmute(_ state: ScheduleState) -> ScheduleState {
        var snooze = state.overrides.snooze
        if let occurrence = snooze?.occurrence, !state.holds(occurrence), due(of: occurrence) <= now {
            snooze?.until = now
        } else {
            snooze = nil
        }
        var state = state
        state.overrides = Overrides(snooze: snooze)
        return state
    }

    /// Sends nothing for the next occurrence.
    func skip(_ state: ScheduleState) throws(Unfit) -> ScheduleState {
        let occurrence = try next(state)
        guard state.overrides.skip?.occurrence != occurrence else { return state }
        var state = state
        state.overrides.skip = Overrides.Skip(occurrence: occurrence, origin: origin)
        if state.overrides.snooze?.occurrence == occurrence { state.overrides.snooze = nil }
        return state
    }

    /// Delays the expiry of the next occurrence. If the last one was due within ``reach`` and is not further away than
    /// the next, it is sent again instead.
    func snooze(_ state: ScheduleState, for time: Duration) throws(Unfit) -> ScheduleState {
        guard time > .zero else { throw Unfit("the time to snooze must be positive") }
        let upcoming = Result { () throws(Unfit) in try next(state) }
        let occurrence: Timestamp
        let until: Timestamp
        if let last = last(state), isNearer(last, than: try? upcoming.get()) {
            (occurrence, until) = (last, now.advanced(by: time))
        } else {
            occurrence = try upcoming.get()
            until = due(of: occurrence).advanced(by: time)
        }
        guard until < .distantFuture else { throw Unfit("it would be sent after the year 2261") }
        var state = state
        state.overrides.snooze = Overrides.Snooze(occurrence: occurrence, until: until, origin: origin)
        if state.overrides.skip?.occurrence == occurrence { state.overrides.skip = nil }
        return state
    }

    private func isNearer(_ last: Timestamp, than next: Timestamp?) -> Bool {
        guard let next else { return true }
        return due(of: last).duration(to: now) <= now.duration(to: due(of: next))
    }

    private func next(_ state: ScheduleState) throws(Unfit) -> Timestamp {
        switch definition.schedule {
        case .stopwatch: throw Unfit("a stopwatch has no occurrence to snooze or skip")
        case .timer:
            switch state.phase {
            case .armed, .paused: if let deadline = state.deadline { return deadline }
            case .acting: throw Unfit(TimerControl.acting)
            case .idle: throw Unfit(TimerControl.idle)
            case .expired: break
            }
        case .event(let event):
            let expiries = EventProgress(definition: definition, event: event).expiries
            if let next = expiries.firstOccurrence(dueAfter: max(now, state.cursor)) { return next }
        }
        throw Unfit("it has no upcoming occurrence")
    }

    /// The last occurrence, if it was due within ``reach``.
    private func last(_ state: ScheduleState) -> Timestamp? {
        let earliest = now.advanced(by: .zero - Self.reach)
        switch definition.schedule {
        case .stopwatch: return nil
        case .timer(let timer):
            var last: Timestamp?
            switch state.phase {
            case .expired, .acting: last = state.deadline
            case .armed where timer.repetition == .immediately && state.occurrences > 0: last = state.start
            case .armed, .idle, .paused: break
            }
            return last.flatMap { $0 >= earliest && $0 <= now ? $0 : nil }
        case .event(let event):
            guard state.occurrences > 0 else { return nil }
            var last: Timestamp?
            EventProgress(definition: definition, event: event).expiries.forEach(dueAfter: earliest, upTo: now) {
                occurrence, _ in last = occurrence
            }
            return last
        }
    }

    private func due(of occurrence: Timestamp) -> Timestamp {
        guard case .event(let event) = definition.schedule else { return occurrence }
        return EventProgress(definition: definition, event: event).expiries.due(of: occurrence)
    }
}
