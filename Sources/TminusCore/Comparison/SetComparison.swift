/// The effect of replacing one set of definitions by another, on the definitions and on their upcoming firings.
package struct SetComparison: Sendable, Equatable {
    /// An aspect in which a definition differs.
    package enum Aspect: String, Sendable, Hashable, CaseIterable {
        /// The instants of its firings.
        case schedule
        /// The sinks of its firings.
        case actions
        /// Names, labels and other text.
        case text
    }

    /// A definition that is in both sets.
    package struct Changed: Sendable, Equatable {
        /// The version in force.
        package var before: Definition
        /// The new version.
        package var after: Definition
        /// The aspects that differ, in the order of ``Aspect``.
        package var aspects: [Aspect]
        /// The upcoming firings of the version in force.
        package var firingsBefore: [ComingFiring]
        /// The upcoming firings of the new version.
        package var firingsAfter: [ComingFiring]
        /// The differences between the two lists of firings.
        package var changes: [FiringChange]
    }

    /// A definition that is in one set only.
    package struct Single: Sendable, Equatable {
        /// The definition.
        package var definition: Definition
        /// Its upcoming firings.
        package var firings: [ComingFiring]
        /// Whether it resumes from a state that was kept after an earlier removal.
        package var isResumed = false
    }

    /// Added definitions, sorted by id.
    package private(set) var added: [Single] = []
    /// Removed definitions, sorted by id.
    package private(set) var removed: [Single] = []
    /// Changed definitions, sorted by id.
    package private(set) var changed: [Changed] = []
    /// The number of unchanged definitions.
    package private(set) var unchanged = 0
    /// Added named sinks, sorted.
    package private(set) var addedSinks: [String] = []
    /// Removed named sinks, sorted.
    package private(set) var removedSinks: [String] = []
    /// Changed named sinks, sorted.
    package private(set) var changedSinks: [String] = []

    /// Whether nothing would change.
    package var isEmpty: Bool {
        added.isEmpty && removed.isEmpty && changed.isEmpty && addedSinks.isEmpty && removedSinks.isEmpty
            && changedSinks.isEmpty
    }

    /// Compares the set in force with a new set.
    ///
    /// - Parameters:
    ///   - states: the states of the schedules; a definition without one counts as new at `now`.
    ///   - limit: the maximum number of firings per definition.
    ///   - horizon: the end of the comparison; nil means no bound.
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
        // Without this open expiry, a timer that waits for its actions would count as finished.
        if let state, state.phase == .acting, let deadline = state.deadline {
            before = ScheduleMachine(
                StoreSnapshot(schedules: [state], openExpiries: [EndedExpiry(definition: id, occurrence: deadline)]))
        }
        func step(_ scheduler: inout ScheduleMachine, _ set: DefinitionSet) {
            let alone = DefinitionSet(definitions: set.definitions[id].map { [id: $0] } ?? [:])
            var effects = scheduler.step(.definitions(alone), now: now)
            while effects.isMoreDue { effects = scheduler.step(.due, now: now) }
        }
        // A definition that is not in force is not loaded: the scheduler would record its removal at `now`.
        if old.definitions[id] != nil { step(&before, old) }
        after = before
        step(&after, new)
    }
}

extension DefinitionSet {
    /// The sinks that a file declares. A built-in sink is named after its kind, a name that no file can use.
    fileprivate var named: [String: SinkSpec] {
        let declared = sinks.values.compactMap { spec in spec.name.map { ($0, spec) } }
        return Dictionary(declared.filter { $0 != $1.kind }, uniquingKeysWith: { _, last in last })
    }
}

extension Definition {
    /// Whether the other definition is the same, apart from its position in a file.
    fileprivate func means(_ other: Definition) -> Bool {
        var other = other
        other.origin = origin
        return self == other
    }

    /// The sinks of each reminder, by the action of the reminder.
    fileprivate var actionsByLead: [FiringAction: [SinkKey]] {
        Dictionary(reminders.map { ($0.action, $0.actions) }, uniquingKeysWith: { first, _ in first })
    }

    /// The texts for display, and the zone in which instants are shown.
    fileprivate var texts: [String] {
        [name, description ?? "", color ?? "", zone.name]
            + labels.sorted { $0.key < $1.key }.flatMap { [$0.key, $0.value] }
    }
}
