internal import TminusCore

/// Ends of deliveries that are not in the store yet, in order.
struct Unsettled: Sendable {
    private var settlements: [Settlement] = []
    /// Those of them that will be tried again, and how far the clock had been set when that was decided.
    private var retries: [(index: Int, setBy: Duration)] = []

    /// How many there are.
    var count: Int { settlements.count }
    /// Whether there is none.
    var isEmpty: Bool { settlements.isEmpty }

    /// Adds one, which was decided with the clock set so far.
    mutating func append(_ settlement: Settlement, setBy: Duration) {
        if case .retry = settlement.outcome { retries.append((settlements.count, setBy)) }
        settlements.append(settlement)
    }

    /// Adds others behind these.
    mutating func append(_ others: Unsettled) {
        if isEmpty {
            // The array itself.
            self = others
        } else {
            retries += others.retries.map { (settlements.count + $0.index, $0.setBy) }
            settlements += others.settlements
        }
    }

    /// What is to be recorded, with the instants of retries in accord with a clock that may have been set since.
    func settlements(at reading: ClockReading) -> [Settlement] {
        var settlements = settlements
        for (index, setBy) in retries where setBy != reading.setBy {
            guard case .retry(let next, let reason) = settlements[index].outcome else { continue }
            settlements[index].outcome = .retry(at: next.advanced(by: reading.setBy - setBy), reason: reason)
        }
        return settlements
    }
}

extension Settlement {
    /// That a claimed delivery has come to an end, or will be tried again; without a report it was not tried.
    ///
    /// Whoever is to be told that a delivery was given up is told by the same transaction that records it.
    init(of claimed: ClaimedDelivery, _ outcome: Outcome, report: DeliveryReport? = nil, at reading: ClockReading) {
        var firings: [Firing] = []
        switch outcome {
        case .delivered, .skipped, .retry: break
        case .dead(let reason), .expired(let reason):
            let attempts = report == nil ? claimed.attempt - 1 : claimed.attempt
            if let firing = Firing.failure(of: claimed, reason: reason, attempts: attempts, now: reading.now) {
                firings = [firing]
            }
        }
        self.init(
            token: claimed.token, id: claimed.id, outcome: outcome, report: report, ended: reading.now,
            firings: firings)
    }
}
