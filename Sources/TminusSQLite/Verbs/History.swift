import FoundationEssentials
import GRDB
import TminusCore

extension Transaction {
    /// Deliveries with their attempts, newest first.
    ///
    /// `numbers`: those of the ids that are wanted, if only some are.
    func deliveries(_ filter: DeliveryFilter, numbers: [Int64]?) throws -> [DeliveryRecord] {
        var conditions: [String] = []
        var arguments: StatementArguments = []
        if let numbers {
            conditions.append("d.number IN (\(numbers.map { String($0) }.joined(separator: ", ")))")
        }
        if let states = filter.states {
            // Words of ours, so they may stand in the statement; a single one has an index of its own.
            let words = states.map { "'\($0.rawValue)'" }.sorted()
            conditions.append(
                words.count == 1 ? "d.state = \(words[0])" : "d.state IN (\(words.joined(separator: ", ")))")
        }
        if let definition = filter.definition {
            conditions.append("f.definition = ?")
            arguments += [definition.rawValue]
        }
        if let sink = filter.sink {
            conditions.append("d.sink = ?")
            arguments += [sink.rawValue]
        }
        let clause = conditions.isEmpty ? "" : "WHERE " + conditions.joined(separator: " AND ")
        arguments += [max(0, filter.limit)]
        var found: [(number: Int64, record: DeliveryRecord)] = []
        let sql = DeliveryStatements.record + clause + " ORDER BY d.number DESC LIMIT ?"
        try forEach(sql, arguments) { row in
            if let record = try row.deliveryRecord() { found.append((try row.value(0), record)) }
        }
        return try found.map { number, record in
            var record = record
            var earlier: [AttemptRecord] = []
            try forEach(AttemptStatements.ofDelivery, [number]) { row in
                if let attempt = try row.attemptRecord() { earlier.append(attempt) }
            }
            record.log = Array((earlier + record.log).suffix(DeliveryRecord.keptAttempts))
            return record
        }
    }

    /// Has deliveries that are over, and were not delivered, tried again.
    func retry(_ ids: [DeliveryID], now: Timestamp) throws -> Int {
        var count = 0
        for id in ids {
            var found: ClosedDelivery?
            try forEach(DeliveryStatements.closed, [id.rawValue]) { row in found = try ClosedDelivery(row) }
            guard let closed = found else { continue }
            // The last attempt stands in the delivery itself until there is another.
            if let started = closed.started {
                try record(
                    closed.number, closed.attempt, started: started, ended: closed.settled, closed.outcome,
                    closed.reason, closed.report)
            }
            let state: DeliveryState = closed.isAllowedBesideOthers ? .pending : .queued
            try run(
                DeliveryStatements.revive, [state.rawValue, now.nanoseconds, now.nanoseconds, closed.number])
            try run(DeliveryStatements.promote, [closed.sink, closed.definition])
            count += 1
        }
        return count
    }

    /// Puts dead letters aside.
    func discard(_ ids: [DeliveryID]) throws -> Int {
        try ids.reduce(0) { $0 + (try run(DeliveryStatements.discard, [$1.rawValue])) }
    }

    /// What became of occurrences, newest first.
    func history(of definition: DefinitionID, before instant: Timestamp, limit: Int) throws -> [HistoryEntry] {
        var oldest: Int64?
        let key = definition.rawValue
        try forEach(FiringStatements.occurrences, [key, instant.nanoseconds, max(0, limit)]) { row in
            oldest = try row.value(0)
        }
        guard let oldest else { return [] }
        var entries: [HistoryEntry] = []
        var firings: [(id: Int64, occurrence: Timestamp, action: String, due: Timestamp)] = []
        try forEach(FiringStatements.ofOccurrences, [key, oldest, instant.nanoseconds]) { row in
            firings.append((try row.value(0), try row.instant(1), try row.value(2), try row.instant(3)))
        }
        for firing in firings {
            var parts: [HistoryEntry.Part] = []
            try forEach(DeliveryStatements.ofFiring, [firing.id]) { row in
                parts.append(
                    HistoryEntry.Part(
                        state: try row.word(0, DeliveryState.self), reason: try row.value(1),
                        settled: try row.optionalInstant(2)))
            }
            entries.append(
                HistoryEntry(occurrence: firing.occurrence, action: firing.action, due: firing.due, deliveries: parts))
        }
        try forEach(FiringStatements.omissionsOfOccurrences, [key, oldest, instant.nanoseconds]) { row in
            guard let reason = Omission.Reason(rawValue: try row.value(3)) else { return }
            entries.append(
                HistoryEntry(
                    occurrence: try row.instant(0), action: try row.value(1), due: try row.instant(2),
                    end: reason.end(note: try row.value(5)), count: try row.value(4)))
        }
        return HistoryEntry.inOrder(entries)
    }
}

/// A delivery that is over and was not delivered.
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
        attempt = try row.value(3)
        started = try row.value(4)
        settled = try row.instant(5)
        outcome = try row.word(6, DeliveryState.self).lastOutcome
        reason = try row.value(7)
        report = try row.value(8)
        isAllowedBesideOthers = try row.word(9, Overlap.self) == .allow
    }
}

extension Row {
    /// A row with the columns of ``DeliveryStatements/record``; nil if its definition cannot be one. The attempts before the last
    /// are not in it.
    fileprivate func deliveryRecord() throws -> DeliveryRecord? {
        guard let definition = DefinitionID(try value(2)) else { return nil }
        let state = try word(8, DeliveryState.self)
        let settled = try optionalInstant(11)
        let reason: String? = try value(12)
        var log: [AttemptRecord] = []
        if let started = try optionalInstant(13), let settled {
            log = [
                AttemptRecord(
                    number: try value(9), started: started, ended: settled, outcome: state.lastOutcome, reason: reason,
                    report: try report(14))
            ]
        }
        return DeliveryRecord(
            id: DeliveryID(rawValue: try value(1)), definition: definition, occurrence: try instant(3),
            action: try value(4), sink: SinkKey(try value(5)), due: try instant(6), created: try instant(7),
            state: state,
            attempts: try value(9), nextAttempt: try optionalInstant(10), settled: settled, reason: reason, log: log)
    }

    /// A report as stored; one that is missing or cannot be read says nothing.
    fileprivate func report(_ column: Int) throws -> DeliveryReport {
        let text: String? = try value(column)
        return text.map(ReportText.decode) ?? .empty
    }

    /// A row with the columns of ``AttemptStatements/ofDelivery``; nil if its outcome is none.
    fileprivate func attemptRecord() throws -> AttemptRecord? {
        guard let outcome = AttemptRecord.Outcome(rawValue: try value(3)) else { return nil }
        return AttemptRecord(
            number: try value(0), started: try instant(1), ended: try instant(2), outcome: outcome,
            reason: try value(4), report: try report(5))
    }
}
