import FoundationEssentials
import GRDB
import TminusCore

extension Transaction {
    /// All schedules, and the expiries that they wait for.
    func snapshot() throws -> StoreSnapshot {
        var snapshot = StoreSnapshot()
        try forEach(ScheduleStatements.all) { row in
            snapshot.schedules.append(
                ScheduleState(
                    id: try row.definition(0), kind: try row.word(1, DefinitionKind.self),
                    fingerprint: try row.value(2),
                    leads: try row.value(3), phase: try row.word(4, ScheduleState.Phase.self),
                    cursor: try row.instant(5),
                    start: try row.optionalInstant(6), deadline: try row.optionalInstant(7),
                    occurrences: try row.value(8),
                    removed: try row.optionalInstant(9)))
        }
        try forEach(ScheduleStatements.openExpiries) { row in
            snapshot.openExpiries.insert(
                EndedExpiry(definition: try row.definition(0), occurrence: try row.instant(1)))
        }
        return snapshot
    }

    /// A sink as last written.
    func sink(_ key: SinkKey) throws -> SinkSpec? {
        guard let text = try value(String.self, SinkStatements.read, [key.rawValue]) else { return nil }
        do {
            return try JSONDecoder().decode(SinkSpec.self, from: Data(text.utf8))
        } catch {
            throw UnreadableRow(what: "the sink '\(key)'")
        }
    }
}
