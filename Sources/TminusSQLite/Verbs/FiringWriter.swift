import GRDB
import TminusCore

/// Writes firings and their deliveries in one transaction. Each write is guarded by a unique key, so a repeat changes nothing.
struct FiringWriter {
    private let transaction: Transaction
    private let insertFirings: GroupedStatement
    private let head: QuickStatement
    private let insertDelivery: QuickStatement
    private let claims: WritingClaims?

    /// A writer for this transaction, with what claims its deliveries at once.
    init(_ transaction: Transaction, claims: WritingClaims? = nil) throws {
        self.transaction = transaction
        self.claims = claims
        insertFirings = try GroupedStatement(FiringStatements.insert, transaction)
        head = try QuickStatement(DeliveryStatements.head, transaction)
        insertDelivery = try QuickStatement(DeliveryStatements.insert, transaction)
    }

    /// Writes firings, and adds to `touched` those whose deliveries may all be over by that.
    func write(_ firings: [PreparedFiring], now: Timestamp, touched: inout [Int64]) throws {
        guard !firings.isEmpty else { return }
        var last = try transaction.lastNumber(FiringStatements.lastID)
        for group in firings.indices.groups {
            let changed = try insertFirings.run(group) { row, statement, before in
                bind(firings[row], last + 1 + Int64(row - group.lowerBound), now: now, statement, before)
            }
            for row in group {
                let firing = firings[row]
                // Of a group of which some were there already nobody says which.
                let number =
                    changed == group.count ? last + 1 + Int64(row - group.lowerBound) : try number(of: firing)
                for sink in firing.deliveries.indices {
                    try write(firing, number, to: sink, now: now, touched: &touched)
                }
            }
            last += Int64(group.count)
        }
        try claims?.flush()
    }

    private func bind(
        _ prepared: PreparedFiring, _ number: Int64, now: Timestamp, _ statement: QuickStatement, _ before: CInt
    ) {
        statement.bind(before + 1, number)
        statement.bind(before + 2, prepared.firing.definition.rawValue)
        statement.bind(before + 3, prepared.firing.occurrence.nanoseconds)
        statement.bind(before + 4, prepared.action)
        statement.bind(before + 5, prepared.firing.action.kind.rawValue)
        statement.bind(before + 6, prepared.firing.due.nanoseconds)
        statement.bind(before + 7, prepared.payload)
        statement.bind(before + 8, prepared.onFailure)
        statement.bind(before + 9, now.nanoseconds)
    }

    /// The number of a firing that is written.
    private func number(of prepared: PreparedFiring) throws -> Int64 {
        let definition = prepared.firing.definition.rawValue
        let key: StatementArguments = [definition, prepared.firing.occurrence.nanoseconds, prepared.action]
        guard let number = try transaction.value(Int64.self, FiringStatements.find, key) else {
            throw UnreadableRow(what: "the firing of '\(definition)'")
        }
        return number
    }

    private func write(
        _ prepared: PreparedFiring, _ number: Int64, to index: Int, now: Timestamp, touched: inout [Int64]
    ) throws {
        let sink = prepared.firing.sinks[index]
        let overlap = prepared.firing.overlaps[sink] ?? .queue
        let definition = prepared.firing.definition.rawValue
        try claims?.flush(before: prepared.firing.definition, sink)
        let turn = overlap.turn(
            behind: try head(of: definition, sink.rawValue), occurrence: prepared.firing.occurrence,
            isCatchUp: prepared.firing.payload.isCatchUp, now: now)
        let state: DeliveryState =
            switch turn {
            case .now: .pending
            case .behind, .instead: .queued
            case .skipped: .skipped
            }
        // From its due instant on it waits: what is longest overdue goes first. What was missed has a slot of its own.
        let next = prepared.firing.notBefore ?? min(prepared.firing.due, now)
        if state == .pending, next <= now, let claims,
            try claims.write(prepared, number, to: index, overlap, next: next)
        {
            return
        }
        try claims?.flush()
        insertDelivery.bind(1, prepared.deliveries[index].text)
        insertDelivery.bind(2, number)
        insertDelivery.bind(3, definition)
        insertDelivery.bind(4, prepared.firing.occurrence.nanoseconds)
        insertDelivery.bind(5, sink.rawValue)
        insertDelivery.bind(6, state.rawValue)
        insertDelivery.bind(7, overlap.rawValue)
        insertDelivery.bind(8, now.nanoseconds)
        insertDelivery.bind(9, prepared.firing.expires?.nanoseconds)
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
            touched += try transaction.replace(
                sink.rawValue, definition, by: prepared.firing.occurrence, now: now)
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
