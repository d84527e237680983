/// The only owner of the schedule: a value that takes inputs with `now` and returns effects.
///
/// The invariant, in prose. Each definition has a cursor: an instant up to which everything due has been turned into firings
/// or omissions. A step moves cursors and names what was passed; the store writes both in one transaction. So after a crash the
/// stored cursor tells exactly what was not yet written, and stepping again from there produces the same firings, whose
/// delivery ids are the same. The state here may be ahead of the store only while one advance is being written.
package struct SchedulerState: Sendable {
    /// An object, because both values are large and every step looks at some entries; it never changes, so that a copy of the
    /// scheduler is a copy.
    final class Entry: Sendable {
        let definition: Definition
        let state: ScheduleState
        /// The instant of the entry's one valid place in the timeline.
        let armedFor: Timestamp?

        init(definition: Definition, state: ScheduleState, armedFor: Timestamp?) {
            self.definition = definition
            self.state = state
            self.armedFor = armedFor
        }

        /// The same without a place in the timeline.
        var disarmed: Entry { Entry(definition: definition, state: state, armedFor: nil) }
    }

    /// How many definitions one step takes; the rest follows in further steps, so that a transaction stays short.
    static let stepLimit = 1_000

    private var entries: [DefinitionID: Entry] = [:]
    /// States of definitions that are not in the directory; before the first set, all.
    private var absent: [DefinitionID: ScheduleState] = [:]
    /// Expiries of schedules in phase `acting` that have open deliveries.
    private var openExpiries: Set<EndedExpiry>
    private var sinks: [SinkKey: SinkSpec]?
    private var timeline = Timeline()
    private var spread = CatchUpSpread()

    /// A scheduler that goes on from what was stored. Nothing is due before the first definitions.
    package init(_ snapshot: StoreSnapshot) {
        absent = Dictionary(snapshot.schedules.map { ($0.id, $0) }, uniquingKeysWith: { _, last in last })
        openExpiries = snapshot.openExpiries
    }

    /// The next instant at which a step has something to do.
    package var nextDue: Timestamp? { timeline.first?.due }

    /// How many entries the timeline has, outdated ones among them.
    var timelineCount: Int { timeline.count }

    /// The state of a definition that is in force.
    package func schedule(of id: DefinitionID) -> ScheduleState? { entries[id]?.state }

    /// Takes one input.
    package mutating func step(_ input: SchedulerInput, now: Timestamp) -> SchedulerEffects {
        var effects = SchedulerEffects()
        switch input {
        case .definitions(let set):
            // What was due under the former definitions is theirs: an edit loses nothing that came due before it.
            while fireDue(now: now, &effects) {}
            apply(set, now: now, &effects)
            effects.isMoreDue = fireDue(now: now, &effects)
        case .due:
            effects.isMoreDue = fireDue(now: now, &effects)
        case .ended(let expiries):
            for expiry in expiries { end(expiry, now: now, &effects) }
        case .clockStepped(let step):
            shiftTimers(by: step, &effects) { $0 != .wall }
            effects.isMoreDue = fireDue(now: now, &effects)
        case .slept(let time):
            shiftTimers(by: time, &effects) { $0 == .awake }
            effects.isMoreDue = fireDue(now: now, &effects)
        }
        spread.apply(to: &effects.advance.firings, now: now)
        dropOutdated()
        return effects
    }
}

// MARK: - What is due

extension SchedulerState {
    /// Fires what is due of up to `stepLimit` definitions; true if there is more.
    private mutating func fireDue(now: Timestamp, _ effects: inout SchedulerEffects) -> Bool {
        var taken = 0
        while let first = timeline.first, first.due <= now {
            guard taken < Self.stepLimit else { return true }
            _ = timeline.popFirst()
            guard let entry = entries[first.id], entry.armedFor == first.due else { continue }
            entries[first.id] = entry.disarmed
            taken += 1
            advance(entry, now: now, suppression: entry.definition.isEnabled ? nil : .disabled, &effects)
        }
        return false
    }

