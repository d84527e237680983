import GRDB
import TminusCore

extension Transaction {
    /// Ends claims that are still held, and finds the expiries of which nothing is open any more.
    func settle(_ settlements: [Settlement], now: Timestamp) throws -> [EndedExpiry] {
        var touched: [Int64] = []
        var seen: Set<Int64> = []
        for settlement in settlements where try settle(settlement, now: now) {
            let firing = try value(Int64.self, DeliveryStatements.firing, [settlement.id.rawValue])
            if let firing, seen.insert(firing).inserted { touched.append(firing) }
        }
        var ended: [EndedExpiry] = []
        for firing in touched {
            try forEach(FiringStatements.endedExpiry, [firing]) { row in
                // Nobody waits for a definition that cannot be.
                guard let id = DefinitionID(try row.value(0)) else { return }
                ended.append(EndedExpiry(definition: id, occurrence: try row.instant(1)))
            }
        }
        return ended
    }

    /// Gives claims back and says how many.
    func release(_ which: ClaimRelease, owner: String, now: Timestamp) throws -> Int {
        switch which {
        case .expired: try run(DeliveryStatements.releaseExpired, [owner, now.nanoseconds])
        case .ofFormerOwners: try run(DeliveryStatements.releaseOthers, [owner])
        }
    }

    /// Whether this ended the delivery itself, not only the attempt.
    private func settle(_ settlement: Settlement, now: Timestamp) throws -> Bool {
        let (id, token) = (settlement.id.rawValue, settlement.token)
        switch settlement.outcome {
        case .delivered:
            return try run(
                DeliveryStatements.settle, [DeliveryState.delivered.rawValue, nil, now.nanoseconds, id, token]) > 0
        case .dead(let reason):
            return try run(
                DeliveryStatements.settle, [DeliveryState.dead.rawValue, reason, now.nanoseconds, id, token]) > 0
        case .retry(let next, let reason):
            try run(DeliveryStatements.postpone, [reason, next.nanoseconds, id, token])
            return false
        }
    }
}
