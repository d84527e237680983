import TminusCore

/// What a ``MemoryStore`` holds, with the steps of a commit.
struct MemoryOutbox: Sendable {
    struct FiringKey: Sendable, Hashable {
        let definition: DefinitionID
        let occurrence: Timestamp
        let action: String

        init(_ firing: Firing) {
            (definition, occurrence, action) = (firing.definition, firing.occurrence, firing.action.rawValue)
        }
    }

    var schedules: [DefinitionID: ScheduleState] = [:]
    /// As they were last declared, and since when each is not in force any more.
    var sinks: [SinkKey: (spec: SinkSpec, retired: Timestamp?)] = [:]
    var firings: [FiringKey: (firing: Firing, created: Timestamp)] = [:]
    var deliveries: [DeliveryID: MemoryDelivery] = [:]
    /// The deliveries of each definition that are not over.
    var open: [DefinitionID: Set<DeliveryID>] = [:]
    var omissions: [(omission: Omission, recorded: Timestamp)] = []
    var knownOmissions: Set<Omission> = []
    var mute: Overrides.Mute?
    /// By root and path.
    var kept: [String: [String: KeptFile]] = [:]
    var adHoc: [DefinitionID: AdHocDefinition] = [:]
    /// How many deliveries were ever written, and how many claims made.
    var (written, claims) = (0, 0)
    /// The expiries of which a delivery ended by the present commit.
    var touched: [EndedExpiry] = []
    /// What every verb throws.
    var trouble: StoreError?

    mutating func commit(_ commit: Commit, now: Timestamp) -> Committed {
        var committed = Committed()
        touched = []
        if commit.clockStep != .zero { moveWaits(by: commit.clockStep, now: now) }
        if let specs = commit.sinks {
            for key in sinks.keys where sinks[key]?.retired == nil { sinks[key]?.retired = now }
            for spec in specs { sinks[spec.key] = (spec, nil) }
        }
        for settlement in commit.settlements { settle(settlement, now: now) }
        for schedule in commit.schedules { schedules[schedule.id] = schedule }
        for firing in commit.firings { write(firing, now: now) }
        for new in commit.omissions where knownOmissions.insert(new.identity).inserted { omissions.append((new, now)) }
        if let change = commit.mute { mute = if case .until(let mute) = change { mute } else { nil } }
        let withdrawn = commit.withdrawals.flatMap { withdraw($0, owner: commit.claim?.owner, now: now) }
        committed.withdrawn = Set(withdrawn).sorted()
        if let request = commit.claim { claim(request, now: now, &committed) }
        committed.endedExpiries = touched.filter { ended in
            isAwaited(ended) && !openDeliveries(of: ended.definition).contains { $0.expiry == ended }
        }
        return committed
    }

    /// Whether the schedule of the definition waits for the end of that expiry.
    func isAwaited(_ expiry: EndedExpiry) -> Bool {
        let schedule = schedules[expiry.definition]
        return schedule?.phase == .acting && schedule?.deadline == expiry.occurrence
    }

    /// Every delivery, in the order in which it was written.
    var allDeliveries: [MemoryDelivery] { deliveries.values.sorted { $0.number < $1.number } }

    /// Those of a definition, or of all, that are not over, in the same order.
    func openDeliveries(of definition: DefinitionID? = nil) -> [MemoryDelivery] {
        let ids = definition.map { Array(open[$0, default: []]) } ?? Array(open.values.joined())
        return ids.compactMap { deliveries[$0] }.sorted { $0.number < $1.number }
    }

    func deliveries(of firing: Firing) -> [MemoryDelivery] {
        firing.targets.compactMap { deliveries[$0.delivery] }
    }

    /// Removes a firing if all its deliveries are over.
    mutating func forget(_ firing: Firing, if isOver: (MemoryDelivery) -> Bool) {
        guard deliveries(of: firing).allSatisfy(isOver) else { return }
        for target in firing.targets { deliveries[target.delivery] = nil }
        firings[FiringKey(firing)] = nil
    }

    func entry(_ firing: Firing) -> HistoryEntry {
        HistoryEntry(
            occurrence: firing.occurrence, action: firing.action.rawValue, due: firing.due,
            deliveries: deliveries(of: firing).map(\.part))
    }
}

extension Omission {
    /// What tells one omission from another: the count and the note do not.
    var identity: Omission {
        var identity = self
        (identity.count, identity.note) = (1, nil)
        return identity
    }
}
