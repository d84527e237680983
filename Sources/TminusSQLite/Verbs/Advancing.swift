import FoundationEssentials
import GRDB
import TminusCore

/// An advance with its values in their stored form, made before the transaction so that the connection is not held up.
struct PreparedAdvance: Sendable {
    private let advance: Advance
    private let payloads: [String]
    private let sinks: [(spec: SinkSpec, text: String)]?

    /// Encodes what is stored as JSON.
    init(_ advance: Advance) throws {
        let encoder = JSONEncoder()
        self.advance = advance
        payloads = try advance.firings.map { String(decoding: try encoder.encode($0.payload), as: UTF8.self) }
        sinks = try advance.sinks?.map { ($0, String(decoding: try encoder.encode($0), as: UTF8.self)) }
    }

    /// Writes all of it. Every write is absolute or guarded by a unique key, so a repeat changes nothing.
    func write(_ transaction: Transaction, now: Timestamp) throws {
        for schedule in advance.schedules { try write(schedule, transaction) }
        for (firing, payload) in zip(advance.firings, payloads) {
            try write(firing, payload: payload, transaction, now: now)
        }
        for omission in advance.omissions {
            try transaction.run(
                FiringStatements.insertOmission,
                [
                    omission.definition.rawValue, omission.occurrence.nanoseconds, omission.action.rawValue,
                    omission.due.nanoseconds, omission.reason.rawValue, omission.count, now.nanoseconds,
                ])
        }
        guard let sinks else { return }
        try transaction.run(SinkStatements.retireAll)
        for (spec, text) in sinks {
            try transaction.run(
                SinkStatements.write, [spec.key.rawValue, spec.revision, spec.name, spec.kind, text])
        }
    }

    private func write(_ state: ScheduleState, _ transaction: Transaction) throws {
        try transaction.run(
            ScheduleStatements.write,
            [
                state.id.rawValue, state.kind.rawValue, state.fingerprint, state.leads, state.phase.rawValue,
                state.cursor.nanoseconds, state.start?.nanoseconds, state.deadline?.nanoseconds, state.occurrences,
                state.removed?.nanoseconds,
            ])
    }

    private func write(_ firing: Firing, payload: String, _ transaction: Transaction, now: Timestamp) throws {
        let action = firing.action.rawValue
        let isNew =
            try transaction.run(
                FiringStatements.insert,
                [
                    firing.definition.rawValue, firing.occurrence.nanoseconds, action, firing.action.kind.rawValue,
                    firing.due.nanoseconds, payload, now.nanoseconds,
                ]) > 0
        let number =
            isNew
            ? transaction.db.lastInsertedRowID
            : try transaction.value(
                Int64.self, FiringStatements.find, [firing.definition.rawValue, firing.occurrence.nanoseconds, action])
        guard let number else { throw UnreadableRow(what: "the firing of '\(firing.definition)'") }
        // From its due instant on it waits: what is longest overdue goes first. What was missed has a slot of its own.
        let next = firing.notBefore ?? min(firing.due, now)
        for sink in firing.sinks {
            let id = DeliveryID(
                definition: firing.definition, occurrence: firing.occurrence, action: firing.action, sink: sink)
            try transaction.run(
                DeliveryStatements.insert,
                [id.rawValue, number, sink.rawValue, next.nanoseconds, now.nanoseconds])
        }
    }
}
