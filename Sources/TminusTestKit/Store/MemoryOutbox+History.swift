import TminusCore

extension MemoryOutbox {
    /// Every delivery, in the order in which it was written.
    var allDeliveries: [MemoryDelivery] {
        deliveries.numbers.sorted { deliveries[$0].rank < deliveries[$1].rank }.map { number in
            let delivery = deliveries[number]
            return MemoryDelivery(
                delivery, number, id: id(of: number), of: firings[delivery.firing].firing, to: sinkKey(of: delivery),
                owner: delivery.claim.map { owners[$0.owner] } ?? "")
        }
    }

    /// The id of a delivery, which is in no row: what it is made of is.
    func id(of number: Int) -> DeliveryID {
        let firing = deliveries[number].firing
        return DeliveryID(
            definition: firings[firing].firing.definition, occurrence: firings[firing].firing.occurrence,
            action: firings[firing].firing.action, sink: sinks[chains[deliveries[number].chain].sink].key)
    }

    /// Whether a delivery has that id.
    func isNamed(_ number: Int, _ id: DeliveryID) -> Bool {
        let firing = deliveries[number].firing
        return id.isOf(
            definition: firings[firing].firing.definition, occurrence: firings[firing].firing.occurrence,
            action: firings[firing].firing.action, sink: sinks[chains[deliveries[number].chain].sink].key)
    }

    func deliveries(_ filter: DeliveryFilter) -> [DeliveryRecord] {
        let found = deliveries.numbers.filter { number in
            let delivery = deliveries[number]
            let (definition, sink) = (firings[delivery.firing].firing.definition, sinkKey(of: delivery))
            // The ids last: they are computed.
            return (filter.states?.contains(delivery.state) ?? true) && (filter.definition ?? definition) == definition
                && (filter.sink ?? sink) == sink && (filter.ids?.contains(id(of: number).computed) ?? true)
        }
        let newest = found.sorted { deliveries[$0].rank > deliveries[$1].rank }
        return newest.prefix(max(0, filter.limit)).map { number in
            let delivery = deliveries[number]
            let firing = firings[delivery.firing].firing
            return DeliveryRecord(
                id: id(of: number), definition: firing.definition, occurrence: firing.occurrence,
                action: firing.action.rawValue, sink: sinkKey(of: delivery), due: firing.due,
                created: delivery.created, state: delivery.state, attempts: delivery.attempt,
                nextAttempt: delivery.state.isOpen ? delivery.nextAttempt : nil, settled: delivery.settled,
                reason: delivery.reason, log: delivery.log)
        }
    }

    mutating func retry(_ ids: [DeliveryID], now: Timestamp) -> Int {
        numbers(of: ids).count { number in
            guard [.dead, .expired, .discarded].contains(deliveries[number].state) else { return false }
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
        numbers(of: ids).count { number in
            guard deliveries[number].state == .dead else { return false }
            deliveries[number].discard()
            return true
        }
    }

    /// The rows of deliveries, in the order of the ids. People ask for them, so there is no index.
    private func numbers(of ids: [DeliveryID]) -> [Int] {
        let wanted = Set(ids)
        let numbers = Dictionary(
            deliveries.numbers.lazy.map { (id(of: $0).computed, $0) }.filter { wanted.contains($0.0) },
            uniquingKeysWith: { first, _ in first })
        return ids.compactMap { numbers[$0] }
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
        let used = Set(deliveries.all.map(\.chain))
        for number in Array(chains.numbers) where !used.contains(number) {
            definitions[chains[number].definition].chains.remove(number)
            chains.remove(number)
        }
        pruneSchedules(before: now.advanced(by: .zero - retention.removedSchedules))
        let wanted = Set(
            deliveries.all.filter { $0.state.isOpen || $0.state == .dead }.map { chains[$0.chain].sink })
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
            if row.schedule == nil, row.firings.isEmpty, row.chains.isEmpty { definitions.remove(row.id) }
        }
    }

    /// Leaves each definition its newest firings that are over.
    private mutating func pruneSurplus(keeping limit: Int) {
        for definition in definitions.all {
            let all = Array(definitions[definition].firings.reversed())
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
        for delivery in firings[number].deliveries { deliveries.remove(delivery) }
        definitions[firings[number].definition].firings.remove(number)
        firings.remove(number)
    }

    private func sinkKey(of delivery: DeliveryRow) -> SinkKey { sinks[chains[delivery.chain].sink].key }
}