    /// Moves one definition on to `now`, and arms it again.
    private mutating func advance(
        _ entry: Entry, now: Timestamp, suppression: Omission.Reason?, _ effects: inout SchedulerEffects
    ) {
        let definition = entry.definition
        var triage = Triage(definition: definition, now: now, suppression: suppression)
        var state = progress(of: definition, entry.state, &triage)
        let verdict = triage.verdict()
        let composer = PayloadComposer(definition: definition, now: now)
        for (action, isCatchUp) in verdict.sent {
            effects.advance.firings.append(
                Firing(
                    definition: definition.id, occurrence: action.occurrence, action: action.action, due: action.due,
                    payload: composer.payload(action, isCatchUp: isCatchUp), sinks: action.sinks,
                    expires: definition.end(ofUseOf: action), overlaps: overlaps(of: definition, action.sinks),
                    onFailure: definition.onFailure))
        }
        for omission in verdict.omissions where omission.action == .expiry && omission.reason.isMiss {
            guard !definition.onFailure.isEmpty else { break }
            effects.advance.firings.append(
                Firing(
                    definition: definition.id, occurrence: omission.occurrence, action: .missed(omission.reason),
                    due: omission.due, payload: composer.payload(omission), sinks: definition.onFailure))
        }
        effects.advance.omissions += verdict.omissions
        effects.reports += verdict.omissions.map(SchedulerReport.omitted)
        // Where no action of the expiry was sent there is no end to wait for.
        let waits = verdict.sent.contains { $0.action.action == .expiry && !$0.action.sinks.isEmpty }
        if state.phase == .acting, entry.state.phase != .acting, let deadline = state.deadline {
            if waits {
                openExpiries.insert(EndedExpiry(definition: definition.id, occurrence: deadline))
            } else if let timer = timerProgress(definition) {
                state = timer.started(state, at: now)
            }
        }
        put(definition, state, &effects)
    }

    /// The overlap of each sink that is not ``Overlap/queue``: that of the sink, else of the definition, else what is usual for
    /// the kind of sink.
    private func overlaps(of definition: Definition, _ keys: [SinkKey]) -> [SinkKey: Overlap] {
        var overlaps: [SinkKey: Overlap] = [:]
        for key in keys {
            let spec = sinks?[key]
            let overlap = spec?.overlap ?? definition.overlap ?? spec?.usualOverlap ?? .queue
            if overlap != .queue { overlaps[key] = overlap }
        }
        return overlaps
    }

    private func progress(
        of definition: Definition, _ state: ScheduleState, _ triage: inout Triage
    ) -> ScheduleState {
        switch definition.schedule {
        case .event(let event): EventProgress(definition: definition, event: event).progress(state, &triage)
        case .timer(let timer): TimerProgress(definition: definition, timer: timer).progress(state, &triage)
        case .stopwatch: state
        }
    }

    private func nextDue(of definition: Definition, _ state: ScheduleState) -> Timestamp? {
        switch definition.schedule {
        case .event(let event):
            EventProgress(definition: definition, event: event).nextDue(after: state.cursor)
        case .timer(let timer):
            TimerProgress(definition: definition, timer: timer).nextDue(state)
        case .stopwatch: nil
        }
    }

    private func timerProgress(_ definition: Definition) -> TimerProgress? {
        guard case .timer(let timer) = definition.schedule else { return nil }
        return TimerProgress(definition: definition, timer: timer)
    }

    /// Puts a state in force, arms it, and has it written if it is another than before.
    private mutating func put(_ definition: Definition, _ state: ScheduleState, _ effects: inout SchedulerEffects) {
        let former = entries[definition.id]
        let armedFor = nextDue(of: definition, state)
        if let armedFor, former?.armedFor != armedFor { timeline.push(definition.id, at: armedFor) }
        entries[definition.id] = Entry(definition: definition, state: state, armedFor: armedFor)
        if former?.state != state { effects.advance.schedules.append(state) }
        if timeline.count > 2 * entries.count + Self.stepLimit {
            let entries = entries
            timeline.compact { entries[$0.id]?.armedFor == $0.due }
        }
    }
}

// MARK: - The timeline

extension SchedulerState {
    /// Removes outdated entries from the front, so that nobody is woken for them.
    private mutating func dropOutdated() {
        while let first = timeline.first, entries[first.id]?.armedFor != first.due { _ = timeline.popFirst() }
    }
}

// MARK: - What changes

