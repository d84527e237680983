import GRDB
import TminusCore

/// Writes firings and their deliveries in one transaction. Each write is guarded by a unique key, so a repeat changes nothing.
struct FiringWriter {
    private let transaction: Transaction
    private let insertFiring: QuickStatement
    private let head: QuickStatement
    private let insertDelivery: QuickStatement
    private let claims: WritingClaims?

    /// A writer for this transaction, with what claims its deliveries at once.
    init(_ transaction: Transaction, claims: WritingClaims? = nil) throws {
        self.transaction = transaction
        self.claims = claims
        insertFiring = try QuickStatement(FiringStatements.insert, transaction)
        head = try QuickStatement(DeliveryStatements.head, transaction)
        insertDelivery = try QuickStatement(DeliveryStatements.insert, transaction)
    }

    /// Writes a firing, and adds to `touched` the firings whose deliveries may all be over by that.
    func write(_ prepared: PreparedFiring, now: Timestamp, touched: inout [Int64]) throws {
        let firing = prepared.firing
        let definition = firing.definition.rawValue
        insertFiring.bind(1, definition)
        insertFiring.bind(2, firing.occurrence.nanoseconds)
        insertFiring.bind(3, prepared.action)
        insertFiring.bind(4, firing.action.kind.rawValue)
        insertFiring.bind(5, firing.due.nanoseconds)
        insertFiring.bind(6, prepared.payload)
        insertFiring.bind(7, prepared.onFailure)
        insertFiring.bind(8, now.nanoseconds)
        let number =
            try insertFiring.run() > 0
            ? insertFiring.lastInsertedNumber
            : try transaction.value(
                Int64.self, FiringStatements.find, [definition, firing.occurrence.nanoseconds, prepared.action])
        guard let number else { throw UnreadableRow(what: "the firing of '\(definition)'") }
        for (sink, id) in zip(firing.sinks, prepared.deliveries) {
            try write(id, of: firing, number, to: sink, now: now, touched: &touched)
        }
    }

    private func write(
        _ id: (id: DeliveryID, text: String), of firing: Firing, _ number: Int64, to sink: SinkKey, now: Timestamp,
        touched: inout [Int64]
    ) throws {
        let overlap = firing.overlaps[sink] ?? .queue
        let definition = firing.definition.rawValue
        let turn = overlap.turn(
            behind: try head(of: definition, sink.rawValue), occurrence: firing.occurrence,
            isCatchUp: firing.payload.isCatchUp, now: now)
        let state: DeliveryState =
            switch turn {
            case .now: .pending
            case .behind, .instead: .queued
            case .skipped: .skipped
            }
        // From its due instant on it waits: what is longest overdue goes first. What was missed has a slot of its own.
        let next = firing.notBefore ?? min(firing.due, now)
        if state == .pending, next <= now, let claims,
            try claims.write(id, of: firing, number, to: sink, overlap, next: next)
        {
            return
        }
        insertDelivery.bind(1, id.text)
        insertDelivery.bind(2, number)
        insertDelivery.bind(3, definition)
        insertDelivery.bind(4, firing.occurrence.nanoseconds)
        insertDelivery.bind(5, sink.rawValue)
        insertDelivery.bind(6, state.rawValue)
        insertDelivery.bind(7, overlap.rawValue)
        insertDelivery.bind(8, now.nanoseconds)
        insertDelivery.bind(9, firing.expires?.nanoseconds)
        insertDelivery.bind(10, state.isOpen ? next.nanoseconds : nil)
        insertDelivery.bind(11, state == .skipped ? Overlap.skippedReason : nil)
        insertDelivery.bind(12, now.nanoseconds)
        insertDelivery.bind(13, state.isOpen ? nil : now.nanoseconds)
        guard try insertDelivery.run() > 0 else { return }
        claims?.wrote(insertDelivery.lastInsertedNumber)
        switch turn {
        case .now, .behind: break
        case .skipped: touched.append(number)
        case .instead:
            touched += try transaction.replace(sink.rawValue, definition, by: firing.occurrence, now: now)
        }
    }

    /// The first delivery of a definition to a sink that is not over.
    private func head(of definition: String, _ sink: String) throws -> Overlap.Head? {
        head.bind(1, sink)
        head.bind(2, definition)
        return try head.first { row in
            Overlap.Head(occurrence: try row.instant(0), claimedUntil: try row.optionalInstant(1))
        }
    }
}

extension Transaction {
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
