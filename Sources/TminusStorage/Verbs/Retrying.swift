import TminusCore

extension Transaction {
    /// Retries deliveries that ended undelivered, and at once those that wait for a retry. Returns their number.
    func retry(_ ids: [DeliveryID], now: Timestamp) throws -> Int {
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
