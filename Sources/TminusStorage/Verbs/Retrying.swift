import TminusCore

extension Transaction {
    /// Retries deliveries that ended undelivered, and at once those that wait for a retry. Returns their number.
    func retry(_ filter: DeliveryFilter, now: Timestamp) throws -> Int {
        if let ids = filter.ids { return try retry(ids, now: now) }
        let (definition, sink) = (filter.definition?.rawValue, filter.sink?.rawValue)
        let limit = max(0, filter.limit)
        var found: [(number: Int64, id: DeliveryID)] = []
        for state in [DeliveryState.dead, .expired] where filter.states?.contains(state) ?? true {
            try forEach(RecordStatements.ended, state.rawValue, now, definition, sink, limit) { row in
                if let id = DeliveryID(try row.text(1)) { found.append((try row.number(0), id)) }
            }
        }
        let ids = found.sorted { $0.number < $1.number }.prefix(limit).map(\.id)
        let count = try retry(ids, now: now)
        guard filter.states?.contains(.pending) ?? true else { return count }
        return count + (try run(RecordStatements.hastenAll, now, definition, sink, max(0, limit - count)))
    }

    private func retry(_ ids: [DeliveryID], now: Timestamp) throws -> Int {
        var count = 0
        for id in ids {
            let found = try first(RecordStatements.closed, id.rawValue) { row in
                (
                    number: try row.number(0), attempt: try row.count(3),
                    chain: Chain(definition: try row.text(2), sink: try row.text(1)),
                    started: try row.optionalInstant(4), settled: try row.instant(5),
                    state: try row.word(6, DeliveryState.self), reason: try row.optionalText(7),
                    report: try row.optionalText(8), overlap: try row.word(9, Overlap.self)
                )
            }
            guard let closed = found else {
                count += try run(RecordStatements.hasten, now, id.rawValue)
                continue
            }
            // Until the next attempt, only the delivery itself records the last one.
            if let started = closed.started {
                try record(
                    closed.number, closed.attempt, started: started, ended: closed.settled, closed.state.lastOutcome,
                    closed.reason, closed.report)
            }
            let state: DeliveryState = closed.overlap == .allow ? .pending : .queued
            try post(RecordStatements.revive, state.rawValue, now, now, closed.number)
            var endings = Endings()
            endings.chains.insert(closed.chain)
            try promote(&endings)
            count += 1
        }
        return count
    }
}
