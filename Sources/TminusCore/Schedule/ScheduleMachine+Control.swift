extension ScheduleMachine {
    /// A part of what is in force; see ``ScheduleControl/page(from:limit:)``.
    package func page(from start: UInt32, limit: Int) -> SchedulePage {
        let (rows, next) = table.page(from: start, limit: limit)
        return SchedulePage(entries: rows.map { ScheduleEntry($0) }, next: next)
    }

    /// One of them.
    package func entry(_ id: DefinitionID) -> ScheduleEntry? { table.row(id).map { ScheduleEntry($0) } }

    /// Puts a definition back to where it stood before a control that cannot be written.
    package mutating func withdraw(to former: ScheduleEntry) {
        guard let slot = table.slot(of: former.definition.id) else { return }
        table.replace(slot, by: former.row)
        queue[slot] = nextDue(of: former.definition, former.state)
        findNextDue()
    }

    /// Does what a person wants with one definition. What came due of it before is dealt with first.
    mutating func perform(
        _ request: ControlRequest, now: Timestamp, _ effects: inout ScheduleEffects
    ) -> Result<ScheduleEntry, ControlRefusal> {
        guard let slot = table.slot(of: request.id), let former = table[slot] else { return .failure(.unknown) }
        if let due = due(slot), due <= now {
            advance(
                former, slot, isLast: true, now: now,
                suppression: former.definition.isEnabled ? nil : .disabled, &effects)
        }
        let definition = former.definition
        let state = table[slot]?.state ?? former.state
        do throws(ControlRefusal) {
            let told = try ControlDecision(definition: definition, state: state, now: now).decide(request)
            let decided = unheld(definition, told, now: now)
            if decided != state {
                put(definition, decided, at: slot, &effects)
                if let cause = request.control.withdrawal(definition, from: state, to: decided, now: now) {
                    effects.commit.withdrawals.append(Withdrawal(definition.id, cause))
                }
                effects.commit.controls.append(
                    ControlRecord(
                        definition: definition.id, control: request.control.verb.rawValue, by: request.by, at: now,
                        note: request.note))
                effects.reports.append(.controlled(request))
            }
        } catch {
            return .failure(error)
        }
        return .success(ScheduleEntry(table[slot] ?? former))
    }
}

extension Control {
    /// What of the waiting actions of a definition the control withdraws; nil: nothing.
    ///
    /// A pause and what follows it leave a reminder true: it says how much is left, and that stands still.
    fileprivate func withdrawal(
        _ definition: Definition, from former: ScheduleState, to state: ScheduleState, now: Timestamp
    ) -> Withdrawal.Cause? {
        switch self {
        case .mute: .muted
        case .skip: state.overrides.skip.map { .skipped($0.occurrence) }
        case .start, .stop, .reset:
            definition.kind == .timer && former.phase != .paused && former.deadline != state.deadline
                ? .moved(Withdrawal.Standing(definition, state, now: now)) : nil
        case .pause, .resume, .lap, .snooze, .unmute: nil
        }
    }
}
