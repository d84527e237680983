extension ScheduleMachine {
    /// What people read of these sinks, as far as they are in force.
    func sinkTitles(_ keys: [SinkKey]) -> [SinkKey: String] {
        keys.reduce(into: [:]) { $0[$1] = sinks?[$1]?.title }
    }

    /// Puts a set in the place of the former one. Of many definitions an edit touches a few: only `ids` are looked at, if they
    /// are known.
    mutating func putInForce(
        _ set: DefinitionSet, among ids: Set<DefinitionID>?, except exceptions: Set<DefinitionID>, now: Timestamp,
        _ effects: inout ScheduleEffects
    ) {
        generation = set.generation ?? generation
        if sinks != set.sinks {
            sinks = set.sinks
            effects.commit.sinks = set.sinks.values.sorted { $0.key < $1.key }
        }
        for id in gone(from: set, among: ids) where !exceptions.contains(id) {
            guard let slot = table.slot(of: id) else { continue }
            conclude(slot, now: now, &effects)
            guard let row = takeOut(slot) else { continue }
            omitSnoozed(row.state, &effects)
            retire(row.definition.isAdHoc ? row.state.blank : row.state, now: now, &effects)
            effects.commit.withdrawals.append(Withdrawal(id, .removed))
            effects.reports.append(.cancelled(id, hadFile: !row.definition.isAdHoc))
        }
        let others = others(in: set, among: ids)
        if table.count == 0 { table.reserve(set.definitions.count) }
        for definition in others where !exceptions.contains(definition.id) {
            let written = effects.commit.schedules.count
            take(definition, now: now, &effects)
            if effects.commit.schedules.count == written { effects.changed.insert(definition.id) }
        }
        // After a start: what was in the directory when the last process ended, and is not now.
        let left = ids.map { ids in ids.compactMap { absent[$0] } } ?? Array(absent.values)
        for state in left
        where state.removed == nil && set.definitions[state.id] == nil && !exceptions.contains(state.id) {
            retire(state, now: now, &effects)
            effects.commit.withdrawals.append(Withdrawal(state.id, .removed))
        }
        // After a start there was one of each definition in it, and what is taken out leaves its room.
        if ids == nil, absent.capacity > 2 * absent.count + 64 {
            absent = Dictionary(uniqueKeysWithValues: absent.map { ($0.key, $0.value) })
        }
    }

    /// Takes the row of a number out of the table and out of the queue.
    private mutating func takeOut(_ slot: UInt32) -> ScheduleRow? {
        queue[slot] = nil
        backlog[slot] = nil
        unfinished[slot] = nil
        return table.remove(slot)
    }

    /// Ends what is due of a definition whose schedule changes or that is removed. Of what takes more than one step, the
    /// rest is neither sent nor counted.
    private mutating func conclude(_ slot: UInt32, now: Timestamp, _ effects: inout ScheduleEffects) {
        guard isBehind(slot, now: now), let row = table[slot] else { return }
        advance(
            row, slot, isLast: true, now: now, suppression: row.definition.isEnabled ? nil : .disabled, &effects)
    }

    /// Whether something of a definition is due, although the steps before fired what they could.
    private func isBehind(_ slot: UInt32, now: Timestamp) -> Bool { due(slot).map { $0 <= now } ?? false }

    /// Puts a definition in force of which nothing is known.
    private mutating func add(_ definition: Definition, now: Timestamp, _ effects: inout ScheduleEffects) {
        let revision = ScheduleRevision(definition)
        let first = revision.firstOfEvent(after: now)
        let state = begun(revision.fresh(at: now, firstOfEvent: first), at: now)
        let next = queue[insert(definition, state, next: state.overrides.isEmpty ? first : nil, &effects)]
        omitPastLeads(of: definition, now: now, &effects)
        omit(EditOmissions(definition: definition, now: now).pastWhenDefined(), &effects)
        effects.reports.append(
            next == nil ? .addedWithoutNext(definition.id, state.phase) : .added(definition.id, next: next))
    }

    /// What is in force and not in a set, in the order of the ids.
    private func gone(from set: DefinitionSet, among ids: Set<DefinitionID>?) -> [DefinitionID] {
        let gone =
            ids.map { Array($0.filter { set.definitions[$0] == nil }) }
            ?? table.all.map(\.row.definition.id).filter { set.definitions[$0] == nil }
        return gone.sorted()
    }

    /// What is in a set and may not be in force as it is there, in the order of the ids.
    private func others(in set: DefinitionSet, among ids: Set<DefinitionID>?) -> [Definition] {
        let all = set.definitions
        let others =
            ids.map(Array.init)
            ?? (table.count == 0 ? Array(all.keys) : all.keys.filter { table.row($0)?.definition != all[$0] })
        // Sorts the ids and not the definitions, because each comparison of definitions would read two objects.
        return others.sorted().compactMap { all[$0] }
    }

    /// Puts one of a set in force, in the place of the one with its id if there is one.
    private mutating func take(_ definition: Definition, now: Timestamp, _ effects: inout ScheduleEffects) {
        let id = definition.id
        if let slot = table.slot(of: id), var row = table[slot] {
            guard row.definition.isAdHoc != definition.isAdHoc else {
                if isBehind(slot, now: now),
                    !row.definition.zone.hasSameRules(as: definition.zone)
                        || !ScheduleRevision(definition).describes(row.state)
                {
                    conclude(slot, now: now, &effects)
                    row = table[slot] ?? row
                }
                return change(definition, from: row, at: slot, now: now, &effects)
            }
            conclude(slot, now: now, &effects)
            // Another countdown that happens to have the id of the one that is gone.
            _ = takeOut(slot)
            effects.commit.withdrawals.append(Withdrawal(id, .removed))
            effects.reports.append(.cancelled(id, hadFile: !row.definition.isAdHoc))
            return add(definition, now: now, &effects)
        }
        // What a person made without a file, removed and makes again is meant to begin anew.
        if !absent.isEmpty, let state = absent.removeValue(forKey: id), !definition.isAdHoc || state.removed == nil {
            return restore(definition, state, now: now, &effects)
        }
        add(definition, now: now, &effects)
    }

    private mutating func retire(_ state: ScheduleState, now: Timestamp, _ effects: inout ScheduleEffects) {
        var state = state
        state.removed = now
        absent[state.id] = state
        effects.commit.schedules.append(state)
    }

    /// Puts a definition in the place of the one with its id that is in force.
    private mutating func change(
        _ definition: Definition, from former: ScheduleRow, at slot: UInt32, now: Timestamp,
        _ effects: inout ScheduleEffects
    ) {
        if former.definition.isEnabled, !definition.isEnabled {
            effects.commit.withdrawals.append(Withdrawal(definition.id, .disabled))
        }
        let hasSameZone = former.definition.zone.hasSameRules(as: definition.zone)
        guard !hasSameZone, ScheduleRevision(definition).describes(former.state) else {
            return change(definition, former.state, former: former.definition, at: slot, now: now, &effects)
        }
        // The same rule by other rules of its zone, after an update of tzdata. What it moved into the past is recorded and
        // not sent; the state goes on.
        let state = ScheduleRevision(definition).overridesMoved(former.state).inForce(as: definition)
        let row = ScheduleRow(definition, state)
        let formerNext = due(slot)
        advance(row, slot, isOther: state != former.state, now: now, suppression: .pastWhenDefined, &effects)
        effects.commit.withdrawals.append(Withdrawal(definition.id, .moved(.event(definition))))
        let next = due(slot)
        if next != formerNext { effects.reports.append(.rescheduled(definition.id, next: next)) }
    }

    /// Puts a definition in the place of the one with its id; the state stays unless the schedule is another.
    ///
    /// - Parameter former: The definition before; nil if it was in force in another run, or was removed since.
    private mutating func change(
        _ definition: Definition, _ state: ScheduleState, former: Definition? = nil, at slot: UInt32, now: Timestamp,
        _ effects: inout ScheduleEffects
    ) {
        let revision = ScheduleRevision(definition)
        guard !revision.describes(state) else { return put(definition, state, at: slot, &effects) }
        let revised = revision.revised(state, at: now)
        put(definition, revised, at: slot, &effects)
        if state.fingerprint != revision.fingerprint {
            effects.commit.withdrawals.append(
                Withdrawal(definition.id, .moved(Withdrawal.Standing(definition, revised, now: now))))
            omitEdited(definition, state, former: former, now: now, &effects)
        }
        omitPastLeads(of: definition, now: now, &effects)
        effects.reports.append(.rescheduled(definition.id, next: due(slot)))
    }

    /// Takes up a definition whose state was kept: over a restart, or since it was removed from the directory.
    private mutating func restore(
        _ definition: Definition, _ state: ScheduleState, now: Timestamp, _ effects: inout ScheduleEffects
    ) {
        var kept = trustsClock ? corrected(state, of: definition, at: now, &effects) ?? state : state
        let returns = kept.removed != nil
        kept.removed = nil
        let slot = insert(definition, kept, &effects)
        // A removed or disabled definition fires nothing; what it would have fired is recorded.
        // Other lead times leave the end of a countdown where it is.
        let revision = ScheduleRevision(definition)
        let goesOn = definition.kind == .event ? revision.describes(kept) : revision.hasRule(of: kept)
        if returns || kept.isDisabled, goesOn, let row = table[slot] {
            advance(row, slot, now: now, suppression: returns ? .removed : .disabled, &effects)
        }
        if !definition.isEnabled { effects.commit.withdrawals.append(Withdrawal(definition.id, .disabled)) }
        change(definition, table[slot]?.state ?? kept, at: slot, now: now, &effects)
        goOn(slot, now: now, &effects)
        let next = due(slot)
        effects.reports.append(returns ? .resumed(definition.id, next: next) : .restored(definition.id, next: next))
    }

    mutating func end(_ expiry: EndedExpiry, now: Timestamp, _ effects: inout ScheduleEffects) {
        if openExpiries[expiry.definition] == expiry.occurrence { openExpiries[expiry.definition] = nil }
        if let slot = table.slot(of: expiry.definition) { goOn(slot, now: now, &effects) }
    }

    /// Begins the next cycle of a timer that has nothing to wait for.
    private mutating func goOn(_ slot: UInt32, now: Timestamp, _ effects: inout ScheduleEffects) {
        guard let row = table[slot] else { return }
        let state = row.state
        let next = unheld(row.definition, state, now: now)
        if next != state { put(row.definition, next, at: slot, &effects) }
    }

    private mutating func omitPastLeads(
        of definition: Definition, now: Timestamp, _ effects: inout ScheduleEffects
    ) {
        guard let count = PastLeadCount(definition, now: now) else { return }
        if allowance > 0 { continueCount(count, &effects) } else { pastLeads.append(count) }
    }

    /// Records what an edit of the rule keeps from being sent.
    private func omitEdited(
        _ definition: Definition, _ state: ScheduleState, former: Definition?, now: Timestamp,
        _ effects: inout ScheduleEffects
    ) {
        let edit = EditOmissions(definition: definition, now: now)
        // Of a definition of another run it is unknown which instants are new: those up to the cursor were dealt with.
        omit(edit.pastWhenDefined(except: former, after: former == nil ? state.cursor : .distantPast), &effects)
        guard let former else { return }
        let note = generation.map { "\(definition.origin.file), generation \($0)" }
        omit(edit.editedAway(from: former, note: note), &effects)
    }

    /// Records the snoozed expiry of a definition that is removed: it was still to come, and nothing else would tell.
    private func omitSnoozed(_ state: ScheduleState, _ effects: inout ScheduleEffects) {
        guard let snooze = state.overrides.snooze else { return }
        omit(
            [
                Omission(
                    definition: state.id, occurrence: snooze.occurrence, action: .snoozed(until: snooze.until),
                    due: snooze.until, reason: .removed)
            ], &effects)
    }

    private func omit(_ omissions: [Omission], _ effects: inout ScheduleEffects) {
        effects.commit.omissions += omissions
        effects.reports += omissions.map(ScheduleReport.omitted)
    }

    /// The slots of all that are in force, in the order of their ids.
    func slotsByID() -> [UInt32] {
        table.all.map { (id: $0.row.definition.id, slot: $0.slot) }.sorted { $0.id < $1.id }.map(\.slot)
    }
}

extension ScheduleState {
    /// What is left of a definition without a file: a file that takes its id later goes on with nothing of it.
    fileprivate var blank: ScheduleState {
        ScheduleState(id: id, kind: kind, fingerprint: 0, leads: 0, phase: .idle, cursor: cursor)
    }
}
