import FoundationEssentials
import GRDB
import TminusCore

/// An advance with its values in their stored form, made before the transaction so that the connection is not held up.
struct PreparedAdvance: Sendable {
    private let advance: Advance
    private let firings: [PreparedFiring]
    private let sinks: [(spec: SinkSpec, text: String)]?

    /// Encodes what is stored as JSON.
    init(_ advance: Advance) throws {
        let encoder = JSONEncoder()
        self.advance = advance
        firings = try advance.firings.map { try PreparedFiring($0, encoder) }
        sinks = try advance.sinks?.map { ($0, String(decoding: try encoder.encode($0), as: UTF8.self)) }
    }

    /// Writes all of it. Every write is absolute or guarded by a unique key, so a repeat changes nothing.
    ///
    /// Returns the expiries that ended by it.
    func write(_ transaction: Transaction, now: Timestamp) throws -> [EndedExpiry] {
        for schedule in advance.schedules { try write(schedule, transaction) }
        var touched: [Int64] = []
        for firing in firings { touched += try firing.write(transaction, now: now) }
        for omission in advance.omissions {
            try transaction.run(
                FiringStatements.insertOmission,
                [
                    omission.definition.rawValue, omission.occurrence.nanoseconds, omission.action.rawValue,
                    omission.due.nanoseconds, omission.reason.rawValue, omission.count, omission.note, now.nanoseconds,
                ])
        }
        if let sinks {
            try transaction.run(SinkStatements.retireAll)
            for (spec, text) in sinks {
                try transaction.run(
                    SinkStatements.write, [spec.key.rawValue, spec.revision, spec.name, spec.kind, text])
            }
        }
        return try transaction.endedExpiries(touched)
    }

    private func write(_ state: ScheduleState, _ transaction: Transaction) throws {
        try transaction.run(
            ScheduleStatements.write,
            [
                state.id.rawValue, state.kind.rawValue, state.fingerprint, state.leads, state.phase.rawValue,
                state.cursor.nanoseconds, state.start?.nanoseconds, state.deadline?.nanoseconds, state.occurrences,
                state.removed?.nanoseconds, state.heldSince?.nanoseconds, state.added.nanoseconds,
                state.laps.isEmpty ? nil : state.laps.map { String($0.nanoseconds) }.joined(separator: ","),
                try OverridesText.encode(state.overrides),
            ])
    }
}
