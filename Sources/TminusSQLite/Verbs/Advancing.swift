import FoundationEssentials
import GRDB
import TminusCore

/// An advance with its values in their stored form, made before the transaction so that the connection is not held up.
struct PreparedAdvance: Sendable {
    private let advance: Advance
    /// Of each of its schedules.
    private let revisions: [(fingerprint: String, leads: String)]
    private let firings: [PreparedFiring]
    private let sinks: [(spec: SinkSpec, text: String)]?

    /// Encodes what is stored as JSON.
    init(_ advance: Advance) throws {
        self.advance = advance
        var digests = RevisionDigests()
        revisions = advance.schedules.map { (digests.fingerprint(of: $0), digests.leads(of: $0)) }
        firings = try advance.firings.map { try PreparedFiring($0) }
        let encoder = JSONEncoder()
        sinks = try advance.sinks?.map { ($0, String(decoding: try encoder.encode($0), as: UTF8.self)) }
    }

    /// Writes all of it. Every write is absolute or guarded by a unique key, so a repeat changes nothing.
    ///
    /// Returns the expiries that ended by it, and what was claimed of it.
    func write(
        _ transaction: Transaction, andClaim request: ClaimRequest?, now: Timestamp
    ) throws -> (ended: [EndedExpiry], claims: ClaimsMade?) {
        // Before the deliveries are written: what their sinks are then is what is claimed.
        if let sinks { try write(sinks, transaction) }
        let schedule = try GroupedStatement(ScheduleStatements.write, transaction)
        for group in advance.schedules.indices.groups {
            try schedule.run(group) { row, statement, before in
                try bind(advance.schedules[row], revisions[row], statement, before)
            }
        }
        var touched: [Int64] = []
        let claims = try request.map { try WritingClaims($0, transaction, now: now) }
        let writer = try FiringWriter(transaction, claims: claims)
        try writer.write(firings, now: now, touched: &touched)
        for omission in advance.omissions {
            try transaction.run(
                FiringStatements.insertOmission,
                [
                    omission.definition.rawValue, omission.occurrence.nanoseconds, omission.action.rawValue,
                    omission.due.nanoseconds, omission.reason.rawValue, omission.count, omission.note, now.nanoseconds,
                ])
        }
        if let mute = advance.mute { try transaction.write(mute) }
        return (try transaction.endedExpiries(touched), claims?.made)
    }

    private func write(_ sinks: [(spec: SinkSpec, text: String)], _ transaction: Transaction) throws {
        try transaction.run(SinkStatements.retireAll)
        for (spec, text) in sinks {
            try transaction.run(SinkStatements.write, [spec.key.rawValue, spec.revision, spec.name, spec.kind, text])
        }
    }

    private func bind(
        _ state: ScheduleState, _ revision: (fingerprint: String, leads: String), _ statement: QuickStatement,
        _ before: CInt
    ) throws {
        statement.bind(before + 1, state.id.rawValue)
        statement.bind(before + 2, state.kind.rawValue)
        statement.bind(before + 3, revision.fingerprint)
        statement.bind(before + 4, revision.leads)
        statement.bind(before + 5, state.phase.rawValue)
        statement.bind(before + 6, state.cursor.nanoseconds)
        statement.bind(before + 7, state.start?.nanoseconds)
        statement.bind(before + 8, state.deadline?.nanoseconds)
        statement.bind(before + 9, Int64(state.occurrences))
        statement.bind(before + 10, state.removed?.nanoseconds)
        statement.bind(before + 11, state.heldSince?.nanoseconds)
        statement.bind(before + 12, state.added.nanoseconds)
        statement.bind(
            before + 13, state.laps.isEmpty ? nil : state.laps.map { String($0.nanoseconds) }.joined(separator: ","))
        statement.bind(before + 14, try OverridesText.encode(state.overrides))
    }
}
