import TminusCore

/// What a ``MemoryStore`` holds; the verbs are its methods.
struct MemoryOutbox: Sendable {
    struct FiringKey: Sendable, Hashable {
        var definition: DefinitionID
        var occurrence: Timestamp
        var action: FiringAction
    }

    struct Chain: Sendable, Hashable {
        var definition: DefinitionID
        var sink: SinkKey
    }

    struct WrittenFiring: Sendable {
        var firing: Firing
        var created: Timestamp
        var deliveries: [DeliveryID] = []
    }

    var schedules: [DefinitionID: ScheduleState] = [:]
    var firings: [FiringKey: Boxed<WrittenFiring>] = [:]
    /// Those of the firings that are expiries, snoozed or not, by their occurrence.
    var expiries: [EndedExpiry: [FiringKey]] = [:]
    var deliveries = MemoryDeliveries()
    var omissions: [(omission: Omission, recorded: Timestamp)] = []
    var sinks: [SinkKey: (spec: SinkSpec, revision: String, isLive: Bool)] = [:]
    /// By root and path.
    var kept: [String: [String: KeptFile]] = [:]
    /// Definitions without a file.
    var adHoc: [DefinitionID: AdHocDefinition] = [:]
    /// The deliveries of one definition to one sink that are not over, in their order.
    var chains: [Chain: [DeliveryID]] = [:]
    /// The silence of everything.
    var mute: Overrides.Mute?
    var counter = 0

    func snapshot() -> StoreSnapshot {
        let waiting = schedules.values.compactMap { state -> EndedExpiry? in
            guard state.phase == .acting, let deadline = state.deadline else { return nil }
            let expiry = EndedExpiry(definition: state.id, occurrence: deadline)
            return isOpen(expiry) ? expiry : nil
        }
        return StoreSnapshot(
            schedules: schedules.values.sorted { $0.id < $1.id }, openExpiries: Set(waiting), mute: mute)
    }

    mutating func advance(_ advance: Advance, now: Timestamp) -> [EndedExpiry] {
        for state in advance.schedules { schedules[state.id] = state }
        var touched: [FiringKey] = []
        for firing in advance.firings { touched += write(firing, now: now) }
        for omission in advance.omissions where !omissions.contains(where: { $0.omission.isSame(as: omission) }) {
            omissions.append((omission, now))
        }
        switch advance.mute {
        case .until(let said): mute = said
        case .over: mute = nil
        case nil: break
        }
        if let live = advance.sinks {
            for key in sinks.keys { sinks[key]?.isLive = false }
            for spec in live { sinks[spec.key] = (spec, spec.revision, true) }
        }
        return ended(touched)
    }

    func keptFiles(root: String) -> KeptFiles {
        KeptFiles(
            files: kept[root, default: [:]].values.sorted { $0.path < $1.path },
            sinks: sinks.values.filter { $0.isLive && $0.spec.name != nil }.map(\.spec).sorted { $0.key < $1.key })
    }

    mutating func keep(_ changed: [KeptFile], forget: [String], root: String) {
        for path in forget { kept[root]?[path] = nil }
        for file in changed { kept[root, default: [:]][file.path] = file }
    }

    mutating func claim(_ request: ClaimRequest, now: Timestamp) -> [ClaimedDelivery] {
        var room = request.room
        var claimed: [ClaimedDelivery] = []
        while claimed.count < request.limit,
            var delivery = deliveries.popFirst(upTo: now, where: { room[$0, default: request.otherRoom] > 0 })
        {
            room[delivery.sink, default: request.otherRoom] -= 1
            let token = String(UInt64.random(in: 0 ... .max), radix: 36)
            delivery.attempt += 1
            delivery.tries += 1
            delivery.started = now
            delivery.state = .claimed(token: token, owner: request.owner, until: request.until)
            deliveries[delivery.id] = delivery
            let firing = delivery.firing
            claimed.append(
                ClaimedDelivery(
                    token: token, id: delivery.id, definition: firing.definition, occurrence: firing.occurrence,
                    action: firing.action.kind, sink: delivery.sink,
                    sinkRevision: sinks[delivery.sink]?.revision ?? "", due: firing.due,
                    attempt: delivery.attempt, tries: delivery.tries, created: delivery.created, since: delivery.since,
                    expires: delivery.expires, overlap: delivery.overlap, onFailure: firing.onFailure,
                    payload: firing.payload))
        }
        return claimed
    }

    func nextAttempt(after instant: Timestamp) -> Timestamp? {
        deliveries.next(after: instant)
    }

    mutating func prune(_ retention: Retention, now: Timestamp) {
        let removed = now.advanced(by: .zero - retention.removedSchedules)
        let history = now.advanced(by: .zero - retention.history)
        schedules = schedules.filter { $0.value.removed.map { $0 >= removed } ?? true }
        omissions.removeAll { $0.recorded < history }
        for (key, boxed) in firings where boxed.value.created < history {
            let isOver = boxed.value.deliveries.allSatisfy { (deliveries[$0]?.settled).map { $0 < history } ?? false }
            guard isOver else { continue }
            forget(key)
        }
        if retention.firingsOfOne < .max { pruneSurplus(keeping: retention.firingsOfOne) }
        let open = Set(deliveries.values.filter { $0.isOpen || $0.state.name == .dead }.map(\.sink))
        sinks = sinks.filter { $0.value.isLive || open.contains($0.key) }
    }

    func isOpen(_ key: FiringKey) -> Bool {
        firings[key]?.value.deliveries.contains { deliveries[$0]?.isOpen ?? false } ?? false
    }
}

extension Omission {
    /// Whether both record the same: the count does not matter.
    fileprivate func isSame(as other: Omission) -> Bool {
        (definition, occurrence, action) == (other.definition, other.occurrence, other.action)
            && (due, reason) == (other.due, other.reason)
    }
}
