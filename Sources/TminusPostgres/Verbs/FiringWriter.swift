import FoundationEssentials
import TminusCore
import TminusStorage

/// Writes firings with their deliveries, and claims deliveries while writing them if there is capacity. So claimed
/// deliveries are not read again, and each row is written once.
///
/// Each kind of row takes one trip for all firings. Deliveries of one chain that follow one another take one each, because
/// the turn of each depends on the one before.
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

    /// A delivery whose turn is not known yet.
    private struct Draft {
        let firing: Firing
        let firingNumber: Int64
        let target: Firing.Target

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
        let last = try transaction.lastNumber(FiringStatements.lastID)
        let numbers = (last + 1)...
        let rows = try zip(numbers, firings).map { number, firing in
            values(
                number, firing.definition.rawValue, firing.occurrence, firing.action.rawValue,
                firing.action.kind.rawValue, firing.due, try PayloadText.encode(firing.payload),
                try Self.text(of: firing.onFailure), now)
        }
        let written = try transaction.answers(FiringStatements.insert, rows).map { $0.changed > 0 }
        var drafts: [Draft] = []
        var chains: Set<Chain> = []
        for ((fresh, firing), isWritten) in zip(zip(numbers, firings), written) {
            let number = isWritten ? fresh : try transaction.number(of: firing)
            for target in firing.targets {
                let draft = Draft(firing: firing, firingNumber: number, target: target)
                if target.overlap != .allow, !chains.insert(draft.chain).inserted {
                    try write(drafts, &endings)
                    drafts.removeAll()
                    chains = [draft.chain]
                }
                drafts.append(draft)
            }
        }
        try write(drafts, &endings)
    }

    /// The keys of the sinks to notify of a failure, as JSON; nil if there are none.
    private static func text(of keys: [SinkKey]) throws -> String? {
        keys.isEmpty ? nil : String(decoding: try JSONEncoder().encode(keys.map(\.rawValue)), as: UTF8.self)
    }

    /// Writes deliveries that are all in different chains, and handles the consequences of those that did not exist yet.
    private func write(_ drafts: [Draft], _ endings: inout Endings) throws {
        let heads = try heads(of: drafts)
        let rows = try drafts.map { try row($0, behind: heads[$0.chain]) }
        let answers = try transaction.answers(DeliveryStatements.insert, rows.map(parameters))
        for (row, answer) in zip(rows, answers) {
            guard answer.changed > 0 else {
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
    }

    /// The first open delivery of each chain.
    private func heads(of drafts: [Draft]) throws -> [Chain: Overlap.Head] {
        let chains = drafts.filter { $0.target.overlap != .allow }.map(\.chain)
        let answers = try transaction.answers(DeliveryStatements.head, chains.map { values($0.sink, $0.definition) })
        var heads: [Chain: Overlap.Head] = [:]
        for (chain, answer) in zip(chains, answers) {
            for row in answer.rows {
                heads[chain] = Overlap.Head(
                    occurrence: try row.instant(0), claimedUntil: try row.optionalInstant(1))
            }
        }
        return heads
    }

    private func row(_ draft: Draft, behind head: Overlap.Head?) throws -> Row {
        let (firing, target) = (draft.firing, draft.target)
        let turn: Overlap.Turn =
            target.overlap == .allow
            ? .now
            : target.overlap.turn(
                behind: head, occurrence: firing.occurrence, isCatchUp: firing.payload.isCatchUp, now: now)
        // A delivery waits from its due instant on, so that the longest overdue one goes first. A missed one has its
        // own slot.
        let next = firing.notBefore ?? min(firing.due, now)
        lastNumber += 1
        // A later firing of this commit may skip or replace a delivery only while the delivery is not claimed.
        let isClaimable = turn == .now && next <= now && (target.overlap == .queue || target.overlap == .allow)
        let token = isClaimable ? try claims?.reserve(lastNumber, of: draft.firingNumber, to: target.sink) : nil
        return Row(
            number: lastNumber, firing: firing, firingNumber: draft.firingNumber, target: target, turn: turn,
            next: next, token: token)
    }

    private func parameters(_ row: Row) -> [Value] {
        let (firing, target, isClaimed) = (row.firing, row.target, row.token != nil)
        let state: DeliveryState =
            switch row.turn {
            case .now: isClaimed ? .claimed : .pending
            case .behind, .instead: .queued
            case .skipped: .skipped
            }
        return values(
            row.number, target.delivery.rawValue, row.firingNumber, firing.definition.rawValue, firing.occurrence,
            target.sink.rawValue, state.rawValue, target.overlap.rawValue, isClaimed ? 1 : 0, now, firing.expires,
            state.isOpen ? row.next : nil, isClaimed ? now : nil, row.token,
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
