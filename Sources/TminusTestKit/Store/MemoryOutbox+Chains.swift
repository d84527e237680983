import TminusCore

/// The open deliveries of one definition to one sink form a chain: the first runs, the others are queued. A delivery with overlap
/// `allow` belongs to no chain.
extension MemoryOutbox {
    func chain(of delivery: Delivery) -> [MemoryDelivery] {
        openDeliveries(of: delivery.definition).filter { $0.sink == delivery.sink && $0.overlap != .allow }
    }

    /// Writes a firing and those of its deliveries that are not there yet.
    mutating func write(_ firing: Firing, now: Timestamp) {
        var row = firings[firing.definition]?[firing.place] ?? (firing, now)
        for target in firing.targets where deliveries[target.delivery] == nil {
            if !row.firing.targets.contains(target) { row.firing.targets.append(target) }
            var delivery = Delivery(row.firing, to: target)
            delivery.attempt = 0
            delivery.claim = Delivery.Claim(
                tries: 0, since: now, expires: firing.expires, overlap: target.overlap, onFailure: row.firing.onFailure)
            written += 1
            let first = firing.notBefore ?? min(firing.due, now)
            enter(.init(firing: row.firing, nextAttempt: first, delivery: delivery, number: written, created: now))
        }
        firings[firing.definition, default: [:]][firing.place] = row
    }

    /// Gives a new delivery its place in its chain.
    private mutating func enter(_ new: MemoryDelivery) {
        let (delivery, occurrence, now) = (new.delivery, new.delivery.occurrence, new.created)
        let chain = chain(of: delivery)
        let head = chain.first.map { Overlap.Head(occurrence: $0.delivery.occurrence, claimedUntil: $0.claimedUntil) }
        deliveries[new.id] = new
        open[delivery.definition, default: []].insert(new.id)
        switch new.overlap.turn(behind: head, occurrence: occurrence, isCatchUp: delivery.payload.isCatchUp, now: now) {
        case .now: deliveries[new.id]?.state = .pending
        case .behind: break
        case .skipped: end(new.id, .skipped, Overlap.skippedReason, at: now)
        case .instead:
            for other in chain where other.state != .claimed && other.delivery.occurrence != occurrence {
                end(other.id, .skipped, Overlap.replacedReason, at: now)
            }
        }
    }

    /// Ends a delivery, and gives the next of its chain its turn.
    mutating func end(_ id: DeliveryID, _ state: DeliveryState, _ reason: String?, at instant: Timestamp) {
        guard var row = deliveries[id] else { return }
        (row.state, row.reason, row.settled) = (state, reason, instant)
        (row.owner, row.claimedUntil, row.withdrawn) = (nil, nil, nil)
        deliveries[id] = row
        open[row.delivery.definition]?.remove(id)
        if let expiry = row.expiry, !touched.contains(expiry) { touched.append(expiry) }
        promote(chain(of: row.delivery))
    }

    /// Gives the first of a chain its turn if nothing before it is left.
    mutating func promote(_ chain: [MemoryDelivery]) {
        if let next = chain.first, chain.allSatisfy({ $0.state == .queued }) { deliveries[next.id]?.state = .pending }
    }

    /// Skips what is withdrawn. What is claimed may end and is not repeated; returns the tokens of those that `owner` holds.
    mutating func withdraw(_ withdrawal: Withdrawal, owner: String?, now: Timestamp) -> [String] {
        var tokens: [String] = []
        for row in openDeliveries(of: withdrawal.definition) {
            guard let reason = row.reason(toWithdraw: withdrawal) else { continue }
            if row.state == .claimed {
                deliveries[row.id]?.withdrawn = row.withdrawn ?? reason
                if row.owner == owner { tokens.append(row.delivery.claim.token) }
            } else {
                end(row.id, .skipped, reason, at: now)
            }
        }
        return tokens
    }
}
