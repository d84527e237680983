import TminusCore

extension MemoryOutbox {
    /// Every delivery, in the order in which it was written.
    var allDeliveries: [MemoryDelivery] {
        deliveries.values.sorted { $0.rank < $1.rank }.map { delivery in
            MemoryDelivery(delivery, of: firings[delivery.firing].firing, to: sinkKey(of: delivery))
        }
    }

    func deliveries(_ filter: DeliveryFilter) -> [DeliveryRecord] {
        let found = deliveries.values.filter { delivery in
            let (definition, sink) = (firings[delivery.firing].firing.definition, sinkKey(of: delivery))
            return (filter.ids?.contains(delivery.id) ?? true) && (filter.states?.contains(delivery.state) ?? true)
                && (filter.definition ?? definition) == definition
                && (filter.sink ?? sink) == sink
        }
        return found.sorted { $0.rank > $1.rank }.prefix(max(0, filter.limit)).map { delivery in
            let firing = firings[delivery.firing].firing
            return DeliveryRecord(
                id: delivery.id, definition: firing.definition, occurrence: firing.occurrence,
                action: firing.action.rawValue, sink: sinkKey(of: delivery), due: firing.due,
                created: delivery.created, state: delivery.state, attempts: delivery.attempt,
                nextAttempt: delivery.state.isOpen ? delivery.nextAttempt : nil, settled: delivery.settled,
                reason: delivery.reason, log: delivery.log)
        }
    }

    mutating func retry(_ ids: [DeliveryID], now: Timestamp) -> Int {
        ids.count { id in
            guard let number = deliveries.number(of: id),
                [.dead, .expired, .discarded].contains(deliveries[number].state)
            else { return false }
            let chain = deliveries[number].chain
            let hasTurn = isQueued(chain) || deliveries[number].overlap == .allow
            deliveries[number].begin(anew: now)
            let rank = deliveries[number].rank
            chains[chain].open.insert(number, at: chains[chain].open.firstIndex { deliveries[$0].rank > rank })
            if hasTurn { makePending(number) }
            return true
        }
    }

    mutating func discard(_ ids: [DeliveryID]) -> Int {
        ids.count { id in
            guard let number = deliveries.number(of: id), deliveries[number].state == .dead else { return false }
            deliveries[number].discard()
            return true
        }
    }

    func history(of definition: DefinitionID, before instant: Timestamp, limit: Int) -> [HistoryEntry] {
        let fired = firings.all.filter {
            $0.firing.definition == definition && $0.firing.occurrence < instant
                && [.reminder, .expiry, .elapsed].contains($0.firing.action.kind)
        }.map { row in
            HistoryEntry(
                occurrence: row.firing.occurrence, action: row.firing.action.rawValue, due: row.firing.due,
                deliveries: row.deliveries.map { number in
                    let delivery = deliveries[number]
                    return HistoryEntry.Part(
                        state: delivery.state, reason: delivery.state.isOpen ? nil : delivery.reason,
                        settled: delivery.settled)
                })
        }
        let omitted = omissions.all.filter { $0.definition == definition && $0.occurrence < instant }
        let entries = HistoryEntry.inOrder(fired + omitted.map { HistoryEntry($0) })
        let newest = Set(Set(entries.map(\.occurrence)).sorted(by: >).prefix(max(0, limit)))
        return entries.filter { newest.contains($0.occurrence) }
    }

    mutating func prune(_ retention: Retention, now: Timestamp) {
        let history = now.advanced(by: .zero - retention.history)
        omissions.prune(before: history)
        for number in Array(firings.numbers) where firings[number].created < history {
            let isOver = firings[number].deliveries.allSatisfy { deliveries[$0].settled.map { $0 < history } ?? false }
            if isOver { forget(number) }
        }
        if retention.firingsOfOne < .max { pruneSurplus(keeping: retention.firingsOfOne) }
        let used = Set(deliveries.values.map(\.chain))
        for number in Array(chains.numbers) where !used.contains(number) {
            definitions[chains[number].definition].chains.remove(number)
            chains.remove(number)
        }
        pruneSchedules(before: now.advanced(by: .zero - retention.removedSchedules))
        let wanted = Set(
            deliveries.values.filter { $0.state.isOpen || $0.state == .dead }.map { chains[$0.chain].sink })
        for number in sinks.all where !sinks[number].isLive && !wanted.contains(number) {
            sinks[number].spec = nil
            sinks[number].revision = ""
        }
    }

    /// Removes the schedules of definitions that were removed before an instant, and what is empty then.
    private mutating func pruneSchedules(before instant: Timestamp) {
        for number in Array(definitions.all) {
            if let removed = definitions[number].schedule?.removed, removed < instant {
                definitions[number].schedule = nil
            }
            let row = definitions[number]
            if row.schedule == nil, row.occurrences.isEmpty, row.chains.isEmpty { definitions.remove(row.id) }
        }
    }

    /// Leaves each definition its newest firings that are over.
    private mutating func pruneSurplus(keeping limit: Int) {
        for definition in definitions.all {
            let all = definitions[definition].occurrences.reversed().flatMap { occurrences[$0].firings }
            guard all.count > limit else { continue }
            let last = firings[all[limit]].firing.occurrence
            for number in all where firings[number].firing.occurrence <= last {
                let isOver = firings[number].deliveries.allSatisfy {
                    !deliveries[$0].state.isOpen && deliveries[$0].state != .dead
                }
                if isOver { forget(number) }
            }
        }
    }

    /// Removes a firing and its deliveries, all of which are over.
    private mutating func forget(_ number: Int) {
        for delivery in firings[number].deliveries { deliveries.remove(deliveries[delivery].id) }
        let occurrence = firings[number].occurrence
        firings.remove(number)
        occurrences[occurrence].firings.remove(number)
        if occurrences[occurrence].firings.isEmpty {
            definitions[occurrences[occurrence].definition].occurrences.remove(occurrence)
            occurrences.remove(occurrence)
        }
    }

    private func sinkKey(of delivery: DeliveryRow) -> SinkKey { sinks[chains[delivery.chain].sink].key }
}

extension MemoryOutbox.DeliveryRow {
    /// Has it tried from the beginning: a person wants it.
    fileprivate mutating func begin(anew now: Timestamp) {
        wait(.queued)
        nextAttempt = now
        since = now
        tries = 0
        expires = nil
        reason = nil
        started = nil
    }
}
