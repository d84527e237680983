internal import DequeModule

extension ScheduleMachine {
    /// Fires what is due of up to `stepLimit` definitions; true if there is more.
    mutating func fireDue(now: Timestamp, _ effects: inout ScheduleEffects) -> Bool {
        var taken = 0
        while taken < Self.stepLimit, allowance > 0, let slot = queue.popFirst(upTo: now, by: table.isInOrder) {
            guard let row = table[slot], backlog[slot] == nil else { continue }
            taken += 1
            advance(row, slot, now: now, suppression: row.definition.isEnabled ? nil : .disabled, &effects)
        }
        // What takes more than one step comes last, so that it does not keep others waiting.
        while allowance > 0, let slot = backlog.popFirst(upTo: now, by: table.isInOrder) {
            guard let row = table[slot] else { continue }
            advance(row, slot, now: now, suppression: row.definition.isEnabled ? nil : .disabled, &effects)
        }
        while allowance > 0, let count = pastLeads.first, count.now <= now {
            pastLeads.removeFirst()
            if isInForce(count) { continueCount(count, &effects) }
        }
        let isMoreDue = isDue(at: now)
        busySince = isMoreDue ? busySince ?? now : nil
        return isMoreDue
    }

    /// Fires what is due before an edit or a control: what was due before it belongs to the former definitions. Of what
    /// takes more than one step, the rest follows later.
    mutating func fireAllDue(now: Timestamp, _ effects: inout ScheduleEffects) {
        while fireDue(now: now, &effects), allowance > 0 {}
    }

    /// Moves one definition on to `now`, and arms it again. If that takes more than one step, the row stays as it is until
    /// the last of them.
    ///
    /// - Parameters:
    ///   - isOther: Whether the row is another than what is in the store.
    ///   - isLast: Whether this step is the last one in any case, because the schedule is about to change.
    mutating func advance(
        _ row: ScheduleRow, _ slot: UInt32, isOther: Bool = false, isLast: Bool = false, now: Timestamp,
        suppression: Omission.Reason?, _ effects: inout ScheduleEffects
    ) {
        let definition = row.definition
        var state = row.state
        var triage = Triage(definition: definition, now: now, suppression: suppression, overrides: state.overrides)
        triage.noticed = busySince
        var next: Timestamp?
        switch definition.schedule {
        case .event(let event):
            let progress = EventProgress(definition: definition, event: event)
            var pass =
                unfinished.isEmpty ? EventPass(triage) : unfinished.removeValue(forKey: slot) ?? EventPass(triage)
            guard pass.advance(progress, after: state.cursor, allowance: &allowance) || isLast else {
                unfinished[slot] = pass
                backlog[slot] = now
                return put(definition, state, at: slot, isOther: isOther, due: nil, &effects)
            }
            backlog[slot] = nil
            next = pass.finish(progress, &state)
            triage = pass.triage
        case .timer(let timer):
            let progress = TimerProgress(definition: definition, timer: timer)
            progress.progress(&state, &triage)
            allowance -= 1
            next = progress.nextDue(state)
        case .stopwatch(let stopwatch):
            let progress = StopwatchProgress(definition: definition, stopwatch: stopwatch)
            progress.progress(&state, &triage)
            next = progress.nextDue(state)
        }
        if !state.overrides.isEmpty { OverrideProgress(definition: definition).progress(&state, &triage) }
        let verdict = triage.verdict()
        let composer = PayloadComposer(definition: definition, now: now)
        for (action, isCatchUp) in verdict.sent { fire(action, isCatchUp: isCatchUp, composer, &effects) }
        for omission in verdict.omissions where omission.action.kind == .expiry && omission.reason.isMiss {
            guard !definition.onFailure.isEmpty else { break }
            effects.commit.firings.append(
                Firing(
                    definition: definition.id, occurrence: omission.occurrence, action: .missed(omission.reason),
                    due: omission.due, payload: composer.payload(omission), sinks: definition.onFailure))
        }
        if !verdict.omissions.isEmpty {
            effects.commit.omissions += verdict.omissions
            effects.reports += verdict.omissions.map(ScheduleReport.omitted)
        }
        if state.phase == .acting, let deadline = state.deadline {
            let waits = verdict.sent.contains { action, _ in
                action.isExpiry && action.occurrence == deadline && !action.sinks.isEmpty
            }
            if waits { openExpiries[definition.id] = deadline }
            state = unheld(definition, state, now: now)
            next = ownNextDue(of: definition, state)
        }
        let due = earliest(next, overridesOf: definition, state)
        put(definition, state, at: slot, isOther: isOther || row.state != state, due: due, &effects)
    }

    /// Adds the firing of an action.
    private mutating func fire(
        _ action: DueAction, isCatchUp: Bool, _ composer: PayloadComposer, _ effects: inout ScheduleEffects
    ) {
        let definition = composer.definition
        effects.commit.firings.append(
            Firing(
                definition: definition.id, occurrence: action.occurrence, action: action.action, due: action.due,
                payload: composer.payload(action, isCatchUp: isCatchUp), sinks: action.sinks,
                expires: definition.end(ofUseOf: action), overlaps: overlaps(of: definition, action.sinks),
                onFailure: definition.onFailure))
    }

