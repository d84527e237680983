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
        self.advance = advance
        firings = try advance.firings.map { try PreparedFiring($0) }
        let encoder = JSONEncoder()
        sinks = try advance.sinks?.map { ($0, String(decoding: try encoder.encode($0), as: UTF8.self)) }
    }

    /// Writes all of it. Every write is absolute or guarded by a unique key, so a repeat changes nothing.
    ///
    /// Returns the expiries that ended by it.
    func write(_ transaction: Transaction, now: Timestamp) throws -> [EndedExpiry] {
        let schedule = try QuickStatement(ScheduleStatements.write, transaction)
        var leads = LeadsDigests()
        for state in advance.schedules { try write(state, schedule, &leads) }
        var touched: [Int64] = []
        let writer = try FiringWriter(transaction)
        for firing in firings { try writer.write(firing, now: now, touched: &touched) }
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
        if let mute = advance.mute { try transaction.write(mute) }
        return try transaction.endedExpiries(touched)
    }

    private func write(
        _ state: ScheduleState, _ statement: QuickStatement, _ leads: inout LeadsDigests
    ) throws {
        statement.bind(1, state.id.rawValue)
        statement.bind(2, state.kind.rawValue)
        statement.bind(3, state.fingerprint)
        statement.bind(4, leads.digest(of: state))
        statement.bind(5, state.phase.rawValue)
        statement.bind(6, state.cursor.nanoseconds)
        statement.bind(7, state.start?.nanoseconds)
        statement.bind(8, state.deadline?.nanoseconds)
        statement.bind(9, Int64(state.occurrences))
        statement.bind(10, state.removed?.nanoseconds)
        statement.bind(11, state.heldSince?.nanoseconds)
        statement.bind(12, state.added.nanoseconds)
        statement.bind(
            13, state.laps.isEmpty ? nil : state.laps.map { String($0.nanoseconds) }.joined(separator: ","))
        statement.bind(14, try OverridesText.encode(state.overrides))
        try statement.run()
    }
}
