public import TminusCore

extension MemoryStore {
    public func releaseClaims(
        _ which: ClaimRelease, owner: String, now: Timestamp
    ) async throws(StoreError) -> ReleasedClaims {
        try perform { outbox in
            let isStart = which == .ofFormerOwners
            let others = outbox.openDeliveries().filter { $0.state == .claimed && $0.owner != owner }
            var released = ReleasedClaims()
            for var row in others where isStart || row.claimedUntil ?? now <= now {
                if isStart { row.interrupted += 1 }
                if isStart, row.interrupted >= InterruptedAttempts.limit, row.withdrawn == nil {
                    row.record(.dead, InterruptedAttempts.reason, at: now)
                    outbox.deliveries[row.id] = row
                    outbox.end(row.id, .dead, InterruptedAttempts.reason, at: now)
                    released.setAside += outbox.deliveries[row.id].map { [outbox.record($0)] } ?? []
                } else {
                    row.record(.interrupted, FixedReason.attemptInterrupted.rawValue, at: now)
                    row.reason = FixedReason.processEnded.rawValue
                    outbox.giveBack(row, at: now)
                    released.count += 1
                }
            }
            return released
        }
    }

    public func releaseFutureWaits(now: Timestamp) async throws(StoreError) {
        try perform { outbox in
            let givenBack = Set(FixedReason.givenBack.map(\.rawValue))
            for row in outbox.openDeliveries()
            where row.started ?? row.created > now || row.reason.map(givenBack.contains) ?? false {
                outbox.deliveries[row.id]?.nextAttempt = min(row.nextAttempt, now)
            }
        }
    }

    public func retry(_ filter: DeliveryFilter, now: Timestamp) async throws(StoreError) -> Int {
        try perform { outbox in
            let ids =
                filter.ids
                ?? outbox.allDeliveries.filter { filter.wants($0) && $0.canBeRetried(since: now) }
                .prefix(max(0, filter.limit)).map(\.id)
            return ids.count { id in
                guard var row = outbox.deliveries[id], !row.isDone else { return false }
                if row.isOpen {
                    guard row.state == .pending, row.delivery.attempt > 0 else { return false }
                    outbox.deliveries[id]?.nextAttempt = min(row.nextAttempt, now)
                    return true
                }
                row.state = row.overlap == .allow ? .pending : .queued
                (row.reason, row.settled, row.started, row.nextAttempt, row.interrupted) = (nil, nil, nil, now, 0)
                (row.delivery.claim.tries, row.delivery.claim.since, row.delivery.claim.expires) = (0, now, nil)
                outbox.deliveries[id] = row
                outbox.open[row.delivery.definition, default: []].insert(id)
                outbox.promote(outbox.chain(of: row.delivery))
                return true
            }
        }
    }

    public func discard(_ filter: DeliveryFilter, now: Timestamp) async throws(StoreError) -> Discarded {
        try perform { outbox in
            let left = outbox.allDeliveries.filter { !$0.isDone && $0.state != .discarded && filter.wants($0) }
            let discarded = left.prefix(max(0, filter.limit))
            for row in discarded {
                outbox.end(
                    row.id, .discarded, row.reason ?? FixedReason.discardedByUser.rawValue, at: row.settled ?? now)
            }
            return Discarded(
                deliveries: discarded.map(\.id), endedExpiries: outbox.endedExpiries,
                sinks: discarded.reduce(into: [:]) { $0[$1.sink, default: 0] += 1 })
        }
    }

    public func deliveries(_ filter: DeliveryFilter) async throws(StoreError) -> [DeliveryRecord] {
        try perform { outbox in
            outbox.allDeliveries.reversed().filter(filter.wants).prefix(max(0, filter.limit)).map(outbox.record)
        }
    }

    public func deliveryIDs(beginningWith digits: String, limit: Int) async throws(StoreError) -> [DeliveryID] {
        try perform { outbox in
            outbox.allDeliveries.reversed().map(\.id).filter { $0.rawValue.hasPrefix(digits) }.prefix(max(0, limit))
                .map(\.self)
        }
    }

    public func history(
        of definition: DefinitionID, before instant: Timestamp, limit: Int
    ) async throws(StoreError) -> [HistoryEntry] {
        try perform { outbox in
            let all = outbox.entries(of: definition)
            let newest = Set(all.map(\.occurrence).filter { $0 < instant }).sorted(by: >).prefix(max(0, limit))
            return all.filter { newest.contains($0.occurrence) }
        }
    }

    public func prune(_ retention: Retention, now: Timestamp) async throws(StoreError) {
        try perform { outbox in
            let past = now.advanced(by: .zero - retention.history)
            outbox.omissions.removeAll { $0.recorded < past }
            for (firing, created) in outbox.firings.values.joined().lazy.map(\.value) where created < past {
                outbox.forget(firing) { $0.settled ?? now < past }
            }
            for firings in outbox.firings.values where firings.count > retention.firingsOfOne {
                let oldest = firings.keys.map(\.occurrence).sorted(by: >)[retention.firingsOfOne]
                for (place, row) in firings where place.occurrence <= oldest {
                    outbox.forget(row.firing) { !$0.isOpen && $0.state != .dead }
                }
            }
            let removed = now.advanced(by: .zero - retention.removedSchedules)
            outbox.schedules = outbox.schedules.filter { $0.value.removed ?? .distantFuture >= removed }
            let schedules = Set(outbox.schedules.keys)
            let controls = outbox.controls
            outbox.controls.removeAll { old in
                old.at < past
                    && (!(old.definition.map(schedules.contains) ?? false)
                        || controls.contains { $0.definition == old.definition && $0.at > old.at })
            }
            let deliveries = outbox.deliveries.values
            outbox.sinks = outbox.sinks.filter { key, sink in
                sink.retired == nil || deliveries.contains { $0.sink == key && ($0.isOpen || $0.state == .dead) }
            }
        }
    }
}

extension DeliveryFilter {
    fileprivate func wants(_ row: MemoryDelivery) -> Bool {
        (ids?.contains(row.id) ?? true) && (states?.contains(row.state) ?? true)
            && (definition ?? row.delivery.definition) == row.delivery.definition && (sink ?? row.sink) == row.sink
    }
}

extension MemoryOutbox {
    fileprivate func record(_ row: MemoryDelivery) -> DeliveryRecord {
        DeliveryRecord(
            id: row.id, definition: row.delivery.definition, occurrence: row.delivery.occurrence,
            action: row.firing.action.rawValue, sink: row.sink, sinkTitle: sinks[row.sink]?.spec.title,
            due: row.delivery.due, created: row.created, state: row.state, attempts: row.delivery.attempt,
            nextAttempt: row.isOpen ? row.nextAttempt : nil, settled: row.settled, reason: row.reason,
            waitsForSink: row.isOpen && row.state != .claimed && waitsForSink(row.sink), log: row.log)
    }

    /// The history of a definition, newest first.
    func entries(of definition: DefinitionID) -> [HistoryEntry] {
        let fired = firings[definition, default: [:]].values.map(\.firing).filter {
            [.reminder, .expiry, .elapsed].contains($0.action.kind)
        }
        let omitted = omissions.map(\.omission).filter { $0.definition == definition }
        return HistoryEntry.inOrder(fired.map(entry) + omitted.map { HistoryEntry($0) })
    }

    func entry(_ firing: Firing) -> HistoryEntry {
        HistoryEntry(
            occurrence: firing.occurrence, action: firing.action.rawValue, due: firing.due,
            deliveries: deliveries(of: firing).map(\.part))
    }
}
