/// What another set of definitions would change, among the definitions and among their coming firings.
package struct SetComparison: Sendable, Equatable {
    /// What is different about a definition that stays.
    package enum Aspect: String, Sendable, Hashable, CaseIterable {
        /// When it fires.
        case schedule
        /// To whom its firings go.
        case actions
        /// Names, labels and the like.
        case text
    }

    /// A definition that is in both sets.
    package struct Changed: Sendable, Equatable {
        /// As it is in force.
        package var before: Definition
        /// As it would be.
        package var after: Definition
        /// What is different, in the order of ``Aspect``.
        package var aspects: [Aspect]
        /// The coming firings as it is.
        package var firingsBefore: [ComingFiring]
        /// The coming firings as it would be.
        package var firingsAfter: [ComingFiring]
        /// How the two differ.
        package var changes: [FiringChange]
    }

    /// A definition that is in one set only.
    package struct Single: Sendable, Equatable {
        /// The definition.
        package var definition: Definition
        /// Its coming firings.
        package var firings: [ComingFiring]
        /// Whether it goes on from a state that was kept of it, because it was there before.
        package var isResumed = false
    }

    /// Definitions that would be new, by id.
    package private(set) var added: [Single] = []
    /// Definitions that would be gone, by id.
    package private(set) var removed: [Single] = []
    /// Definitions that would be others, by id.
    package private(set) var changed: [Changed] = []
    /// How many definitions would stay as they are.
    package private(set) var unchanged = 0
    /// Named sinks that would be new, in their order.
    package private(set) var addedSinks: [String] = []
    /// Named sinks that would be gone, in their order.
    package private(set) var removedSinks: [String] = []
    /// Named sinks that would be others, in their order.
    package private(set) var changedSinks: [String] = []

    /// Whether nothing would change.
    package var isEmpty: Bool {
        added.isEmpty && removed.isEmpty && changed.isEmpty && addedSinks.isEmpty && removedSinks.isEmpty
            && changedSinks.isEmpty
    }

    /// Compares what is in force with what would be.
    ///
    /// - Parameters:
    ///   - states: how far the schedules have come; a definition without one is taken to be new at `now`.
    ///   - limit: how many firings of a definition are looked at.
    ///   - horizon: no firing after this instant is looked at; nil: no bound.
    package init(
        from before: DefinitionSet, to after: DefinitionSet, states: [ScheduleState], now: Timestamp, limit: Int,
        horizon: Timestamp? = nil
    ) {
        let states = Dictionary(states.map { ($0.id, $0) }, uniquingKeysWith: { _, last in last })
        let reach = Forecast.Reach(limit: limit, horizon: horizon)
        for id in Set(before.definitions.keys).union(after.definitions.keys).sorted() {
            let course = Course(id, from: before, to: after, state: states[id], now: now)
            switch (before.definitions[id], after.definitions[id]) {
            case (let old?, let new?): compare(old, new, course, reach, now)
            case (let old?, nil):
                let forecast = Forecast(course.before, of: old, reach: reach, now: now)
                removed.append(Single(definition: old, firings: forecast.firings))
            case (nil, let new?):
                let forecast = Forecast(course.after, of: new, reach: reach, now: now)
                added.append(
                    Single(definition: new, firings: forecast.firings, isResumed: states[id]?.removed != nil))
            case (nil, nil): break
            }
        }
        compareSinks(before.named, after.named)
    }

    private mutating func compare(
        _ old: Definition, _ new: Definition, _ course: Course, _ reach: Forecast.Reach, _ now: Timestamp
    ) {
        guard !old.means(new) else {
            unchanged += 1
            return
        }
        let before = Forecast(course.before, of: old, reach: reach, now: now)
        let after = Forecast(course.after, of: new, reach: reach, now: now)
        let changes = FiringChange.between(before, after)
        let (former, revision) = (ScheduleRevision(old), ScheduleRevision(new))
        var aspects: [Aspect] = []
        if !changes.isEmpty || old.kind != new.kind || former.fingerprint != revision.fingerprint
            || former.leads != revision.leads || old.isEnabled != new.isEnabled
        {
            aspects.append(.schedule)
        }
        if old.onExpiry != new.onExpiry || old.onElapsed != new.onElapsed
            || old.actionsByLead.contains(where: { new.actionsByLead[$0] ?? $1 != $1 })
        {
            aspects.append(.actions)
        }
        if old.texts != new.texts { aspects.append(.text) }
        changed.append(
            Changed(
                before: old, after: new, aspects: aspects, firingsBefore: before.firings, firingsAfter: after.firings,
                changes: changes))
    }

    private mutating func compareSinks(_ old: [String: SinkSpec], _ new: [String: SinkSpec]) {
        addedSinks = new.keys.filter { old[$0] == nil }.sorted()
        removedSinks = old.keys.filter { new[$0] == nil }.sorted()
        changedSinks = old.filter { name, spec in new[name].map { $0.revision != spec.revision } ?? false }.keys
            .sorted()
    }
}

/// The scheduler before and after an edit, with one definition in it.
private struct Course {
    private(set) var before: ScheduleMachine
    private(set) var after: ScheduleMachine

    init(_ id: DefinitionID, from old: DefinitionSet, to new: DefinitionSet, state: ScheduleState?, now: Timestamp) {
        before = ScheduleMachine(StoreSnapshot(schedules: state.map { [$0] } ?? []))
        // What waits for its actions goes on waiting; without this it would be taken for ended.
        if let state, state.phase == .acting, let deadline = state.deadline {
            before = ScheduleMachine(
                StoreSnapshot(schedules: [state], openExpiries: [EndedExpiry(definition: id, occurrence: deadline)]))
        }
        func step(_ scheduler: inout ScheduleMachine, _ set: DefinitionSet) {
            let alone = DefinitionSet(definitions: set.definitions[id].map { [id: $0] } ?? [:])
            var effects = scheduler.step(.definitions(alone), now: now)
            while effects.isMoreDue { effects = scheduler.step(.due, now: now) }
        }
        // Not for one that is not in force: that would say that it was removed just now.
        if old.definitions[id] != nil { step(&before, old) }
        after = before
        step(&after, new)
    }
}

extension DefinitionSet {
    /// The sinks that a file declares. A built-in one has the name of its kind, which no other can have.
    fileprivate var named: [String: SinkSpec] {
        let declared = sinks.values.compactMap { spec in spec.name.map { ($0, spec) } }
        return Dictionary(declared.filter { $0 != $1.kind }, uniquingKeysWith: { _, last in last })
    }
}

extension Definition {
    /// Whether the other one is the same but for the place where it was written.
    fileprivate func means(_ other: Definition) -> Bool {
        var other = other
        other.origin = origin
        return self == other
    }

    /// To whom the reminder with that action goes.
    fileprivate var actionsByLead: [FiringAction: [SinkKey]] {
        Dictionary(reminders.map { ($0.action, $0.actions) }, uniquingKeysWith: { first, _ in first })
    }

    /// What is for people, and the zone in which it is shown to them.
    fileprivate var texts: [String] {
        [name, description ?? "", color ?? "", zone.name]
            + labels.sorted { $0.key < $1.key }.flatMap { [$0.key, $0.value] }
    }
}
