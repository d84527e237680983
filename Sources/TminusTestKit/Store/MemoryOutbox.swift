import TminusCore

/// What a ``MemoryStore`` holds, with the steps of a commit.
struct MemoryOutbox: Sendable {
    var schedules: [DefinitionID: ScheduleState] = [:]
    /// As they were last declared, and since when each is not in force any more.
    var sinks: [SinkKey: (spec: SinkSpec, retired: Timestamp?)] = [:]
    /// By definition, and then by occurrence and action.
    var firings: [DefinitionID: [FiringPlace: (firing: Firing, created: Timestamp)]] = [:]
    var deliveries: [DeliveryID: MemoryDelivery] = [:]
    /// The deliveries of each definition that are not over. Without this index, writing a delivery would look at all others.
    var open: [DefinitionID: Set<DeliveryID>] = [:]
    var omissions: [(omission: Omission, recorded: Timestamp)] = []
    /// Oldest first.
    var controls: [ControlRecord] = []
    var mute: Overrides.Mute?
    /// By root and path.
    var kept: [String: [String: KeptFile]] = [:]
    var adHoc: [DefinitionID: AdHocDefinition] = [:]
    /// By digest.
    var sessions: [String: WebSession] = [:]
    /// How many deliveries were ever written, and how many claims made.
    var (written, claims) = (0, 0)
    /// The expiries of which a delivery ended by the present verb.
    var touched: [EndedExpiry] = []
    /// What every verb throws.
    var trouble: StoreError?

    mutating func commit(_ commit: Commit, now: Timestamp) -> Committed {
        var committed = Committed()
        if commit.clockStep != .zero { moveWaits(by: commit.clockStep, now: now) }
        if let specs = commit.sinks {
            for key in sinks.keys where sinks[key]?.retired == nil { sinks[key]?.retired = now }
            for spec in specs { sinks[spec.key] = (spec, nil) }
        }
        for settlement in commit.settlements { settle(settlement, now: now) }
        for schedule in commit.schedules { schedules[schedule.id] = schedule }
        for firing in commit.firings { write(firing, now: now) }
        for new in commit.omissions where !omissions.contains(where: { $0.omission.isSame(as: new) }) {
            omissions.append((new, now))
        }
        for new in commit.controls where !controls.contains(where: { $0.isSame(as: new) }) { controls.append(new) }
        if let change = commit.mute { mute = if case .until(let mute) = change { mute } else { nil } }
        let withdrawn = commit.withdrawals.flatMap { withdraw($0, owner: commit.claim?.owner, now: now) }
        committed.withdrawn = Set(withdrawn).sorted()
        if let request = commit.claim { claim(request, now: now, &committed) }
        committed.endedExpiries = endedExpiries
        return committed
    }

    /// Those of the touched expiries that have ended, and for which a schedule waits.
    var endedExpiries: [EndedExpiry] {
        touched.filter { isAwaited($0) && !openDeliveries(of: $0.definition).map(\.expiry).contains($0) }
    }

    /// Whether the schedule of the definition waits for the end of that expiry.
    func isAwaited(_ expiry: EndedExpiry) -> Bool {
        schedules[expiry.definition].map { $0.phase == .acting && $0.deadline == expiry.occurrence } ?? false
    }

    /// Every delivery, in the order in which it was written.
    var allDeliveries: [MemoryDelivery] { deliveries.values.sorted { $0.number < $1.number } }

    /// Those of a definition, or of all, that are not over, in the same order.
    func openDeliveries(of definition: DefinitionID? = nil) -> [MemoryDelivery] {
        let ids = definition.map { Array(open[$0, default: []]) } ?? Array(open.values.joined())
        return ids.compactMap { deliveries[$0] }.sorted { $0.number < $1.number }
    }

    func deliveries(of firing: Firing) -> [MemoryDelivery] { firing.targets.compactMap { deliveries[$0.delivery] } }

    /// Removes a firing if all its deliveries are over.
    mutating func forget(_ firing: Firing, if isOver: (MemoryDelivery) -> Bool) {
        guard deliveries(of: firing).allSatisfy(isOver) else { return }
        for target in firing.targets { deliveries[target.delivery] = nil }
        firings[firing.definition]?[firing.place] = nil
    }
}

/// What distinguishes a firing from the others of its definition.
struct FiringPlace: Hashable {
    var occurrence: Timestamp
    /// A ``FiringAction/rawValue``: as the other stores compare it.
    var action: String
}

extension Firing {
    var place: FiringPlace { FiringPlace(occurrence: occurrence, action: action.rawValue) }
}

extension ControlRecord {
    /// Whether both are of one control.
    fileprivate func isSame(as other: ControlRecord) -> Bool {
        (definition, at, control) == (other.definition, other.at, other.control)
    }
}

extension Omission {
    /// Whether both tell of the same: the count and the note make no difference.
    fileprivate func isSame(as other: Omission) -> Bool {
        (definition, occurrence, action, due, reason)
            == (other.definition, other.occurrence, other.action, other.due, other.reason)
    }
}
