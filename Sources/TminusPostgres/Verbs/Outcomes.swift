import TminusCore

extension Transaction {
    /// How the last action of each definition ended that was due at `now`.
    func lastOutcomes(
        of definitions: some Sequence<DefinitionID>, now: Timestamp
    ) throws -> [DefinitionID: HistoryEntry] {
        var outcomes: [DefinitionID: HistoryEntry] = [:]
        for definition in definitions {
            var last: (firing: FiringRow?, entry: HistoryEntry?, due: Timestamp)?
            try forEach(OutcomeStatements.firings, definition.rawValue) { row in
                let firing = try FiringRow(row)
                // Of two that were due at one instant the expiry comes first in this order, and stays.
                if firing.due <= now, firing.due > last?.due ?? .distantPast { last = (firing, nil, firing.due) }
            }
            try forEach(OutcomeStatements.omissions, definition.rawValue) { row in
                guard let entry = try row.omittedEntry(), entry.due <= now, entry.due > last?.due ?? .distantPast
                else { return }
                last = (nil, entry, entry.due)
            }
            outcomes[definition] = try last.flatMap { try $0.firing.map { try entry($0) } ?? $0.entry }
        }
        return outcomes
    }

    /// The newest entries of all definitions.
    func recentHistory(before instant: Timestamp, limit: Int) throws -> [RecentEntry] {
        var firings: [(definition: DefinitionID, row: FiringRow)] = []
        try forEach(OutcomeStatements.recentFirings, instant, max(0, limit)) { row in
            if let id = DefinitionID(try row.text(4)) { firings.append((id, try FiringRow(row))) }
        }
        var entries = try firings.map { RecentEntry(definition: $0.definition, entry: try entry($0.row)) }
        try forEach(OutcomeStatements.recentOmissions, instant, max(0, limit)) { row in
            guard let id = DefinitionID(try row.text(6)), let entry = try row.omittedEntry() else { return }
            entries.append(RecentEntry(definition: id, entry: entry))
        }
        return RecentEntry.newest(entries, limit: limit)
    }

    private func entry(_ firing: FiringRow) throws -> HistoryEntry {
        var parts: [HistoryEntry.Part] = []
        try forEach(RecordStatements.ofFiring, firing.id) { row in
            parts.append(
                HistoryEntry.Part(
                    state: try row.word(0, DeliveryState.self), reason: try row.optionalText(1),
                    settled: try row.optionalInstant(2)))
        }
        return HistoryEntry(
            occurrence: firing.occurrence, action: firing.action, due: firing.due, deliveries: parts)
    }
}

/// The columns of a firing that its entry in the history needs.
private struct FiringRow {
    let id: Int64
    let occurrence: Timestamp
    let action: String
    let due: Timestamp

    init(_ row: Row) throws {
        id = try row.number(0)
        occurrence = try row.instant(1)
        action = try row.text(2)
        due = try row.instant(3)
    }
}

extension Row {
    /// Reads the entry of an omission; nil if its reason is unknown.
    fileprivate func omittedEntry() throws -> HistoryEntry? {
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
        func take(_ row: Row) throws {
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
