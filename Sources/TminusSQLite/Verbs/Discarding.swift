import GRDB
import TminusCore

extension Transaction {
    /// Discards the selected deliveries that are neither delivered, skipped nor discarded.
    func discard(_ filter: DeliveryFilter, now: Timestamp) throws -> Discarded {
        let discard = try QuickStatement(RecordStatements.discard, self)
        var discarded = Discarded()
        var endings = Endings()
        for delivery in try discardable(filter).sorted(by: { $0.number < $1.number }).prefix(max(0, filter.limit)) {
            discard.bind(now, delivery.number)
            guard try discard.run() > 0 else { continue }
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
        func take(_ row: QuickRow) throws {
            let delivery = try Discardable(row)
            guard left == nil || left?.remove(delivery.id) != nil else { return }
            if filter.states?.contains(delivery.state) ?? true { found.append(delivery) }
        }
        func read(_ sql: String, id: String? = nil) throws {
            let statement = try QuickStatement(sql, self)
            statement.bind(filter.definition?.rawValue, filter.sink?.rawValue)
            if let id { statement.bind(after: 2, id) }
            try statement.each(take)
        }
        if let ids = left {
            for id in ids { try read(RecordStatements.failedOfID, id: id) }
        } else {
            try read(RecordStatements.failed)
        }
        if left?.isEmpty != true { try read(RecordStatements.open) }
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

    init(_ row: QuickRow) throws {
        number = try row.number(0)
        id = try row.text(1)
        chain = Chain(definition: try row.text(2), sink: try row.text(3))
        state = try row.word(4, DeliveryState.self)
        firing = try row.number(5)
    }
}
