import GRDB
import TminusCore

extension Transaction {
    /// Makes deliveries that ended without being delivered wait again, and says how many.
    func retry(_ ids: [DeliveryID], now: Timestamp) throws -> Int {
        var count = 0
        for id in ids {
            var found: ClosedDelivery?
            try forEach(RecordStatements.closed, [id.rawValue]) { row in found = try ClosedDelivery(row) }
            guard let closed = found else { continue }
            // The last attempt is recorded in the delivery itself until there is another.
            if let started = closed.started {
                try record(
                    closed.number, closed.attempt, started: started, ended: closed.settled, closed.outcome,
                    closed.reason, closed.report)
            }
            let state: DeliveryState = closed.isAllowedBesideOthers ? .pending : .queued
            try run(RecordStatements.revive, [state.rawValue, now.nanoseconds, now.nanoseconds, closed.number])
            var endings = Endings(chains: [Chain(definition: closed.definition, sink: closed.sink)])
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
            closed.bind(1, id)
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
        discard.bind(1, now.nanoseconds)
        let count = try numbers.sorted().reduce(0) { count, number in
            discard.bind(2, number)
            return count + (try discard.run())
        }
        try promote(&endings)
        return count
    }
}

/// A delivery that ended without being delivered.
private struct ClosedDelivery {
    var number: Int64
    var sink: String
    var definition: String
    var attempt: Int
    var started: Int64?
    var settled: Timestamp
    var outcome: AttemptRecord.Outcome
    var reason: String?
    var report: String?
    var isAllowedBesideOthers: Bool

    init(_ row: Row) throws {
        number = try row.value(0)
        sink = try row.value(1)
        definition = try row.value(2)
        attempt = try row.count(3)
        started = try row.value(4)
        settled = try row.instant(5)
        outcome = try row.word(6, DeliveryState.self).lastOutcome
        reason = try row.value(7)
        report = try row.value(8)
        isAllowedBesideOthers = try row.word(9, Overlap.self) == .allow
    }
}
