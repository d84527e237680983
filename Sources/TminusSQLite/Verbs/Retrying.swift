import TminusCore

extension Transaction {
    /// Makes deliveries that ended without being delivered wait again, and says how many.
    func retry(_ ids: [DeliveryID], now: Timestamp) throws -> Int {
        let find = try QuickStatement(RecordStatements.closed, self)
        let revive = try QuickStatement(RecordStatements.revive, self)
        var count = 0
        for id in ids {
            find.bind(id.rawValue)
            let found = try find.first { row in
                (
                    number: try row.number(0), attempt: try row.count(3),
                    chain: Chain(definition: try row.text(2), sink: try row.text(1)),
                    started: try row.optionalInstant(4), settled: try row.instant(5),
                    state: try row.word(6, DeliveryState.self), reason: try row.optionalText(7),
                    report: try row.optionalText(8), overlap: try row.word(9, Overlap.self)
                )
            }
            guard let closed = found else { continue }
            // The last attempt is recorded in the delivery itself until there is another.
            if let started = closed.started {
                try record(
                    closed.number, closed.attempt, started: started, ended: closed.settled, closed.state.lastOutcome,
                    closed.reason, closed.report)
            }
            let state: DeliveryState = closed.overlap == .allow ? .pending : .queued
            revive.bind(state.rawValue, now, now, closed.number)
            try revive.run()
            var endings = Endings(chains: [closed.chain])
            try promote(&endings)
            count += 1
        }
        return count
    }

    /// Discards what is neither delivered, skipped nor discarded, and says how many.
    ///
    /// Closed deliveries have an index by id. Open ones are few beside the history, and are read once for all ids.
    func discard(_ ids: [DeliveryID], now: Timestamp) throws -> Int {
        var left = Set(ids.map(\.rawValue))
        var numbers: [Int64] = []
        let closed = try QuickStatement(RecordStatements.closedNumber, self)
        for id in left {
            closed.bind(id)
            guard let number = try closed.first({ try $0.number(0) }) else { continue }
            numbers.append(number)
            left.remove(id)
        }
        var endings = Endings()
        if !left.isEmpty {
            try QuickStatement(RecordStatements.open, self).each { row in
                guard left.remove(try row.text(1)) != nil else { return }
                numbers.append(try row.number(0))
                endings.chains.insert(Chain(definition: try row.text(2), sink: try row.text(3)))
            }
        }
        let discard = try QuickStatement(RecordStatements.discard, self)
        let count = try numbers.sorted().reduce(0) { count, number in
            discard.bind(now, number)
            return count + (try discard.run())
        }
        try promote(&endings)
        return count
    }
}
