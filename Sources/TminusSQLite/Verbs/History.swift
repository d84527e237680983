import TminusCore
import TminusStorage

extension Transaction {
    /// Deliveries with their attempts, newest first.
    ///
    /// `numbers` are those of the requested ids; nil if no ids were requested.
    func deliveries(_ filter: DeliveryFilter, numbers: [Int64]?) throws -> [DeliveryRecord] {
        var conditions: [String] = []
        if let numbers {
            conditions.append("d.number IN (\(numbers.map { String($0) }.joined(separator: ", ")))")
        }
        if let states = filter.states {
            // The words come from this program, so they may be part of the statement. For a single word there is an
            // index.
            let words = states.map { "'\($0.rawValue)'" }.sorted()
            conditions.append(
                words.count == 1 ? "d.state = \(words[0])" : "d.state IN (\(words.joined(separator: ", ")))")
        }
        if filter.definition != nil { conditions.append("f.definition = ?1") }
        if filter.sink != nil { conditions.append("d.sink = ?2") }
        let clause = conditions.isEmpty ? "" : "WHERE " + conditions.joined(separator: " AND ")
        var found: [(number: Int64, record: DeliveryRecord)] = []
        let sql = RecordStatements.record + clause + " ORDER BY d.number DESC LIMIT ?3"
        try forEach(sql, filter.definition?.rawValue, filter.sink?.rawValue, max(0, filter.limit)) { row in
            if let record = try row.deliveryRecord() { found.append((try row.number(0), record)) }
        }
        return try found.map { number, record in
            var record = record
            var earlier: [AttemptRecord] = []
            try forEach(AttemptStatements.ofDelivery, number) { row in
                if let attempt = try row.attemptRecord() { earlier.append(attempt) }
            }
            record.log = Array((earlier + record.log).suffix(DeliveryRecord.keptAttempts))
            return record
        }
    }

    /// How occurrences ended, newest first.
    func history(of definition: DefinitionID, before instant: Timestamp, limit: Int) throws -> [HistoryEntry] {
        var oldest: Int64?
        let key = definition.rawValue
        try forEach(FiringStatements.occurrences, key, instant, max(0, limit)) { row in
            oldest = try row.number(0)
        }
        guard let oldest else { return [] }
        var entries: [HistoryEntry] = []
        var firings: [(id: Int64, occurrence: Timestamp, action: String, due: Timestamp)] = []
        try forEach(FiringStatements.ofOccurrences, key, oldest, instant) { row in
            firings.append((try row.number(0), try row.instant(1), try row.text(2), try row.instant(3)))
        }
        for firing in firings {
            var parts: [HistoryEntry.Part] = []
            try forEach(RecordStatements.ofFiring, firing.id) { row in
                parts.append(
                    HistoryEntry.Part(
                        state: try row.word(0, DeliveryState.self), reason: try row.optionalText(1),
                        settled: try row.optionalInstant(2)))
            }
            entries.append(
                HistoryEntry(occurrence: firing.occurrence, action: firing.action, due: firing.due, deliveries: parts))
        }
        try forEach(FiringStatements.omissionsOfOccurrences, key, oldest, instant) { row in
            guard let reason = Omission.Reason(rawValue: try row.text(3)) else { return }
            entries.append(
                HistoryEntry(
                    occurrence: try row.instant(0), action: try row.text(1), due: try row.instant(2),
                    end: reason.end(note: try row.optionalText(5)), count: try row.count(4)))
        }
        return HistoryEntry.inOrder(entries)
    }
}

extension QuickRow {
    /// Reads the columns of ``RecordStatements/record``; nil if the id or the definition is invalid. Contains only the
    /// last attempt.
    fileprivate func deliveryRecord() throws -> DeliveryRecord? {
        guard let id = DeliveryID(try text(1)), let definition = DefinitionID(try text(2)) else { return nil }
        let state = try word(8, DeliveryState.self)
        let settled = try optionalInstant(11)
        let reason = try optionalText(12)
        var log: [AttemptRecord] = []
        if let started = try optionalInstant(13), let settled {
            log = [
                AttemptRecord(
                    number: try count(9), started: started, ended: settled, outcome: state.lastOutcome, reason: reason,
                    report: try report(14))
            ]
        }
        return DeliveryRecord(
            id: id, definition: definition, occurrence: try instant(3),
            action: try text(4), sink: SinkKey(try text(5)), sinkTitle: try optionalText(16),
            due: try instant(6), created: try instant(7),
            state: state,
            attempts: try count(9), nextAttempt: try optionalInstant(10), settled: settled, reason: reason,
            waitsForSink: try number(15) != 0, log: log)
    }

    /// Reads a stored report; a missing or unreadable one is empty.
    fileprivate func report(_ column: CInt) throws -> DeliveryReport {
        try optionalText(column).map(ReportText.decode) ?? .empty
    }

    /// Reads the columns of ``AttemptStatements/ofDelivery``; nil if the outcome is invalid.
    fileprivate func attemptRecord() throws -> AttemptRecord? {
        guard let outcome = AttemptRecord.Outcome(rawValue: try text(3)) else { return nil }
        return AttemptRecord(
            number: try count(0), started: try instant(1), ended: try instant(2), outcome: outcome,
            reason: try optionalText(4), report: try report(5))
    }
}
