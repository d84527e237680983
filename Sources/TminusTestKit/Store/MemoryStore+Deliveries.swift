public import TminusCore

extension MemoryStore {
    public func releaseClaims(
        _ which: ClaimRelease, owner: String, now: Timestamp
    ) async throws(StoreError) -> ReleasedClaims {
        try perform { outbox in
            let others = outbox.openDeliveries().filter { $0.state == .claimed && $0.owner != owner }
            let void = others.filter { which == .ofFormerOwners || $0.claimedUntil ?? now <= now }
            var released = ReleasedClaims()
            for var row in void {
                if which == .ofFormerOwners { row.interrupted += 1 }
                if row.interrupted >= InterruptedAttempts.limit, which == .ofFormerOwners, row.withdrawn == nil {
                    row.record(.dead, InterruptedAttempts.reason, .empty, at: now)
                    outbox.deliveries[row.id] = row
                    outbox.end(row.id, .dead, InterruptedAttempts.reason, at: now)
                    if let record = outbox.deliveries[row.id]?.record { released.setAside.append(record) }
                } else {
                    row.record(.interrupted, "the process that made it ended", .empty, at: now)
                    outbox.giveBack(row, at: now)
                    released.count += 1
                }
            }
            return released
        }
    }

    public func releaseFutureWaits(now: Timestamp) async throws(StoreError) {
        try perform { outbox in
            for row in outbox.openDeliveries() where row.started ?? row.created > now {
                outbox.deliveries[row.id]?.nextAttempt = min(row.nextAttempt, now)
            }
        }
    }

    public func retry(_ ids: [DeliveryID], now: Timestamp) async throws(StoreError) -> Int {
        let failed: Set<DeliveryState> = [.dead, .expired, .discarded]
        return try perform { outbox in
            ids.count { id in
                guard var row = outbox.deliveries[id], failed.contains(row.state) else { return false }
                row.state = row.overlap == .allow ? .pending : .queued
                (row.reason, row.settled, row.started, row.nextAttempt) = (nil, nil, nil, now)
                row.interrupted = 0
                (row.delivery.claim.tries, row.delivery.claim.since, row.delivery.claim.expires) = (0, now, nil)
                outbox.deliveries[id] = row
                outbox.open[row.delivery.definition, default: []].insert(id)
                outbox.promote(outbox.chain(of: row.delivery))
                return true
            }
        }
    }

    public func discard(_ ids: [DeliveryID], now: Timestamp) async throws(StoreError) -> Int {
        let done: Set<DeliveryState> = [.delivered, .skipped, .discarded]
        return try perform { outbox in
            ids.count { id in
                guard let row = outbox.deliveries[id], !done.contains(row.state) else { return false }
                outbox.end(id, .discarded, row.reason ?? "discarded by a person", at: row.settled ?? now)
                return true
            }
        }
    }

    public func deliveries(_ filter: DeliveryFilter) async throws(StoreError) -> [DeliveryRecord] {
        try perform { outbox in
            let found = outbox.allDeliveries.reversed().filter { row in
                (filter.ids?.contains(row.id) ?? true) && (filter.states?.contains(row.state) ?? true)
                    && (filter.definition ?? row.delivery.definition) == row.delivery.definition
                    && (filter.sink ?? row.sink) == row.sink
            }
            return found.prefix(max(0, filter.limit)).map(\.record)
        }
    }

    public func history(
        of definition: DefinitionID, before instant: Timestamp, limit: Int
    ) async throws(StoreError) -> [HistoryEntry] {
        try perform { outbox in
            let fired = outbox.firings.values.map(\.firing).filter {
                $0.definition == definition && [.reminder, .expiry, .elapsed].contains($0.action.kind)
            }
            let omitted = outbox.omissions.map(\.omission).filter { $0.definition == definition }
            let all = HistoryEntry.inOrder(fired.map(outbox.entry) + omitted.map { HistoryEntry($0) })
            let entries = all.filter { $0.occurrence < instant }
            let newest = Set(Set(entries.map(\.occurrence)).sorted(by: >).prefix(max(0, limit)))
            return entries.filter { newest.contains($0.occurrence) }
        }
    }

    public func prune(_ retention: Retention, now: Timestamp) async throws(StoreError) {
        try perform { outbox in
            let past = now.advanced(by: .zero - retention.history)
            outbox.omissions.removeAll { $0.recorded < past }
            outbox.knownOmissions = Set(outbox.omissions.map(\.omission.identity))
            for (firing, created) in outbox.firings.values where created < past {
                outbox.forget(firing) { $0.settled ?? now < past }
            }
            let firings = outbox.firings.values.map(\.firing).sorted { $0.occurrence > $1.occurrence }
            for all in Dictionary(grouping: firings, by: \.definition).values where all.count > retention.firingsOfOne {
                for firing in all where firing.occurrence <= all[retention.firingsOfOne].occurrence {
                    outbox.forget(firing) { !$0.isOpen && $0.state != .dead }
                }
            }
            let removed = now.advanced(by: .zero - retention.removedSchedules)
            outbox.schedules = outbox.schedules.filter { $0.value.removed.map { $0 >= removed } ?? true }
            let needed = Set(outbox.deliveries.values.filter { $0.isOpen || $0.state == .dead }.map(\.sink))
            outbox.sinks = outbox.sinks.filter { $0.value.retired == nil || needed.contains($0.key) }
        }
    }
}