extension SchedulerState {
    private mutating func apply(_ set: DefinitionSet, now: Timestamp, _ effects: inout SchedulerEffects) {
        if sinks != set.sinks {
            sinks = set.sinks
            effects.advance.sinks = set.sinks.values.sorted { $0.key < $1.key }
        }
        for id in entries.keys.filter({ set.definitions[$0] == nil }).sorted() {
            guard let state = entries.removeValue(forKey: id)?.state else { continue }
            retire(state, now: now, &effects)
            effects.reports.append(.cancelled(id))
        }
        // Of thousands of definitions an edit touches a few; only these cost more than a comparison.
        let others = set.definitions.filter { entries[$0.key]?.definition != $0.value }
        for (id, definition) in others.sorted(by: { $0.key < $1.key }) {
            if let entry = entries[id] {
                change(definition, from: entry, now: now, &effects)
            } else if let state = absent.removeValue(forKey: id) {
                restore(definition, state, now: now, &effects)
            } else {
                put(definition, ScheduleRevision(definition).fresh(at: now), &effects)
                omitPastLeads(of: definition, now: now, &effects)
                let next = entries[id]?.armedFor
                effects.reports.append(
                    next == nil ? .addedWithoutNext(id, entries[id]?.state.phase ?? .expired) : .added(id, next: next))
            }
        }
        // After a start: what was in the directory when the last process ended, and is not now.
        for state in absent.values where state.removed == nil { retire(state, now: now, &effects) }
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
            Entry(definition: definition, state: former.state, armedFor: nil), now: now, suppression: .pastWhenDefined,
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
        if let current = entries[definition.id]?.state, current.phase == .acting, let deadline = current.deadline,
            !openExpiries.contains(EndedExpiry(definition: current.id, occurrence: deadline))
        {
            end(EndedExpiry(definition: current.id, occurrence: deadline), now: now, &effects)
        }
        if returns { effects.reports.append(.resumed(definition.id, next: entries[definition.id]?.armedFor)) }
    }

    private mutating func end(_ expiry: EndedExpiry, now: Timestamp, _ effects: inout SchedulerEffects) {
        openExpiries.remove(expiry)
        guard let entry = entries[expiry.definition], let timer = timerProgress(entry.definition),
            let next = timer.actionsEnded(entry.state, occurrence: expiry.occurrence, now: now)
        else { return }
        put(entry.definition, next, &effects)
    }

    private mutating func omitPastLeads(
        of definition: Definition, now: Timestamp, _ effects: inout SchedulerEffects
    ) {
        guard case .event(let event) = definition.schedule else { return }
        let omissions = EventProgress(definition: definition, event: event).pastLeads(at: now)
        effects.advance.omissions += omissions
        effects.reports += omissions.map(SchedulerReport.omitted)
    }

    /// Moves the deadlines of running timers whose clock is not the wall clock along with it. Events stay where they are.
    private mutating func shiftTimers(
        by step: Duration, _ effects: inout SchedulerEffects, where counts: (Timer.Clock) -> Bool
    ) {
        func shifted(_ state: ScheduleState) -> ScheduleState? {
            guard state.kind == .timer, state.phase == .armed else { return nil }
            var state = state
            state.start = state.start?.advanced(by: step)
            state.deadline = state.deadline?.advanced(by: step)
            state.cursor = state.cursor.advanced(by: step)
            return state
        }
        for entry in entries.values.sorted(by: { $0.definition.id < $1.definition.id }) {
            guard case .timer(let timer) = entry.definition.schedule, counts(timer.clock) else { continue }
            if let state = shifted(entry.state) { put(entry.definition, state, &effects) }
        }
        // Of one that is gone only the state is known: it counts elapsed time, as timers do unless they say otherwise.
        guard counts(.elapsed) else { return }
        for state in absent.values {
            guard let state = shifted(state) else { continue }
            absent[state.id] = state
            effects.advance.schedules.append(state)
        }
    }
}

extension Definition {
    /// From when on an action is of no more use: a reminder from its occurrence on, anything else when its grace is over.
    fileprivate func end(ofUseOf action: DueAction) -> Timestamp {
        if case .reminder(_, .before) = action.action { return action.occurrence }
        return action.due.advanced(by: grace)
    }
}
