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
