import TminusCore

extension Transaction {
    /// Ends the held claims that a commit settles, and writes the firings that result.
    func settle(_ settlements: [Settlement], now: Timestamp, _ endings: inout Endings) throws {
        guard !settlements.isEmpty else { return }
        let held = try SettlementWriter(transaction: self, now: now).write(settlements, &endings)
        let firings = held.flatMap(\.firings)
        if !firings.isEmpty { try FiringWriter(self, now: now).write(firings, &endings) }
    }

    /// Records an attempt, and removes the oldest one if there are too many.
    func record(
        _ delivery: Int64, _ number: Int, started: Timestamp?, ended: Timestamp, _ outcome: AttemptRecord.Outcome,
        _ reason: String?, _ report: String?
    ) throws {
        try post(
            AttemptStatements.insert, delivery, number, started ?? ended, ended, outcome.rawValue, reason, report)
        if number > DeliveryRecord.keptAttempts {
            try post(AttemptStatements.trim, delivery, number - DeliveryRecord.keptAttempts)
        }
    }

    /// Moves the instants that deliveries wait for, and from which their retries count, by a step of the clock.
    func shiftWaits(by step: Duration, now: Timestamp) throws {
        try post(DeliveryStatements.shiftWaits, step.nanoseconds)
        if step < .zero { try post(DeliveryStatements.endFirstWaits, now) }
    }

    /// Releases deliveries that were written at an instant after `now`.
    func releaseFutureWaits(now: Timestamp) throws {
        try post(DeliveryStatements.endWaitsFromTheFuture, now)
    }
}

/// Ends claims that are still held: first those of deliveries that ended, together, then those that are attempted again.
private struct SettlementWriter {
    let transaction: Transaction
    let now: Timestamp

    /// Records outcomes. Returns the settlements whose claims were held.
    func write(_ settlements: [Settlement], _ endings: inout Endings) throws -> [Settlement] {
        var ends: [(settlement: Settlement, firing: Int64, values: [Parameter])] = []
        var retries: [(settlement: Settlement, number: Int64, firing: Int64, next: Timestamp, why: String)] = []
        for settlement in settlements {
            // A token of another store names no rows.
            guard let (firing, number) = ClaimTokens.numbers(of: settlement.token) else { continue }
            if case .retry(let next, let why) = settlement.outcome {
                retries.append((settlement, number, firing, next, why))
                continue
            }
            let (state, reason) = settlement.outcome.end
            let values: [Parameter] = [
                .text(state.rawValue), .text(reason), .text(settlement.report.flatMap(ReportText.encode)),
                .instant(settlement.ended ?? now), .number(settlement.report == nil ? 1 : 0), .number(number),
                .text(settlement.id.rawValue), .text(settlement.token),
            ]
            ends.append((settlement, firing, values))
        }
        // Usually no delivery is queued, and then it is enough to know that the claim is held.
        if !ends.isEmpty, try transaction.hasQueued() {
            // The number, the id and the token.
            let keys = ends.map { Array($0.values.suffix(3)) }
            try transaction.runner.forEach(DeliveryStatements.held, keys) { _, row in
                endings.chains.insert(Chain(definition: try row.text(0), sink: try row.text(1)))
            }
        }
        var held: [Settlement] = []
        for (end, changed) in zip(ends, try transaction.runner.changes(DeliveryStatements.settle, ends.map(\.values)))
        where changed > 0 {
            endings.firings.append(end.firing)
            held.append(end.settlement)
        }
        for retry in retries where try postpone(retry, &endings) { held.append(retry.settlement) }
        return held
    }

    /// Ends a claim whose delivery is attempted again, unless it was withdrawn. Returns whether the claim was held.
    private func postpone(
        _ retry: (settlement: Settlement, number: Int64, firing: Int64, next: Timestamp, why: String),
        _ endings: inout Endings
    ) throws -> Bool {
        let settlement = retry.settlement
        let claim = try transaction.first(
            DeliveryStatements.held, retry.number, settlement.id.rawValue, settlement.token
        ) { row in
            (
                chain: Chain(definition: try row.text(0), sink: try row.text(1)), attempt: try row.count(2),
                started: try row.optionalInstant(3), withdrawn: try row.optionalText(4)
            )
        }
        guard let claim else { return false }
        let (ended, untried) = (settlement.ended ?? now, settlement.report == nil)
        if !untried {
            try transaction.record(
                retry.number, claim.attempt, started: claim.started, ended: ended, .retry, retry.why,
                settlement.report.flatMap(ReportText.encode))
        }
        try transaction.post(DeliveryStatements.postpone, retry.why, retry.next, untried ? 1 : 0, retry.number)
        if let reason = claim.withdrawn {
            _ = try transaction.endWaiting(retry.number, as: .skipped, reason, at: ended)
            endings.firings.append(retry.firing)
            endings.chains.insert(claim.chain)
        }
        return true
    }
}
