/// Applies and ends the overrides of a definition.
struct OverrideProgress: Sendable {
    let definition: Definition

    /// The next instant at which a snoozed expiry is due or an override ends.
    func nextDue(_ state: ScheduleState) -> Timestamp? {
        let overrides = state.overrides
        var next = [overrides.restored, overrides.mute?.until].compactMap(\.self).min()
        if let snooze = overrides.snooze, !state.holds(snooze.occurrence) {
            next = min(next ?? .distantFuture, snooze.until)
        }
        if let skip = overrides.skip, !state.holds(skip.occurrence) {
            next = min(next ?? .distantFuture, end(of: skip.occurrence))
        }
        return next
    }

    /// Passes a due snoozed expiry to the triage, and removes the overrides that have ended by `now`.
    func progress(_ state: inout ScheduleState, _ triage: inout Triage) {
        let now = triage.now
        if let snooze = state.overrides.snooze, !state.holds(snooze.occurrence), snooze.until <= now {
            triage.take(
                DueAction(
                    occurrence: snooze.occurrence, action: .snoozed(until: snooze.until), due: snooze.until,
                    sinks: definition.onExpiry))
            state.overrides.snooze = nil
        }
        if let skip = state.overrides.skip, !state.holds(skip.occurrence), end(of: skip.occurrence) <= now {
            state.overrides.skip = nil
        }
        if let mute = state.overrides.mute, mute.until <= now { state.overrides.mute = nil }
        if let restored = state.overrides.restored, restored <= now { state.overrides.restored = nil }
    }

    /// The due instant of the last action of an occurrence.
    private func end(of occurrence: Timestamp) -> Timestamp {
        var end = occurrence
        if case .event(let event) = definition.schedule {
            end = EventProgress(definition: definition, event: event).expiries.due(of: occurrence)
        }
        for reminder in definition.reminders where reminder.side == .after {
            end = max(end, definition.zone.instant(reminder.lead, .after, of: occurrence))
        }
        return end
    }
}

extension Overrides {
    /// Why an override suppresses an action; nil if none does.
    func reason(against action: DueAction) -> Omission.Reason? {
        if let restored, action.due <= restored { return .restored }
        if let mute, action.due < mute.until { return .muted }
        if let skip, action.occurrence == skip.occurrence { return .skipped }
        if let snooze, action.action == .expiry, action.occurrence == snooze.occurrence, action.due < snooze.until {
            return .snoozed
        }
        return nil
    }

    /// The user who set the override, and the user's note.
    func note(for reason: Omission.Reason) -> String? {
        switch reason {
        case .muted: mute?.origin.text
        case .skipped: skip?.origin.text
        case .snoozed: snooze?.origin.text
        case .superseded, .overLimit, .notCaughtUp, .tooLate, .pastWhenDefined, .editedAway, .disabled, .removed,
            .restored:
            nil
        }
    }
}

extension Overrides.Origin {
    /// `ada`, or `ada: the release is frozen`.
    var text: String { note.map { "\(by): \($0)" } ?? by }
}
