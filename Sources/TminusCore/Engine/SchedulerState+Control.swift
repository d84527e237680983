extension SchedulerState {
    /// Everything that is in force, in no order.
    package var all: [ScheduleEntry] { entries.values.map { ScheduleEntry($0) } }

    /// One of them.
    package func entry(_ id: DefinitionID) -> ScheduleEntry? { entries[id].map { ScheduleEntry($0) } }

    /// Puts a definition back to where it stood before a control that cannot be written.
    package mutating func withdraw(to former: ScheduleEntry) {
        let former = former.entry
        let id = former.definition.id
        let slot = entries[id]?.slot ?? queue.slot(for: id)
        entries[id] = Entry(
            definition: former.definition, state: former.state, armedFor: former.armedFor, slot: slot)
        queue.arm(slot, at: former.armedFor)
        findNextDue()
    }

    /// Does what a person wants with one definition. What came due of it before is dealt with first.
    mutating func perform(
        _ request: ControlRequest, now: Timestamp, _ effects: inout SchedulerEffects
    ) -> Result<ScheduleEntry, ControlRefusal> {
        guard let former = entries[request.id] else { return .failure(.unknown) }
        if let due = former.armedFor, due <= now {
            entries[request.id] = former.disarmed
            advance(former, now: now, suppression: former.definition.isEnabled ? nil : .disabled, &effects)
        }
        let definition = former.definition
        let state = entries[request.id]?.state ?? former.state
        do throws(ControlRefusal) {
            let told = try ControlDecision(definition: definition, state: state, now: now).decide(request)
            let decided = unheld(definition, told, now: now)
            if decided != state {
                put(definition, decided, &effects)
                effects.reports.append(.controlled(request))
            }
        } catch {
            return .failure(error)
        }
        return .success(ScheduleEntry(entries[request.id] ?? former))
    }

    /// Whether something is due at `now`.
    mutating func isDue(at now: Timestamp) -> Bool {
        findNextDue()
        return nextDue.map { $0 <= now } ?? false
    }
}