    /// The next cycle of a timer whose expiry has no action that is sent, now or when its snooze is over: then there is no end to
    /// wait for. Any other state stays as it is.
    func unheld(_ definition: Definition, _ state: ScheduleState, now: Timestamp) -> ScheduleState {
        guard state.phase == .acting, let deadline = state.deadline, state.overrides.snooze?.occurrence != deadline,
            openExpiries[definition.id] != deadline
        else { return state }
        return timerProgress(definition)?.actionsEnded(state, occurrence: deadline, now: now) ?? state
    }

    /// The overlap of each sink that is not ``Overlap/queue``: that of the sink, else of the definition, else what is usual for
    /// the kind of sink.
    private func overlaps(of definition: Definition, _ keys: [SinkKey]) -> [SinkKey: Overlap] {
        var overlaps: [SinkKey: Overlap] = [:]
        for key in keys {
            let sink = sinkOverlaps[key]
            let overlap = sink?.own ?? definition.overlap ?? sink?.usual ?? .queue
            if overlap != .queue { overlaps[key] = overlap }
        }
        return overlaps
    }

    /// What is due next.
    func nextDue(of definition: Definition, _ state: ScheduleState) -> Timestamp? {
        earliest(ownNextDue(of: definition, state), overridesOf: definition, state)
    }

    /// What is due next but for what people have said.
    private func ownNextDue(of definition: Definition, _ state: ScheduleState) -> Timestamp? {
        switch definition.schedule {
        case .event(let event): EventProgress(definition: definition, event: event).nextDue(after: state.cursor)
        case .timer(let timer): TimerProgress(definition: definition, timer: timer).nextDue(state)
        case .stopwatch(let stopwatch):
            StopwatchProgress(definition: definition, stopwatch: stopwatch).nextDue(state)
        }
    }

    /// That instant, or the one of what people have said if it comes before.
    private func earliest(
        _ next: Timestamp?, overridesOf definition: Definition, _ state: ScheduleState
    ) -> Timestamp? {
        guard !state.overrides.isEmpty else { return next }
        return [next, OverrideProgress(definition: definition).nextDue(state)].compactMap(\.self).min()
    }

    /// Whether the schedule that a count is about is still in force.
    private func isInForce(_ count: PastLeadCount) -> Bool {
        guard let definition = table.row(count.definition.id)?.definition else { return false }
        if definition == count.definition { return true }
        let (former, revision) = (ScheduleRevision(count.definition), ScheduleRevision(definition))
        return former.fingerprint == revision.fingerprint && former.leads == revision.leads
    }

    /// Counts the reminders of an event that were due before it was defined, as far as this step allows.
    mutating func continueCount(_ count: PastLeadCount, _ effects: inout ScheduleEffects) {
        var count = count
        var omissions: [Omission] = []
        if !count.advance(&omissions, allowance: &allowance) { pastLeads.append(count) }
        effects.commit.omissions += omissions
        effects.reports += omissions.map(ScheduleReport.omitted)
    }

    func timerProgress(_ definition: Definition) -> TimerProgress? {
        guard case .timer(let timer) = definition.schedule else { return nil }
        return TimerProgress(definition: definition, timer: timer)
    }

    /// Puts a state in force in the place of another, arms it, and has it written if it is another than before.
    mutating func put(
        _ definition: Definition, _ state: ScheduleState, at slot: UInt32, _ effects: inout ScheduleEffects
    ) {
        let state = state.inForce(as: definition)
        put(
            definition, state, at: slot, isOther: table[slot]?.state != state, due: nextDue(of: definition, state),
            &effects)
    }

    private mutating func put(
        _ definition: Definition, _ state: ScheduleState, at slot: UInt32, isOther: Bool, due: Timestamp?,
        _ effects: inout ScheduleEffects
    ) {
        queue[slot] = due
        table.replace(slot, by: ScheduleRow(definition, state))
        if isOther { effects.commit.schedules.append(state) }
    }

    /// Puts a definition in force that is not, in that state, of which `next` is what is due first if that is known; gives its
    /// slot.
    mutating func insert(
        _ definition: Definition, _ state: ScheduleState, next: Timestamp? = nil, _ effects: inout ScheduleEffects
    ) -> UInt32 {
        let state = state.inForce(as: definition)
        let slot = table.insert(ScheduleRow(definition, state))
        queue[slot] = next ?? nextDue(of: definition, state)
        effects.commit.schedules.append(state)
        return slot
    }
}

extension Definition {
    /// From when on an action is of no more use: a reminder from its occurrence on, anything else when its grace is over.
    fileprivate func end(ofUseOf action: DueAction) -> Timestamp {
        if case .reminder(_, .before) = action.action { return action.occurrence }
        return action.due.advanced(by: grace)
    }
}
