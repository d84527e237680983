/// The requests that wait for outcomes of deliveries, each with its deadline.
struct FireWaits: Sendable {
    /// An answer to give: the outcomes that are known by now.
    typealias Answer = (ticket: UInt64, outcomes: [DeliveryID: Outcome])

    private struct Wait: Sendable {
        var open: Set<DeliveryID>
        var outcomes: [DeliveryID: Outcome] = [:]
        /// In steady time.
        var until: Timestamp
    }

    private var waits: [UInt64: Wait] = [:]

    /// When the first wait ends without an outcome, in steady time; nil: nobody waits.
    var deadline: Timestamp? { waits.values.map(\.until).min() }

    /// Waits for the outcomes of these deliveries, until an instant in steady time.
    mutating func wait(_ ticket: UInt64, for ids: [DeliveryID], until: Timestamp) {
        waits[ticket] = Wait(open: Set(ids), until: until)
    }

    /// Records settlements. Returns the waits that are over by them.
    mutating func settled(_ settlements: [Settlement]) -> [Answer] {
        guard !waits.isEmpty else { return [] }
        // A delivery that went back to the store without an attempt has had no outcome yet.
        for settlement in settlements where settlement.report != nil || !settlement.outcome.isRetry {
            record(settlement.outcome, of: settlement.id)
        }
        return take { $0.open.isEmpty }
    }

    /// Records outcomes on other machines. Returns the waits that are over by them.
    mutating func ended(_ outcomes: [DeliveryID: Outcome]) -> [Answer] {
        guard !waits.isEmpty else { return [] }
        for (id, outcome) in outcomes { record(outcome, of: id) }
        return take { $0.open.isEmpty }
    }

    /// Records that a person discarded deliveries. Returns the waits that are over by it.
    mutating func discarded(_ ids: Set<DeliveryID>) -> [Answer] {
        guard !waits.isEmpty else { return [] }
        for id in ids { record(.dead(reason: FixedReason.discarded.rawValue), of: id) }
        return take { $0.open.isEmpty }
    }

    /// Ends the waits that have lasted long enough.
    mutating func takeOverdue(at steady: Timestamp) -> [Answer] { take { $0.until <= steady } }

    /// Ends all waits.
    mutating func takeAll() -> [Answer] { take { _ in true } }

    private mutating func record(_ outcome: Outcome, of id: DeliveryID) {
        for ticket in waits.keys where waits[ticket]?.open.remove(id) != nil { waits[ticket]?.outcomes[id] = outcome }
    }

    private mutating func take(where isOver: (Wait) -> Bool) -> [Answer] {
        let over = waits.filter { isOver($0.value) }
        for ticket in over.keys { waits[ticket] = nil }
        return over.sorted { $0.key < $1.key }.map { ($0.key, $0.value.outcomes) }
    }
}
