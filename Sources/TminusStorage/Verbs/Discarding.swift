import TminusCore

extension Transaction {
    /// Discards the selected deliveries that are neither delivered, skipped nor discarded.
    func discard(_ filter: DeliveryFilter, now: Timestamp) throws -> Discarded {
        var discarded = Discarded()
        var endings = Endings()
        for delivery in try discardable(filter).sorted(by: { $0.number < $1.number }).prefix(max(0, filter.limit)) {
            guard try run(RecordStatements.discard, now, delivery.number) > 0 else { continue }
            if let id = DeliveryID(delivery.id) { discarded.deliveries.append(id) }
            discarded.sinks[SinkKey(delivery.chain.sink), default: 0] += 1
            endings.firings.append(delivery.firing)
            endings.chains.insert(delivery.chain)
        }
        try promote(&endings)
        discarded.endedExpiries = try endedExpiries(endings.firings)
        return discarded
    }

    /// The selected deliveries that can be discarded.
    ///
    /// Closed deliveries have an index by id. Open ones are few compared to the history, and are read once for all ids.
    private func discardable(_ filter: DeliveryFilter) throws -> [Discardable] {
        var left = filter.ids.map { Set($0.map(\.rawValue)) }
        var found: [Discardable] = []
        func take(_ row: StoredRow) throws {
            let delivery = try Discardable(row)
            guard left == nil || left?.remove(delivery.id) != nil else { return }
            if filter.states?.contains(delivery.state) ?? true { found.append(delivery) }
        }
        let (definition, sink) = (filter.definition?.rawValue, filter.sink?.rawValue)
        if let ids = left {
            for id in ids { try forEach(RecordStatements.failedOfID, definition, sink, id, body: take) }
        } else {
            try forEach(RecordStatements.failed, definition, sink, body: take)
        }
        if left?.isEmpty != true { try forEach(RecordStatements.open, definition, sink, body: take) }
        return found
    }
}

/// A delivery that can be discarded.
private struct Discardable {
    let number: Int64
    let id: String
    let chain: Chain
    let state: DeliveryState
    let firing: Int64

    init(_ row: StoredRow) throws {
        number = try row.number(0)
        id = try row.text(1)
        chain = Chain(definition: try row.text(2), sink: try row.text(3))
        state = try row.word(4, DeliveryState.self)
        firing = try row.number(5)
    }
}
