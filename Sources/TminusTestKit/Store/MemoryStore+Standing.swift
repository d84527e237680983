public import TminusCore

extension MemoryStore {
    public func recentHistory(before instant: Timestamp, limit: Int) async throws(StoreError) -> [RecentEntry] {
        try perform { outbox in
            let fired = outbox.firings.values.flatMap(\.values).filter {
                $0.created < instant && [.reminder, .expiry, .elapsed].contains($0.firing.action.kind)
            }
            let omitted = outbox.omissions.filter { $0.recorded < instant }.map(\.omission)
            let entries =
                fired.map { RecentEntry(definition: $0.firing.definition, entry: outbox.entry($0.firing)) }
                + omitted.map { RecentEntry(definition: $0.definition, entry: HistoryEntry($0)) }
            return RecentEntry.newest(entries, limit: limit)
        }
    }

    public func lastOutcomes(
        of definitions: [DefinitionID], now: Timestamp
    ) async throws(StoreError) -> [DefinitionID: HistoryEntry] {
        try perform { outbox in
            definitions.reduce(into: [:]) { outcomes, id in
                let due = outbox.entries(of: id).filter { $0.due <= now }
                outcomes[id] = due.max { ($0.due, $0.occurrence, $0.action) < ($1.due, $1.occurrence, $1.action) }
            }
        }
    }

    public func standing() async throws(StoreError) -> DeliveryStanding {
        try perform { outbox in
            var sinks: [SinkKey: SinkStanding] = [:]
            var troubled: [DefinitionID: UndeliveredCount] = [:]
            for row in outbox.allDeliveries where row.isOpen || row.state == .dead {
                var sink = sinks[row.sink] ?? SinkStanding(sink: row.sink, title: outbox.sinks[row.sink]?.spec.title)
                sink.isAwaited = outbox.waitsForSink(row.sink)
                if !sink.isAwaited { sink.labels = outbox.sinks[row.sink]?.spec.machineLabels ?? [] }
                var count = troubled[row.delivery.definition] ?? UndeliveredCount()
                switch row.state {
                case .claimed: sink.running += 1
                case .dead:
                    let end = row.settled ?? row.created
                    sink.undelivered.add(dead: 1, oldest: end)
                    count.add(dead: 1, oldest: end)
                case .pending where row.delivery.claim.tries > 0:
                    sink.undelivered.add(retrying: 1, next: row.nextAttempt)
                    count.add(retrying: 1, next: row.nextAttempt)
                default: sink.waiting += 1
                }
                if row.state == .pending {
                    sink.nextAttempt = min(sink.nextAttempt ?? row.nextAttempt, row.nextAttempt)
                }
                sinks[row.sink] = sink
                if count != UndeliveredCount() { troubled[row.delivery.definition] = count }
            }
            return DeliveryStanding(sinks: sinks.values.sorted { $0.sink < $1.sink }, troubled: troubled)
        }
    }

    public func troubled(_ definition: DefinitionID?) async throws(StoreError) -> [DefinitionID: UndeliveredCount] {
        try await standing().troubled.filter { definition == nil || $0.key == definition }
    }

    public func controls(
        of definition: DefinitionID?, before instant: Timestamp, limit: Int
    ) async throws(StoreError) -> [ControlRecord] {
        try perform { outbox in
            let found = outbox.controls.filter { record in
                record.at < instant
                    && (definition == nil || record.definition == nil || record.definition == definition)
            }
            return Array(found.reversed().prefix(max(0, limit)))
        }
    }
}
