import TminusCore
import TminusStorage

extension Transaction {
    /// Ends the held claims that a commit settles, and writes the firings that result.
    func settle(_ settlements: [Settlement], now: Timestamp, _ endings: inout Endings) throws {
        guard !settlements.isEmpty else { return }
        let writer = try SettlementWriter(self, now: now)
        var firings: [Firing] = []
        for settlement in settlements where try writer.write(settlement, &endings) { firings += settlement.firings }
        if !firings.isEmpty { try FiringWriter(self, now: now).write(firings, &endings) }
    }
}

/// Ends claims that are still held.
private struct SettlementWriter {
    private let transaction: Transaction
    private let now: Timestamp
    /// Whether a delivery may be queued behind another.
    private let promotes: Bool
    private let held: QuickStatement
    private let settle: QuickStatement

    init(_ transaction: Transaction, now: Timestamp) throws {
        self.transaction = transaction
        self.now = now
        promotes = try transaction.hasQueued()
        held = try QuickStatement(DeliveryStatements.held, transaction)
        settle = try QuickStatement(DeliveryStatements.settle, transaction)
    }

    /// Records one outcome. Returns whether the claim was held.
    func write(_ settlement: Settlement, _ endings: inout Endings) throws -> Bool {
        // A token of another store names no rows.
        guard let (firing, number) = ClaimTokens.numbers(of: settlement.token) else { return false }
        let report = settlement.report.flatMap(ReportText.encode)
        let ended = settlement.ended ?? now
        let untried = settlement.report == nil
        let (state, reason) = settlement.outcome.end
        if case .retry(let next, let why) = settlement.outcome {
            guard let claim = try claim(settlement, number) else { return false }
            if !untried {
                try transaction.record(
                    number, claim.attempt, started: claim.started, ended: ended, .retry, why, report)
            }
            try transaction.run(DeliveryStatements.postpone, why, next, untried ? 1 : 0, number)
            if let reason = claim.withdrawn {
                _ = try transaction.endWaiting(number, as: .skipped, reason, at: ended)
                endings.firings.append(firing)
                endings.chains.insert(claim.chain)
            }
            return true
        }
        // For most outcomes it is enough to know that the claim is held.
        let chain = promotes ? try claim(settlement, number)?.chain : nil
        settle.bind(
            state.rawValue, reason, report, ended, untried ? 1 : 0, number, settlement.id.rawValue, settlement.token)
        guard try settle.run() > 0 else { return false }
        endings.firings.append(firing)
        if let chain { endings.chains.insert(chain) }
        return true
    }

    /// The data of a claim for the steps after its end; nil if it is not held.
    private func claim(
        _ settlement: Settlement, _ number: Int64
    ) throws -> (chain: Chain, attempt: Int, started: Timestamp?, withdrawn: String?)? {
        held.bind(number, settlement.id.rawValue, settlement.token)
        return try held.first { row in
            (
                Chain(definition: try row.text(0), sink: try row.text(1)), try row.count(2),
                try row.optionalInstant(3), try row.optionalText(4)
            )
        }
    }
}

extension Transaction {
    /// Records an attempt, and removes the oldest one if there are too many.
    func record(
        _ delivery: Int64, _ number: Int, started: Timestamp?, ended: Timestamp, _ outcome: AttemptRecord.Outcome,
        _ reason: String?, _ report: String?
    ) throws {
        try run(
            AttemptStatements.insert, delivery, number, started ?? ended, ended, outcome.rawValue, reason, report)
        if number > DeliveryRecord.keptAttempts {
            try run(AttemptStatements.trim, delivery, number - DeliveryRecord.keptAttempts)
        }
    }

    /// Moves the instants that deliveries wait for by a step of the clock.
    func shiftWaits(by step: Duration, now: Timestamp) throws {
        try run(DeliveryStatements.shiftWaits, step.nanoseconds)
        if step < .zero { try run(DeliveryStatements.endFirstWaits, now) }
    }

    /// Releases deliveries that were written at an instant after `now`.
    func releaseFutureWaits(now: Timestamp) throws {
        try run(DeliveryStatements.endWaitsFromTheFuture, now)
    }
}
