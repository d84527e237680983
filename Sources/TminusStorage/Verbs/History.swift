import TminusCore

extension Transaction {
    /// Deliveries with their attempts, newest first.
    ///
    /// `numbers` are those of the requested ids; nil if no ids were requested.
    func deliveries(_ filter: DeliveryFilter, numbers: [Int64]?) throws -> [DeliveryRecord] {
        var conditions: [String] = []
        if numbers != nil { conditions.append("d.number = ?4") }
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
        let shared = parameters(filter.definition?.rawValue, filter.sink?.rawValue, max(0, filter.limit))
        let lists = numbers.map { $0.sorted(by: >).map { shared + [.number($0)] } } ?? [shared]
        try runner.forEach(sql, lists) { _, row in
            if let record = try row.deliveryRecord() { found.append((try row.number(0), record)) }
        }
        let kept = found.prefix(max(0, filter.limit))
        var earlier = [[AttemptRecord]](repeating: [], count: kept.count)
        try runner.forEach(AttemptStatements.ofDelivery, kept.map { parameters($0.number) }) { index, row in
            if let attempt = try row.attemptRecord() { earlier[index].append(attempt) }
        }
        return zip(kept, earlier).map { found, earlier in
            var record = found.record
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
        var firings: [FiringRow] = []
        try forEach(FiringStatements.ofOccurrences, key, oldest, instant) { row in
            firings.append(try FiringRow(row))
        }
        var entries = try entries(of: firings)
        try forEach(FiringStatements.omissionsOfOccurrences, key, oldest, instant) { row in
            if let entry = try row.omittedEntry() { entries.append(entry) }
        }
        return HistoryEntry.inOrder(entries)
    }
}

extension StoredRow {
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
