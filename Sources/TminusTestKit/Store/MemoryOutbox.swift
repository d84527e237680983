import TminusCore

/// What a ``MemoryStore`` holds; the verbs are its methods.
struct MemoryOutbox: Sendable {
    struct FiringKey: Sendable, Hashable {
        var definition: DefinitionID
        var occurrence: Timestamp
        var action: FiringAction
    }

    struct WrittenFiring: Sendable {
        var firing: Firing
        var created: Timestamp
        var deliveries: [DeliveryID] = []
    }

    var schedules: [DefinitionID: ScheduleState] = [:]
    var firings: [FiringKey: WrittenFiring] = [:]
    var deliveries: [DeliveryID: MemoryDelivery] = [:]
    var omissions: [(omission: Omission, recorded: Timestamp)] = []
    var sinks: [SinkKey: (spec: SinkSpec, isLive: Bool)] = [:]
    /// By root and path.
    var kept: [String: [String: KeptFile]] = [:]
    private var counter = 0

    func snapshot() -> StoreSnapshot {
        let waiting = schedules.values.compactMap { state -> EndedExpiry? in
            guard state.phase == .acting, let deadline = state.deadline else { return nil }
            let key = FiringKey(definition: state.id, occurrence: deadline, action: .expiry)
            return isOpen(key) ? EndedExpiry(definition: state.id, occurrence: deadline) : nil
        }
        return StoreSnapshot(schedules: schedules.values.sorted { $0.id < $1.id }, openExpiries: Set(waiting))
    }

    mutating func advance(_ advance: Advance, now: Timestamp) {
        for state in advance.schedules { schedules[state.id] = state }
        for firing in advance.firings { write(firing, now: now) }
        for omission in advance.omissions where !omissions.contains(where: { $0.omission.isSame(as: omission) }) {
            omissions.append((omission, now))
        }
        guard let live = advance.sinks else { return }
        for key in sinks.keys { sinks[key]?.isLive = false }
        for spec in live { sinks[spec.key] = (spec, true) }
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

    private mutating func write(_ firing: Firing, now: Timestamp) {
        let key = FiringKey(definition: firing.definition, occurrence: firing.occurrence, action: firing.action)
        var written = firings[key] ?? WrittenFiring(firing: firing, created: now)
        for sink in firing.sinks {
            let id = DeliveryID(
                definition: firing.definition, occurrence: firing.occurrence, action: firing.action, sink: sink)
            guard deliveries[id] == nil else { continue }
            counter += 1
            deliveries[id] = MemoryDelivery(
                number: counter, id: id, firing: written.firing, sink: sink, state: .pending, attempt: 0,
                nextAttempt: firing.notBefore ?? min(firing.due, now), created: now)
            written.deliveries.append(id)
        }
        firings[key] = written
    }

    mutating func claim(_ request: ClaimRequest, now: Timestamp) -> [ClaimedDelivery] {
        // Sorted by keys: there may be thousands, of which few are taken.
        var due: [(next: Timestamp, number: Int, id: DeliveryID)] = []
        for (id, delivery) in deliveries where delivery.nextAttempt <= now && delivery.state == .pending {
            due.append((delivery.nextAttempt, delivery.number, id))
        }
        due.sort { ($0.next, $0.number) < ($1.next, $1.number) }
        var room = request.room
        var claimed: [ClaimedDelivery] = []
        for key in due {
            guard claimed.count < request.limit else { break }
            guard var delivery = deliveries[key.id] else { continue }
            let left = room[delivery.sink] ?? request.otherRoom
            guard left > 0 else { continue }
            room[delivery.sink] = left - 1
            let token = String(UInt64.random(in: 0 ... .max), radix: 36)
            delivery.attempt += 1
            delivery.state = .claimed(token: token, owner: request.owner, until: request.until)
            deliveries[delivery.id] = delivery
            let firing = delivery.firing
            claimed.append(
                ClaimedDelivery(
                    token: token, id: delivery.id, definition: firing.definition, occurrence: firing.occurrence,
                    action: firing.action.kind, sink: delivery.sink,
                    sinkRevision: sinks[delivery.sink]?.spec.revision ?? "", due: firing.due,
                    attempt: delivery.attempt, created: delivery.created, payload: firing.payload))
        }
        return claimed
    }

    func nextAttempt(after instant: Timestamp) -> Timestamp? {
        deliveries.values.lazy.filter { $0.state == .pending && $0.nextAttempt > instant }.map(\.nextAttempt).min()
    }

    mutating func settle(_ settlements: [Settlement], now: Timestamp) -> [EndedExpiry] {
        var touched: [EndedExpiry] = []
        for settlement in settlements {
            guard var delivery = deliveries[settlement.id], case .claimed(let token, _, _) = delivery.state,
                token == settlement.token
            else { continue }
            switch settlement.outcome {
            case .delivered: delivery.state = .delivered(now)
            case .dead(let reason): delivery.state = .dead(now, reason: reason)
            case .retry(let next, _):
                delivery.state = .pending
                delivery.nextAttempt = next
            }
            deliveries[delivery.id] = delivery
            let expiry = EndedExpiry(definition: delivery.firing.definition, occurrence: delivery.firing.occurrence)
            if !delivery.isOpen, delivery.firing.action == .expiry, !touched.contains(expiry) { touched.append(expiry) }
        }
        return touched.filter {
            !isOpen(FiringKey(definition: $0.definition, occurrence: $0.occurrence, action: .expiry))
        }
    }

    mutating func release(_ which: ClaimRelease, owner: String, now: Timestamp) -> Int {
        var count = 0
        for (id, delivery) in deliveries {
            guard case .claimed(_, let holder, let until) = delivery.state, holder != owner else { continue }
            if which == .expired, until > now { continue }
            deliveries[id]?.state = .pending
            count += 1
        }
        return count
    }

    mutating func prune(_ retention: Retention, now: Timestamp) {
        let removed = now.advanced(by: .zero - retention.removedSchedules)
        let history = now.advanced(by: .zero - retention.history)
        schedules = schedules.filter { $0.value.removed.map { $0 >= removed } ?? true }
        omissions.removeAll { $0.recorded < history }
        for (key, written) in firings where written.created < history {
            let isOver = written.deliveries.allSatisfy { (deliveries[$0]?.settled).map { $0 < history } ?? false }
            guard isOver else { continue }
            for id in written.deliveries { deliveries[id] = nil }
            firings[key] = nil
        }
        let open = Set(deliveries.values.filter(\.isOpen).map(\.sink))
        sinks = sinks.filter { $0.value.isLive || open.contains($0.key) }
    }

    private func isOpen(_ key: FiringKey) -> Bool {
        firings[key]?.deliveries.contains { deliveries[$0]?.isOpen ?? false } ?? false
    }
}

extension Omission {
    /// Whether both record the same: the count does not matter.
    fileprivate func isSame(as other: Omission) -> Bool {
        (definition, occurrence, action) == (other.definition, other.occurrence, other.action)
            && (due, reason) == (other.due, other.reason)
    }
}
