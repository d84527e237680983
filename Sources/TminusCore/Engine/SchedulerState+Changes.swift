extension SchedulerState {
    /// Puts a set in the place of the former one. Of many definitions an edit touches a few: only `ids` are looked at, if they
    /// are known.
    mutating func apply(
        _ set: DefinitionSet, among ids: Set<DefinitionID>?, now: Timestamp, _ effects: inout SchedulerEffects
    ) {
        if sinks != set.sinks {
            sinks = set.sinks
            effects.advance.sinks = set.sinks.values.sorted { $0.key < $1.key }
        }
        let gone =
            ids.map { Array($0.filter { set.definitions[$0] == nil }) }
            ?? entries.keys.filter { set.definitions[$0] == nil }
        for id in gone.sorted() {
            guard let entry = entries.removeValue(forKey: id) else { continue }
            queue.free(entry.slot)
            retire(entry.definition.isAdHoc ? entry.state.blank : entry.state, now: now, &effects)
            effects.changed.insert(id)
            effects.reports.append(.cancelled(id))
        }
        let others =
            ids.map { $0.compactMap { set.definitions[$0] } }
            ?? set.definitions.values.filter { entries[$0.id]?.definition != $0 }
        for definition in others.sorted(by: { $0.id < $1.id }) {
            let id = definition.id
            effects.changed.insert(id)
            if let entry = entries[id], entry.definition.isAdHoc != definition.isAdHoc {
                // Another countdown that happens to have the id of the one that is gone.
                effects.reports.append(.cancelled(id))
                add(definition, now: now, &effects)
            } else if let entry = entries[id] {
                change(definition, from: entry, now: now, &effects)
            } else if let state = absent.removeValue(forKey: id), !definition.isAdHoc || state.removed == nil {
                // What a person made without a file, removed and makes again is meant to begin anew.
                restore(definition, state, now: now, &effects)
            } else {
                add(definition, now: now, &effects)
            }
        }
        // After a start: what was in the directory when the last process ended, and is not now.
        guard ids == nil else { return }
        for state in absent.values where state.removed == nil { retire(state, now: now, &effects) }
        // After a start there was one of each definition in it, and what is taken out leaves its room.
        if absent.capacity > 2 * absent.count + 64 {
            absent = Dictionary(uniqueKeysWithValues: absent.map { ($0.key, $0.value) })
        }
    }

    /// Puts a definition in force of which nothing is known.
    private mutating func add(_ definition: Definition, now: Timestamp, _ effects: inout SchedulerEffects) {
        let id = definition.id
        put(definition, begun(ScheduleRevision(definition).fresh(at: now), at: now), &effects)
        omitPastLeads(of: definition, now: now, &effects)
        let next = entries[id]?.armedFor
        effects.reports.append(
            next == nil ? .addedWithoutNext(id, entries[id]?.state.phase ?? .expired) : .added(id, next: next))
    }

    private mutating func retire(_ state: ScheduleState, now: Timestamp, _ effects: inout SchedulerEffects) {
        var state = state
        state.removed = now
        absent[state.id] = state
        effects.advance.schedules.append(state)
    }

    /// Puts a definition in the place of the one with its id that is in force.
    private mutating func change(
        _ definition: Definition, from former: Entry, now: Timestamp, _ effects: inout SchedulerEffects
    ) {
        let hasSameZone = former.definition.zone.hasSameRules(as: definition.zone)
        guard !hasSameZone, ScheduleRevision(definition).describes(former.state) else {
            return change(definition, former.state, now: now, &effects)
        }
        // The same rule by other rules of its zone, after an update of tzdata. What it moved into the past is recorded and
        // not sent; the state goes on.
        entries[definition.id] = former.disarmed
        advance(
            Entry(definition: definition, state: former.state, armedFor: nil, slot: former.slot), now: now,
            suppression: .pastWhenDefined,
            &effects)
        let next = entries[definition.id]?.armedFor
        if next != former.armedFor { effects.reports.append(.rescheduled(definition.id, next: next)) }
    }

    /// Puts a definition in the place of the one with its id; the state stays unless the schedule is another.
    private mutating func change(
        _ definition: Definition, _ state: ScheduleState, now: Timestamp, _ effects: inout SchedulerEffects
    ) {
        let revision = ScheduleRevision(definition)
        guard !revision.describes(state) else { return put(definition, state, &effects) }
        put(definition, revision.revised(state, at: now), &effects)
        omitPastLeads(of: definition, now: now, &effects)
        effects.reports.append(.rescheduled(definition.id, next: entries[definition.id]?.armedFor))
    }

    /// Takes up a definition whose state was kept: over a restart, or since it was removed from the directory.
    private mutating func restore(
        _ definition: Definition, _ state: ScheduleState, now: Timestamp, _ effects: inout SchedulerEffects
    ) {
        var kept = state
        let returns = kept.removed != nil
        kept.removed = nil
        put(definition, kept, &effects)
        // A removed definition fires nothing; what it would have fired is recorded.
        if returns, let entry = entries[definition.id], ScheduleRevision(definition).describes(kept) {
            entries[definition.id] = entry.disarmed
            advance(entry, now: now, suppression: .removed, &effects)
        }
        change(definition, entries[definition.id]?.state ?? kept, now: now, &effects)
        goOn(definition.id, now: now, &effects)
        let next = entries[definition.id]?.armedFor
        effects.reports.append(returns ? .resumed(definition.id, next: next) : .restored(definition.id, next: next))
    }

    mutating func end(_ expiry: EndedExpiry, now: Timestamp, _ effects: inout SchedulerEffects) {
        openExpiries.remove(expiry)
        goOn(expiry.definition, now: now, &effects)
    }

    /// Begins the next cycle of a timer that has nothing to wait for.
    private mutating func goOn(_ id: DefinitionID, now: Timestamp, _ effects: inout SchedulerEffects) {
        guard let entry = entries[id] else { return }
        let next = unheld(entry.definition, entry.state, now: now)
        if next != entry.state { put(entry.definition, next, &effects) }
    }

    private mutating func omitPastLeads(
        of definition: Definition, now: Timestamp, _ effects: inout SchedulerEffects
    ) {
        guard case .event(let event) = definition.schedule else { return }
        let omissions = EventProgress(definition: definition, event: event).pastLeads(at: now)
        effects.advance.omissions += omissions
        effects.reports += omissions.map(SchedulerReport.omitted)
    }

    /// Moves what counts time along with the clock. Events stay where they are.
    mutating func shift(
        by step: Duration, held: Bool, _ effects: inout SchedulerEffects, where counts: (Timer.Clock) -> Bool
    ) {
        for entry in entries.values.sorted(by: { $0.definition.id < $1.definition.id }) {
            let clock: Timer.Clock
            switch entry.definition.schedule {
            case .event: continue
            case .timer(let timer): clock = timer.clock
            case .stopwatch: clock = .elapsed
            }
            guard counts(clock), let state = entry.state.shifted(by: step, held: held) else { continue }
            put(entry.definition, state, &effects)
        }
        // Of one that is gone only the state is known: it counts elapsed time, as timers do unless they say otherwise.
        guard counts(.elapsed) else { return }
        for state in absent.values {
            guard let state = state.shifted(by: step, held: held) else { continue }
            absent[state.id] = state
            effects.advance.schedules.append(state)
        }
    }
}

extension ScheduleState {
    /// What is left of a definition without a file: a file that takes its id later goes on with nothing of it.
    fileprivate var blank: ScheduleState {
        ScheduleState(id: id, kind: kind, fingerprint: "", leads: "", phase: .idle, cursor: cursor)
    }
}
