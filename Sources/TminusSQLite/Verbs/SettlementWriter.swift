import GRDB
import TminusCore

/// Ends claims that are still held, in one transaction.
struct SettlementWriter {
    private let transaction: Transaction
    /// Whether a delivery may wait for the end of another.
    private let promotes: Bool
    private let claimed: QuickStatement
    private let settle: QuickStatement

    /// A writer for this transaction.
    init(_ transaction: Transaction, promotes: Bool) throws {
        self.transaction = transaction
        self.promotes = promotes
        claimed = try QuickStatement(DeliveryStatements.claimed, transaction)
        settle = try QuickStatement(DeliveryStatements.settleHeld, transaction)
    }

    /// Records one end, and adds to `touched` the firings of which it ended a delivery.
    func write(_ prepared: PreparedSettlement, now: Timestamp, touched: inout [Int64]) throws {
        let settlement = prepared.settlement
        guard let (firing, number, id) = prepared.claim else { return }
        let ended = settlement.ended ?? now
        let untried = settlement.report == nil ? 1 : 0
        // Most ends need nothing to be known of the claim but that it is held.
        var claim: Claim?
        if promotes || settlement.outcome.isRetry || !prepared.firings.isEmpty {
            claimed.bind(1, number)
            claimed.bind(2, id)
            claimed.bind(3, settlement.token)
            claim = try claimed.first { try Claim($0) }
            guard claim != nil else { return }
        }
        if !prepared.firings.isEmpty {
            try FiringWriter(transaction).write(prepared.firings, now: now, touched: &touched)
        }
        if let claim, case .retry(let next, let reason) = settlement.outcome {
            if untried == 0 {
                try transaction.record(
                    number, claim.attempt, started: claim.started, ended: ended, .retry, reason, prepared.report)
            }
            try transaction.run(DeliveryStatements.postpone, [reason, next.nanoseconds, untried, number])
            return
        }
        let (state, reason) = settlement.outcome.end
        settle.bind(1, state.rawValue)
        settle.bind(2, reason)
        settle.bind(3, prepared.report)
        settle.bind(4, ended.nanoseconds)
        settle.bind(5, Int64(untried))
        settle.bind(6, number)
        settle.bind(7, id)
        settle.bind(8, settlement.token)
        guard try settle.run() > 0 else { return }
        if promotes, let claim { try transaction.run(DeliveryStatements.promote, [claim.sink, claim.definition]) }
        touched.append(firing)
    }
}

/// A claimed delivery, as far as its end is concerned.
private struct Claim {
    var sink: String
    var definition: String
    var attempt: Int
    var started: Int64?

    init(_ row: QuickRow) throws {
        sink = try row.text(0)
        definition = try row.text(1)
        attempt = try row.count(2)
        started = try row.optionalNumber(3)
    }
}

extension Outcome {
    fileprivate var isRetry: Bool { if case .retry = self { true } else { false } }

    /// The state of a delivery that ended so, and why. A retry is no end.
    fileprivate var end: (state: DeliveryState, reason: String?) {
        switch self {
        case .delivered: (.delivered, nil)
        case .dead(let reason), .retry(_, let reason): (.dead, reason)
        case .expired(let reason): (.expired, reason)
        case .skipped(let reason): (.skipped, reason)
        }
    }
}
