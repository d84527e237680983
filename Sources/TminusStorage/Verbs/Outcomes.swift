import TminusCore

extension Transaction {
    /// How the last action of each definition ended that was due at `now`.
    func lastOutcomes(of definitions: [DefinitionID], now: Timestamp) throws -> [DefinitionID: HistoryEntry] {
        let keys = definitions.map { parameters($0.rawValue) }
        var firings = [FiringRow?](repeating: nil, count: keys.count)
        try runner.forEach(OutcomeStatements.firings, keys) { index, row in
            let firing = try FiringRow(row)
            // Of two that were due at one instant the expiry comes first in this order, and stays.
            if firing.due <= now, firing.due > firings[index]?.due ?? .distantPast { firings[index] = firing }
        }
        var omissions = [HistoryEntry?](repeating: nil, count: keys.count)
        try runner.forEach(OutcomeStatements.omissions, keys) { index, row in
            guard let entry = try row.omittedEntry(), entry.due <= now,
                entry.due > omissions[index]?.due ?? firings[index]?.due ?? .distantPast
            else { return }
            omissions[index] = entry
        }
        let fired = keys.indices.filter { omissions[$0] == nil && firings[$0] != nil }
        var outcomes: [DefinitionID: HistoryEntry] = [:]
        for (definition, entry) in zip(definitions, omissions) { outcomes[definition] = entry }
        for (index, entry) in zip(fired, try entries(of: fired.compactMap { firings[$0] })) {
            outcomes[definitions[index]] = entry
        }
        return outcomes
    }

    /// The newest entries of all definitions.
    func recentHistory(before instant: Timestamp, limit: Int) throws -> [RecentEntry] {
        var definitions: [DefinitionID] = []
        var firings: [FiringRow] = []
        try forEach(OutcomeStatements.recentFirings, instant, max(0, limit)) { row in
            guard let id = DefinitionID(try row.text(4)) else { return }
            definitions.append(id)
            firings.append(try FiringRow(row))
        }
        var entries = zip(definitions, try entries(of: firings)).map { RecentEntry(definition: $0, entry: $1) }
        try forEach(OutcomeStatements.recentOmissions, instant, max(0, limit)) { row in
            guard let id = DefinitionID(try row.text(6)), let entry = try row.omittedEntry() else { return }
            entries.append(RecentEntry(definition: id, entry: entry))
        }
        return RecentEntry.newest(entries, limit: limit)
    }

    /// The entries of firings with the ends of their deliveries.
    func entries(of firings: [FiringRow]) throws -> [HistoryEntry] {
        var parts = [[HistoryEntry.Part]](repeating: [], count: firings.count)
        try runner.forEach(RecordStatements.ofFiring, firings.map { parameters($0.id) }) { index, row in
            parts[index].append(
                HistoryEntry.Part(
                    state: try row.word(0, DeliveryState.self), reason: try row.optionalText(1),
                    settled: try row.optionalInstant(2)))
        }
        return zip(firings, parts).map { firing, parts in
            HistoryEntry(occurrence: firing.occurrence, action: firing.action, due: firing.due, deliveries: parts)
        }
    }
}

/// The columns of a firing that its entry in the history needs.
struct FiringRow {
    let id: Int64
    let occurrence: Timestamp
    let action: String
    let due: Timestamp

    init(_ row: StoredRow) throws {
        id = try row.number(0)
        occurrence = try row.instant(1)
        action = try row.text(2)
        due = try row.instant(3)
    }
}

extension StoredRow {
    /// Reads the entry of an omission; nil if its reason is unknown.
    func omittedEntry() throws -> HistoryEntry? {
        guard let reason = Omission.Reason(rawValue: try text(3)) else { return nil }
        return HistoryEntry(
            occurrence: try instant(0), action: try text(1), due: try instant(2),
            end: reason.end(note: try optionalText(5)), count: try count(4))
    }
}

extension Transaction {
    /// Records a control.
    func write(_ record: ControlRecord) throws {
        try post(
            ControlStatements.insert, record.definition?.rawValue ?? "", record.control, record.by, record.at,
            record.note)
    }

    /// The newest controls: of one definition and of all, or every one.
    func controls(of definition: DefinitionID?, before instant: Timestamp, limit: Int) throws -> [ControlRecord] {
        var records: [ControlRecord] = []
        func take(_ row: StoredRow) throws {
            let id = try row.text(0)
            records.append(
                ControlRecord(
                    definition: id.isEmpty ? nil : try row.definition(0), control: try row.text(1),
                    by: try row.text(2), at: try row.instant(3), note: try row.optionalText(4)))
        }
        if let definition {
            try forEach(ControlStatements.ofDefinition, definition.rawValue, instant, max(0, limit), body: take)
        } else {
            try forEach(ControlStatements.newest, instant, max(0, limit), body: take)
        }
        return records
    }
}
