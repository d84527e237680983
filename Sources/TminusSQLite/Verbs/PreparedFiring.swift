import FoundationEssentials
import GRDB
import TminusCore

/// A firing with its values in their stored form, made before the transaction so that the connection is not held up.
struct PreparedFiring: Sendable {
    private let firing: Firing
    private let payload: String
    private let onFailure: String?

    /// Encodes what is stored as JSON.
    init(_ firing: Firing, _ encoder: JSONEncoder) throws {
        self.firing = firing
        payload = try PayloadText.encode(firing.payload)
        let keys = firing.onFailure.map(\.rawValue)
        onFailure = keys.isEmpty ? nil : String(decoding: try encoder.encode(keys), as: UTF8.self)
    }

    /// Writes it and its deliveries. Each write is guarded by a unique key, so a repeat changes nothing.
    ///
    /// Returns the firings whose deliveries may all be over by that.
    func write(_ transaction: Transaction, now: Timestamp) throws -> [Int64] {
        let action = firing.action.rawValue
        let isNew =
            try transaction.run(
                FiringStatements.insert,
                [
                    firing.definition.rawValue, firing.occurrence.nanoseconds, action, firing.action.kind.rawValue,
                    firing.due.nanoseconds, payload, onFailure, now.nanoseconds,
                ]) > 0
        let number =
            isNew
            ? transaction.db.lastInsertedRowID
            : try transaction.value(
                Int64.self, FiringStatements.find, [firing.definition.rawValue, firing.occurrence.nanoseconds, action])
        guard let number else { throw UnreadableRow(what: "the firing of '\(firing.definition)'") }
        var touched: [Int64] = []
        for sink in firing.sinks { touched += try write(number, sink, transaction, now: now) }
        return touched
    }

    private func write(
        _ number: Int64, _ sink: SinkKey, _ transaction: Transaction, now: Timestamp
    ) throws -> [Int64] {
        let id = DeliveryID(
            definition: firing.definition, occurrence: firing.occurrence, action: firing.action, sink: sink)
        let overlap = firing.overlaps[sink] ?? .queue
        let chain = (sink: sink.rawValue, definition: firing.definition.rawValue)
        let turn = overlap.turn(
            behind: try transaction.head(chain.sink, chain.definition), occurrence: firing.occurrence,
            isCatchUp: firing.payload.isCatchUp, now: now)
        let state: DeliveryState =
            switch turn {
            case .now: .pending
            case .behind, .instead: .queued
            case .skipped: .skipped
            }
        // From its due instant on it waits: what is longest overdue goes first. What was missed has a slot of its own.
        let next = firing.notBefore ?? min(firing.due, now)
        let isWritten =
            try transaction.run(
                DeliveryStatements.insert,
                [
                    id.rawValue, number, chain.definition, firing.occurrence.nanoseconds, chain.sink, state.rawValue,
                    overlap.rawValue, now.nanoseconds, firing.expires?.nanoseconds,
                    state.isOpen ? next.nanoseconds : nil, state == .skipped ? Overlap.skippedReason : nil,
                    now.nanoseconds, state.isOpen ? nil : now.nanoseconds,
                ]) > 0
        guard isWritten else { return [] }
        switch turn {
        case .now, .behind: return []
        case .skipped: return [number]
        case .instead:
            return try transaction.replace(chain.sink, chain.definition, by: firing.occurrence, now: now)
        }
    }
}

extension Transaction {
    /// The first delivery of a definition to a sink that is not over.
    fileprivate func head(_ sink: String, _ definition: String) throws -> Overlap.Head? {
        var head: Overlap.Head?
        try forEach(DeliveryStatements.head, [sink, definition]) { row in
            head = Overlap.Head(occurrence: try row.instant(0), claimedUntil: try row.optionalInstant(1))
        }
        return head
    }

    /// Ends what waits in favour of another occurrence, and says of which firings.
    fileprivate func replace(
        _ sink: String, _ definition: String, by occurrence: Timestamp, now: Timestamp
    ) throws -> [Int64] {
        var waiting: [(number: Int64, firing: Int64)] = []
        try forEach(DeliveryStatements.replaceable, [sink, definition, occurrence.nanoseconds]) { row in
            waiting.append((try row.value(0), try row.value(1)))
        }
        for delivery in waiting {
            try run(DeliveryStatements.skip, [Overlap.replacedReason, now.nanoseconds, delivery.number])
        }
        try run(DeliveryStatements.promote, [sink, definition])
        return waiting.map(\.firing)
    }
}
