import FoundationEssentials
import TminusCore

/// Writes firings with their deliveries, and claims deliveries while writing them if there is capacity. So claimed
/// deliveries are not read again, and each row is written once.
///
/// All rows of a kind are written together. Deliveries of one chain that follow one another are not, because the turn of each
/// depends on the one before.
final class FiringWriter {
    /// A delivery to be written.
    private struct Row {
        let firing: Firing
        /// The number of the firing's row.
        let firingNumber: Int64
        let target: Firing.Target
        let next: Timestamp
        var number: Int64 = 0
        var turn = Overlap.Turn.now
        /// The token of the claim; nil if it is not claimed.
        var token: String?

        var chain: Chain { Chain(definition: firing.definition.rawValue, sink: target.sink.rawValue) }
    }

    private let transaction: Transaction
    private let claims: ClaimWriter?
    private let now: Timestamp
    private var lastNumber: Int64

    /// A writer for one transaction. Without `claims` it claims nothing.
    init(_ transaction: Transaction, claims: ClaimWriter? = nil, now: Timestamp) throws {
        self.transaction = transaction
        self.claims = claims
        self.now = now
        lastNumber = try transaction.lastNumber(DeliveryStatements.lastNumber)
    }

    /// Writes firings. A firing that is already written stays as it is.
    func write(_ firings: [Firing], _ endings: inout Endings) throws {
        let first = try transaction.lastNumber(FiringStatements.lastID) + 1
        var numbers = firings.indices.map { first + Int64(clamping: $0) }
        let lists = try zip(numbers, firings).map { number, firing in
            [
                Parameter.number(number), .text(firing.definition.rawValue), .instant(firing.occurrence),
                .text(firing.action.rawValue), .text(firing.action.kind.rawValue), .instant(firing.due),
                .text(try PayloadText.encode(firing.payload)), .text(try Self.text(of: firing.onFailure)),
                .instant(now),
            ]
        }
        // Which of them already existed is not reported.
        let isComplete = try transaction.runner.write(FiringStatements.insert, lists) == firings.count
        if !isComplete { numbers = try transaction.numbers(of: firings) }
        var rows: [Row] = []
        var chains: Set<Chain> = []
        for (number, firing) in zip(numbers, firings) {
            // A delivery waits from its due instant on, so that the longest overdue one goes first. A missed one has its
            // own slot.
            let next = firing.notBefore ?? min(firing.due, now)
            for target in firing.targets {
                let row = Row(firing: firing, firingNumber: number, target: target, next: next)
                if target.overlap != .allow, !chains.insert(row.chain).inserted {
                    try write(&rows, &endings)
                    chains = [row.chain]
                }
                rows.append(row)
            }
        }
        try write(&rows, &endings)
    }

    /// The keys of the sinks to notify of a failure, as JSON; nil if there are none.
    private static func text(of keys: [SinkKey]) throws -> String? {
        keys.isEmpty ? nil : String(decoding: try JSONEncoder().encode(keys.map(\.rawValue)), as: UTF8.self)
    }

    /// Writes deliveries that are all in different chains, and handles the consequences of those that did not exist yet. Takes
    /// them out of `rows`.
    private func write(_ rows: inout [Row], _ endings: inout Endings) throws {
        let heads = try heads(of: rows)
        for index in rows.indices { try place(&rows[index], behind: heads[index]) }
        let isComplete = try transaction.runner.write(DeliveryStatements.insert, rows.map(values)) == rows.count
        let written = isComplete ? nil : try written(rows)
        for (index, row) in rows.enumerated() {
            if let written, !written.contains(index) {
                if row.token != nil { claims?.giveBack(row.target.sink) }
                continue
            }
            switch row.turn {
            case .now: if let token = row.token { claims?.claimed(row.firing, to: row.target, token) }
            case .behind: break
            case .skipped: endings.firings.append(row.firingNumber)
            case .instead: try transaction.replace(row.firing, to: row.target.sink, now: now, &endings)
            }
        }
        rows.removeAll(keepingCapacity: true)
    }

    /// The first open delivery of the chain of each row.
    private func heads(of rows: [Row]) throws -> [Overlap.Head?] {
        var heads = [Overlap.Head?](repeating: nil, count: rows.count)
        let ordered = rows.indices.filter { rows[$0].target.overlap != .allow }
        let chains = ordered.map { index in
            [Parameter.text(rows[index].target.sink.rawValue), .text(rows[index].firing.definition.rawValue)]
        }
        try transaction.runner.forEach(DeliveryStatements.head, chains) { index, row in
            heads[ordered[index]] = Overlap.Head(
                occurrence: try row.instant(0), claimedUntil: try row.optionalInstant(1))
        }
        return heads
    }

    /// Decides on the turn of a delivery, gives it a number, and claims it if it can be.
    private func place(_ row: inout Row, behind head: Overlap.Head?) throws {
        let (firing, overlap) = (row.firing, row.target.overlap)
        if overlap != .allow {
            row.turn = overlap.turn(
                behind: head, occurrence: firing.occurrence, isCatchUp: firing.payload.isCatchUp, now: now)
        }
        lastNumber += 1
        row.number = lastNumber
        // A later firing of this commit may skip or replace a delivery only while the delivery is not claimed.
        guard row.turn == .now, row.next <= now, overlap == .queue || overlap == .allow else { return }
        row.token = try claims?.reserve(lastNumber, of: row.firingNumber, to: row.target.sink)
    }

    /// The indexes of the rows that are in the store.
    private func written(_ rows: [Row]) throws -> Set<Int> {
        var written: Set<Int> = []
        let keys = rows.map { parameters($0.number, $0.target.delivery.rawValue) }
        try transaction.runner.forEach(DeliveryStatements.isWritten, keys) { index, _ in written.insert(index) }
        return written
    }

    private func values(_ row: Row) -> [Parameter] {
        let (target, isClaimed) = (row.target, row.token != nil)
        let state: DeliveryState =
            switch row.turn {
            case .now: isClaimed ? .claimed : .pending
            case .behind, .instead: .queued
            case .skipped: .skipped
            }
        return [
            .number(row.number), .text(target.delivery.rawValue), .number(row.firingNumber),
            .text(row.firing.definition.rawValue), .instant(row.firing.occurrence), .text(target.sink.rawValue),
            .text(state.rawValue), .text(target.overlap.rawValue), .number(isClaimed ? 1 : 0), .instant(now),
            .instant(row.firing.expires), .instant(state.isOpen ? row.next : nil), .instant(isClaimed ? now : nil),
            .text(row.token), .text(isClaimed ? claims?.request.owner : nil),
            .instant(isClaimed ? claims?.request.until : nil),
            .text(state == .skipped ? Overlap.skippedReason : nil), .instant(state.isOpen ? nil : now),
        ]
    }
}

extension Transaction {
    /// The numbers of firings that are written.
    fileprivate func numbers(of firings: [Firing]) throws -> [Int64] {
        var numbers: [Int64] = []
        let keys = firings.map { parameters($0.definition.rawValue, $0.occurrence, $0.action.rawValue) }
        try runner.forEach(FiringStatements.find, keys) { _, row in numbers.append(try row.number(0)) }
        guard numbers.count == firings.count else { throw UnreadableRow(what: "a firing") }
        return numbers
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
