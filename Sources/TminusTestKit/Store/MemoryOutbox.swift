import TminusCore

/// What a ``MemoryStore`` holds, as flat tables; the verbs are its methods.
struct MemoryOutbox: Sendable {
    var definitions = KeyedRows<DefinitionID, DefinitionRow>()
    var firings = NumberedRows<FiringRow>()
    var chains = NumberedRows<ChainRow>()
    var sinks = KeyedRows<SinkKey, SinkRow>()
    var deliveries = NumberedRows<DeliveryRow>()
    /// How many deliveries were written.
    var written = 0
    /// How many claims were made.
    var claims = 0
    /// Who made them.
    var owners: [String] = []
    /// The rows that were looked up last: the next is mostly one of them, or the one behind it.
    var latest = (definition: 0, sink: 0)
    var omissions = MemoryOmissions()
    /// By root and path.
    var kept: [String: [String: KeptFile]] = [:]
    /// Definitions without a file.
    var adHoc: [DefinitionID: AdHocDefinition] = [:]
    /// The silence of everything.
    var mute: Overrides.Mute?

    func snapshot() -> StoreSnapshot {
        var schedules: [ScheduleState] = []
        var open: Set<EndedExpiry> = []
        for number in definitions.all {
            guard let state = definitions[number].schedule else { continue }
            schedules.append(state)
            guard state.phase == .acting, let deadline = state.deadline,
                isExpiryOpen(of: number, at: deadline)
            else { continue }
            open.insert(EndedExpiry(definition: state.id, occurrence: deadline))
        }
        return StoreSnapshot(schedules: schedules.sorted { $0.id < $1.id }, openExpiries: open, mute: mute)
    }

    mutating func advance(_ advance: Advance, now: Timestamp) -> [EndedExpiry] {
        reserve(definitions: advance.schedules.count)
        // By index: to take one out would copy it.
        for index in advance.schedules.indices {
            let number = definition(advance.schedules[index].id)
            definitions[number].schedule = advance.schedules[index]
        }
        var touched: [Int] = []
        write(advance.firings, now: now, &touched)
        for omission in advance.omissions { omissions.add(omission, now: now) }
        switch advance.mute {
        case .until(let said): mute = said
        case .over: mute = nil
        case nil: break
        }
        if let live = advance.sinks {
            for number in sinks.all { sinks[number].isLive = false }
            for spec in live {
                let number = sink(of: spec.key)
                sinks[number].spec = spec
                sinks[number].revision = spec.revision
                sinks[number].isLive = true
            }
        }
        return ended(touched)
    }

    /// Makes room for so many definitions that are new, with a delivery of each.
    private mutating func reserve(definitions count: Int) {
        let needed = definitions.count + count
        guard count > 1, needed > definitions.capacity else { return }
        definitions.reserve(needed)
        firings.reserve(needed)
        chains.reserve(needed)
        deliveries.reserve(needed)
    }

    /// The row of a definition, which is made if there is none.
    mutating func definition(_ id: DefinitionID) -> Int {
        for guess in latest.definition...latest.definition + 1
        where definitions.isUsed(guess) && definitions[guess].id == id {
            latest.definition = guess
            return guess
        }
        latest.definition = definitions.number(of: id, orNew: DefinitionRow(id: id))
        return latest.definition
    }

    /// The row of a sink, which is made if there is none.
    mutating func sink(of key: SinkKey) -> Int {
        if sinks.isUsed(latest.sink), sinks[latest.sink].key == key { return latest.sink }
        latest.sink = sinks.number(of: key, orNew: SinkRow(key: key))
        return latest.sink
    }

    func sink(_ key: SinkKey) -> SinkSpec? { sinks.number(of: key).flatMap { sinks[$0].spec } }

    func keptFiles(root: String) -> KeptFiles {
        let live = sinks.values.filter(\.isLive).compactMap(\.spec).filter { $0.name != nil }
        return KeptFiles(
            files: kept[root, default: [:]].values.sorted { $0.path < $1.path }, sinks: live.sorted { $0.key < $1.key })
    }

    mutating func keep(_ changed: [KeptFile], forget: [String], root: String) {
        for path in forget { kept[root]?[path] = nil }
        for file in changed { kept[root, default: [:]][file.path] = file }
    }
}

/// What was due and is not sent, each once, in the order in which it was written.
struct MemoryOmissions: Sendable {
    /// What tells one from another: the count does not.
    private struct Key: Sendable, Hashable {
        var definition: DefinitionID
        var occurrence: Timestamp
        var action: FiringAction
        var due: Timestamp
        var reason: Omission.Reason

        init(_ omission: Omission) {
            (definition, occurrence, action) = (omission.definition, omission.occurrence, omission.action)
            (due, reason) = (omission.due, omission.reason)
        }
    }

    private var keys: Set<Key> = []
    private var rows: [(omission: Omission, recorded: Timestamp)] = []

    var all: some Collection<Omission> { rows.lazy.map(\.omission) }

    mutating func add(_ omission: Omission, now: Timestamp) {
        if keys.insert(Key(omission)).inserted { rows.append((omission, now)) }
    }

    /// Removes what was recorded before an instant.
    mutating func prune(before instant: Timestamp) {
        for row in rows where row.recorded < instant { keys.remove(Key(row.omission)) }
        rows.removeAll { $0.recorded < instant }
    }
}
