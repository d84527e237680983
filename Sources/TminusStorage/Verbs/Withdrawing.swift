import TminusCore

extension Transaction {
    /// Ends the waiting deliveries that withdrawals cover, marks the claimed ones, and returns the tokens of the marked
    /// ones that `owner` holds.
    ///
    /// It reads the open deliveries of each definition once, and writes each covered one once.
    func withdraw(
        _ withdrawals: [Withdrawal], owner: String?, now: Timestamp, _ endings: inout Endings
    ) throws -> [String] {
        guard !withdrawals.isEmpty, try number(DeliveryStatements.hasOpen) != nil else { return [] }
        var tokens: [String] = []
        for delivery in try covered(by: withdrawals) {
            guard let claim = delivery.claim else {
                guard try endWaiting(delivery.number, as: .skipped, delivery.reason, at: now) else { continue }
                endings.firings.append(delivery.firing)
                endings.chains.insert(delivery.chain)
                continue
            }
            try post(DeliveryStatements.withdraw, delivery.reason, delivery.number)
            if claim.owner == owner { tokens.append(claim.token) }
        }
        return tokens
    }

    /// The open deliveries that withdrawals cover, each once, in the order in which they were written.
    private func covered(by withdrawals: [Withdrawal]) throws -> [CoveredDelivery] {
        var covered: [Int64: CoveredDelivery] = [:]
        for withdrawal in withdrawals {
            func take(_ row: StoredRow) throws {
                // An action of an unknown kind is dead when it is claimed.
                guard let kind = FiringAction.Kind(rawValue: try row.text(7)), case let number = try row.number(0),
                    covered[number] == nil,
                    let reason = withdrawal.reason(
                        for: kind, isTest: try row.number(8) == 1, occurrence: try row.instant(6))
                else { return }
                covered[number] = try CoveredDelivery(number, row, reason)
            }
            if let definition = withdrawal.definition {
                try forEach(DeliveryStatements.openOfDefinition, definition.rawValue, body: take)
            } else {
                try forEach(DeliveryStatements.allOpen, body: take)
            }
        }
        return covered.values.sorted { $0.number < $1.number }
    }
}

/// An open delivery to be withdrawn.
private struct CoveredDelivery {
    let number: Int64
    let firing: Int64
    let chain: Chain
    /// The claim; nil if it is not claimed.
    let claim: (owner: String, token: String)?
    let reason: String

    init(_ number: Int64, _ row: StoredRow, _ reason: String) throws {
        self.number = number
        firing = try row.number(1)
        chain = Chain(definition: try row.text(2), sink: try row.text(3))
        claim = try row.optionalText(4).map { ($0, try row.text(5)) }
        self.reason = reason
    }
}
