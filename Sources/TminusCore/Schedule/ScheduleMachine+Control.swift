extension ScheduleMachine {
    /// Everything that is in force, in no order.
    package var all: [ScheduleEntry] { table.all.map { ScheduleEntry($0.row) } }

    /// One of them.
    package func entry(_ id: DefinitionID) -> ScheduleEntry? { table.row(id).map { ScheduleEntry($0) } }

    /// Puts a definition back to where it stood before a control that cannot be written.
    package mutating func withdraw(to former: ScheduleEntry) {
        guard let slot = table.slot(of: former.definition.id) else { return }
        table.replace(slot, by: former.row)
        queue.arm(slot, at: former.row.armedFor)
        findNextDue()
    }

    /// Does what a person wants with one definition. What came due of it before is dealt with first.
    mutating func perform(
        _ request: ControlRequest, now: Timestamp, _ effects: inout ScheduleEffects
    ) -> Result<ScheduleEntry, ControlRefusal> {
        guard let slot = table.slot(of: request.id), let former = table[slot] else { return .failure(.unknown) }
        if let due = former.armedFor, due <= now {
            advance(former, slot, now: now, suppression: former.definition.isEnabled ? nil : .disabled, &effects)
        }
        let definition = former.definition
        let state = table[slot]?.state ?? former.state
        do throws(ControlRefusal) {
            let told = try ControlDecision(definition: definition, state: state, now: now).decide(request)
            let decided = unheld(definition, told, now: now)
            if decided != state {
                put(definition, decided, at: slot, &effects)
                effects.reports.append(.controlled(request))
            }
        } catch {
            return .failure(error)
        }
        return .success(ScheduleEntry(table[slot] ?? former))
    }

    /// Whether something is due at `now`.
    mutating func isDue(at now: Timestamp) -> Bool {
        findNextDue()
        return nextDue.map { $0 <= now } ?? false
    }
}
