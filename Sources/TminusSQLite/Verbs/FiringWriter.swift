import FoundationEssentials
import TminusCore
import TminusStorage

/// Writes firings with their deliveries, and claims deliveries while writing them if there is capacity. So claimed
/// deliveries are not read again, and each row is written once.
final class FiringWriter {
    /// A delivery to be written.
    private struct Row {
        let number: Int64
        let firing: Firing
        /// The number of the firing's row.
        let firingNumber: Int64
        let target: Firing.Target
        let turn: Overlap.Turn
        let next: Timestamp
        /// The token of the claim; nil if it is not claimed.
        let token: String?
    }

    private let transaction: Transaction
    private let claims: ClaimWriter?
    private let now: Timestamp
    private let insertFirings: GroupedStatement
    private let insertDeliveries: GroupedStatement
    private let head: QuickStatement
    private var lastNumber: Int64
    /// The rows that are not written yet; fewer than a group.
    private var rows: [Row] = []

    /// A writer for one transaction. Without `claims` it claims nothing.
    init(_ transaction: Transaction, claims: ClaimWriter? = nil, now: Timestamp) throws {
        self.transaction = transaction
        self.claims = claims
        self.now = now
        insertFirings = try GroupedStatement(FiringStatements.insert, transaction)
        insertDeliveries = try GroupedStatement(DeliveryStatements.insert, transaction)
        head = try QuickStatement(DeliveryStatements.head, transaction)
        lastNumber = try transaction.lastNumber(DeliveryStatements.lastNumber)
    }

    /// Writes firings. A firing that is already written stays as it is.
    func write(_ firings: [Firing], _ endings: inout Endings) throws {
        var last = try transaction.lastNumber(FiringStatements.lastID)
        for group in firings.indices.groups {
            let changed = try insertFirings.run(group) { row, statement, before in
                let firing = firings[row]
                statement.bind(
                    after: before, last + 1 + Int64(row - group.lowerBound), firing.definition.rawValue,
                    firing.occurrence, firing.action.rawValue, firing.action.kind.rawValue, firing.due,
                    try PayloadText.encode(firing.payload), try Self.text(of: firing.onFailure), now)
            }
            for row in group {
                // If a part of a group already existed, SQLite does not report which.
                let number =
                    changed == group.count
                    ? last + 1 + Int64(row - group.lowerBound) : try transaction.number(of: firings[row])
                for target in firings[row].targets { try write(firings[row], number, to: target, &endings) }
            }
            last += Int64(group.count)
        }
        try flush(&endings)
    }

    /// The keys of the sinks to notify of a failure, as JSON; nil if there are none.
    private static func text(of keys: [SinkKey]) throws -> String? {
        keys.isEmpty ? nil : String(decoding: try JSONEncoder().encode(keys.map(\.rawValue)), as: UTF8.self)
    }

    private func write(
        _ firing: Firing, _ number: Int64, to target: Firing.Target, _ endings: inout Endings
    ) throws {
        let turn = try turn(of: firing, target, &endings)
        // A delivery waits from its due instant on, so that the longest overdue one goes first. A missed one has its
        // own slot.
        let next = firing.notBefore ?? min(firing.due, now)
        lastNumber += 1
        // A later firing of this commit may skip or replace a delivery only while the delivery is not claimed.
        let isClaimable = turn == .now && next <= now && (target.overlap == .queue || target.overlap == .allow)
        let token = isClaimable ? try claims?.reserve(lastNumber, of: number, to: target.sink) : nil
        rows.append(
            Row(
                number: lastNumber, firing: firing, firingNumber: number, target: target, turn: turn, next: next,
                token: token))
        if rows.count == GroupedText.size { try flush(&endings) }
    }

    private func turn(
        of firing: Firing, _ target: Firing.Target, _ endings: inout Endings
    ) throws -> Overlap.Turn {
        guard target.overlap != .allow else { return .now }
        let isNext = rows.contains {
            $0.firing.definition == firing.definition && $0.target.sink == target.sink
        }
        if isNext { try flush(&endings) }
        head.bind(target.sink.rawValue, firing.definition.rawValue)
        let first = try head.first { row in
            Overlap.Head(occurrence: try row.instant(0), claimedUntil: try row.optionalInstant(1))
        }
        return target.overlap.turn(
            behind: first, occurrence: firing.occurrence, isCatchUp: firing.payload.isCatchUp, now: now)
    }

    /// Writes the remaining rows, and handles the consequences of those that did not exist yet.
    private func flush(_ endings: inout Endings) throws {
        guard !rows.isEmpty else { return }
        let changed = try insertDeliveries.run(rows.indices) { row, statement, before in
            bind(rows[row], statement, before)
        }
        for row in rows {
            guard try changed == rows.count || isWritten(row) else {
                if row.token != nil { claims?.giveBack(row.target.sink) }
                continue
            }
            switch row.turn {
            case .now: if let token = row.token { claims?.claimed(row.firing, to: row.target, token) }
            case .behind: break
            case .skipped: endings.firings.append(row.firingNumber)
            case .instead:
                try transaction.replace(row.firing, to: row.target.sink, now: now, &endings)
            }
        }
        rows.removeAll(keepingCapacity: true)
    }

    private func isWritten(_ row: Row) throws -> Bool {
        try transaction.number(DeliveryStatements.isWritten, row.number, row.target.delivery.rawValue) != nil
    }

    private func bind(_ row: Row, _ statement: QuickStatement, _ before: CInt) {
        let (firing, target, isClaimed) = (row.firing, row.target, row.token != nil)
        let state: DeliveryState =
            switch row.turn {
            case .now: isClaimed ? .claimed : .pending
            case .behind, .instead: .queued
            case .skipped: .skipped
            }
        statement.bind(
            after: before, row.number, target.delivery.rawValue, row.firingNumber, firing.definition.rawValue,
            firing.occurrence, target.sink.rawValue, state.rawValue, target.overlap.rawValue, isClaimed ? 1 : 0, now,
            firing.expires, state.isOpen ? row.next : nil, isClaimed ? now : nil, row.token,
            isClaimed ? claims?.request.owner : nil, isClaimed ? claims?.request.until : nil,
            state == .skipped ? Overlap.skippedReason : nil, state.isOpen ? nil : now)
    }
}

extension Transaction {
    /// The number of a firing that is already written.
    fileprivate func number(of firing: Firing) throws -> Int64 {
        let definition = firing.definition.rawValue
        let found = try number(FiringStatements.find, definition, firing.occurrence, firing.action.rawValue)
        guard let found else { throw UnreadableRow(what: "the firing of '\(definition)'") }
        return found
    }

    /// Ends the waiting deliveries of other occurrences in favour of a firing.
    fileprivate func replace(
        _ firing: Firing, to sink: SinkKey, now: Timestamp, _ endings: inout Endings
    ) throws {
        let definition = firing.definition.rawValue
        var waiting: [(number: Int64, firing: Int64)] = []
        try forEach(DeliveryStatements.replaceable, sink.rawValue, definition, firing.occurrence) { row in
            waiting.append((try row.number(0), try row.number(1)))
        }
        for delivery in waiting {
            _ = try endWaiting(delivery.number, as: .skipped, Overlap.replacedReason, at: now)
            endings.firings.append(delivery.firing)
        }
        endings.chains.insert(Chain(definition: definition, sink: sink.rawValue))
    }
}
