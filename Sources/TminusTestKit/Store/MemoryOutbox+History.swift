import TminusCore

extension MemoryOutbox {
    func deliveries(_ filter: DeliveryFilter) -> [DeliveryRecord] {
        let found = deliveries.values.filter { delivery in
            (filter.ids?.contains(delivery.id) ?? true) && (filter.states?.contains(delivery.state.name) ?? true)
                && (filter.definition ?? delivery.firing.definition) == delivery.firing.definition
                && (filter.sink ?? delivery.sink) == delivery.sink
        }
        return found.sorted { $0.number > $1.number }.prefix(max(0, filter.limit)).map { delivery in
            DeliveryRecord(
                id: delivery.id, definition: delivery.firing.definition, occurrence: delivery.firing.occurrence,
                action: delivery.firing.action.rawValue, sink: delivery.sink, due: delivery.firing.due,
                created: delivery.created, state: delivery.state.name, attempts: delivery.attempt,
                nextAttempt: delivery.isOpen ? delivery.nextAttempt : nil, settled: delivery.settled,
                reason: delivery.state.reason ?? (delivery.isOpen ? delivery.waitReason : nil), log: delivery.log)
        }
    }

    mutating func retry(_ ids: [DeliveryID], now: Timestamp) -> Int {
        var count = 0
        for id in ids {
            guard var delivery = deliveries[id], [.dead, .expired, .discarded].contains(delivery.state.name) else {
                continue
            }
            let chain = Chain(definition: delivery.firing.definition, sink: delivery.sink)
            let isAlone = (chains[chain] ?? []).allSatisfy { deliveries[$0]?.state == .queued }
            delivery.state = isAlone || delivery.overlap == .allow ? .pending : .queued
            delivery.nextAttempt = now
            delivery.since = now
            delivery.tries = 0
            delivery.expires = nil
            delivery.waitReason = nil
            delivery.started = nil
            deliveries[id] = delivery
            chains[chain, default: []].append(id)
            chains[chain]?.sort { (deliveries[$0]?.number ?? 0) < (deliveries[$1]?.number ?? 0) }
            count += 1
        }
        return count
    }

    mutating func discard(_ ids: [DeliveryID]) -> Int {
        var count = 0
        for id in ids {
            guard case .dead(let settled, let reason)? = deliveries[id]?.state else { continue }
            deliveries[id]?.state = .discarded(settled, reason: reason)
            count += 1
        }
        return count
    }

    func history(of definition: DefinitionID, before instant: Timestamp, limit: Int) -> [HistoryEntry] {
        let fired = firings.values.lazy.map(\.value).filter {
            $0.firing.definition == definition && $0.firing.occurrence < instant
                && [.reminder, .expiry, .elapsed].contains($0.firing.action.kind)
        }.map { written in
            HistoryEntry(
                occurrence: written.firing.occurrence, action: written.firing.action.rawValue, due: written.firing.due,
                deliveries: written.deliveries.compactMap { deliveries[$0] }.map {
                    HistoryEntry.Part(state: $0.state.name, reason: $0.state.reason, settled: $0.settled)
                })
        }
        let omitted = omissions.map(\.omission).filter { $0.definition == definition && $0.occurrence < instant }
        let entries = HistoryEntry.inOrder(fired + omitted.map { HistoryEntry($0) })
        let newest = Set(Set(entries.map(\.occurrence)).sorted(by: >).prefix(max(0, limit)))
        return entries.filter { newest.contains($0.occurrence) }
    }

    /// Leaves each definition its newest firings that are over.
    mutating func pruneSurplus(keeping limit: Int) {
        for (_, all) in Dictionary(grouping: firings, by: { $0.key.definition }) {
            let occurrences = all.map(\.key.occurrence).sorted(by: >)
            guard occurrences.count > limit else { continue }
            for (key, boxed) in all where key.occurrence <= occurrences[limit] {
                let isOver = boxed.value.deliveries.allSatisfy {
                    deliveries[$0].map { !$0.isOpen && $0.state.name != .dead } ?? true
                }
                guard isOver else { continue }
                forget(key)
            }
        }
    }
}
