import TminusCore

extension MemoryOutbox {
    mutating func claim(_ request: ClaimRequest, now: Timestamp) -> [ClaimedDelivery] {
        let owner = number(ofOwner: request.owner)
        let due = takeDue(request, now: now)
        var suspects = due.contains { deliveries[$0].isSuspect } ? sinksWithClaimedSuspects : []
        var claimed: [ClaimedDelivery] = []
        for number in due {
            if deliveries[number].isSuspect, !suspects.insert(chains[deliveries[number].chain].sink).inserted {
                line(up: number)
            } else {
                claimed.append(claim(number, owner, until: request.until, now: now))
            }
        }
        return claimed
    }

    private var sinksWithClaimedSuspects: Set<Int> {
        Set(
            deliveries.numbers.compactMap { number in
                let delivery = deliveries[number]
                return delivery.isSuspect && delivery.claim != nil ? chains[delivery.chain].sink : nil
            })
    }

    /// Takes what is due first out of the lines, within the room of each sink.
    private mutating func takeDue(_ request: ClaimRequest, now: Timestamp) -> [Int] {
        var found: [(sink: Int, turns: [DueLine.Turn])] = []
        for sink in sinks.all {
            let room = min(request.limit, request.room[sinks[sink].key] ?? request.otherRoom)
            guard room > 0 else { continue }
            let first = sinks[sink].line.first(room, upTo: now) { [deliveries] in
                $0 == deliveries.turn($0.delivery)
            }
            if !first.isEmpty { found.append((sink, first)) }
        }
        let all = found.count == 1 ? found[0].turns : found.flatMap(\.turns).sorted()
        let taken = all.prefix(max(0, request.limit))
        guard let last = taken.last else { return [] }
        for (sink, turns) in found {
            if let end = turns.last(where: { $0 <= last }) { sinks[sink].line.take(through: end) }
        }
        return taken.map(\.delivery)
    }

    private mutating func claim(
        _ number: Int, _ owner: Int, until end: Timestamp, now: Timestamp
    ) -> ClaimedDelivery {
        claims += 1
        let claim = DeliveryRow.Claim(number: claims, owner: owner, until: end)
        deliveries[number].begin(claim, at: now)
        let (firing, sink) = (deliveries[number].firing, chains[deliveries[number].chain].sink)
        return ClaimedDelivery(
            token: claim.token(of: number), of: firings[firing].firing, sink: sinks[sink].key,
            sinkRevision: sinks[sink].revision, attempt: deliveries[number].attempt, tries: deliveries[number].tries,
            created: deliveries[number].created, since: deliveries[number].since, expires: deliveries[number].expires,
            overlap: deliveries[number].overlap)
    }

    /// The number of who makes claims, mostly the only one.
    private mutating func number(ofOwner owner: String) -> Int {
        if let number = owners.firstIndex(of: owner) { return number }
        owners.append(owner)
        return owners.count - 1
    }

    mutating func settle(_ settlements: [Settlement], now: Timestamp) -> [EndedExpiry] {
        var touched: [Int] = []
        // A span lends its elements; an array, while something else changes, hands out copies.
        let settlements = settlements.span
        for index in settlements.indices {
            guard let (claim, number) = DeliveryRow.Claim.read(settlements[index].token), deliveries.isUsed(number),
                deliveries[number].claim?.number == claim, isNamed(number, settlements[index].id)
            else { continue }
            settle(number, settlements[index], now: now, &touched)
        }
        return ended(touched)
    }

    private mutating func settle(
        _ number: Int, _ settlement: Settlement, now: Timestamp, _ touched: inout [Int]
    ) {
        let (outcome, ended) = (settlement.outcome, settlement.ended ?? now)
        if settlement.report == nil {
            deliveries[number].attempt -= 1
            deliveries[number].tries -= 1
            deliveries[number].started = nil
        }
        // While this one still stands before them.
        write(settlement.firings, now: now, &touched)
        if case .retry(let next, let reason) = outcome {
            if let report = settlement.report {
                deliveries[number].keep(.retry, reason, report, at: ended)
                deliveries[number].interrupted = 0
            }
            deliveries[number].nextAttempt = next
            deliveries[number].reason = reason
            makePending(number)
        } else {
            end(number, outcome.state, outcome.reason, settlement.report, at: ended)
            touched.append(deliveries[number].firing)
        }
    }

    mutating func release(_ which: ClaimRelease, owner: String, now: Timestamp) -> ReleasedClaims {
        var released = ReleasedClaims()
        var setAside: [DeliveryID] = []
        for number in deliveries.numbers {
            guard let claim = deliveries[number].claim, owners[claim.owner] != owner else { continue }
            if which == .expired, claim.until > now { continue }
            if which == .ofFormerOwners {
                deliveries[number].interrupted += 1
                if deliveries[number].interrupted >= InterruptedAttempts.limit {
                    end(number, .dead, InterruptedAttempts.reason, .empty, at: now)
                    setAside.append(id(of: number).computed)
                    continue
                }
            }
            deliveries[number].keep(.interrupted, "the process that made it ended", .empty, at: now)
            makePending(number)
            released.count += 1
        }
        if !setAside.isEmpty { released.setAside = deliveries(DeliveryFilter(ids: setAside, limit: .max)) }
        return released
    }

    func replacedClaims(owner: String) -> [String] {
        deliveries.numbers.compactMap { number in
            let delivery = deliveries[number]
            guard let claim = delivery.claim, owners[claim.owner] == owner, delivery.overlap == .replace else {
                return nil
            }
            let occurrence = firings[delivery.firing].firing.occurrence
            let isReplaced = chains[delivery.chain].open.contains {
                let other = deliveries[$0]
                return other.state == .queued && other.overlap == .replace
                    && firings[other.firing].firing.occurrence != occurrence
            }
            return isReplaced ? claim.token(of: number) : nil
        }
    }

    func nextAttempt(after instant: Timestamp) -> Timestamp? {
        sinks.values.compactMap { sink in
            sink.line.next(after: instant) { $0 == deliveries.turn($0.delivery) }
        }.min()
    }

    mutating func clockWasSet(by step: Duration, now: Timestamp) {
        for number in deliveries.numbers where deliveries[number].state.isOpen {
            deliveries[number].clockWasSet(by: step, now: now)
            line(up: number)
        }
    }
}

extension MemoryOutbox.DeliveryRow {
    /// Moves what it waits for along with the clock.
    fileprivate mutating func clockWasSet(by step: Duration, now: Timestamp) {
        if attempt > 0 {
            nextAttempt = nextAttempt.advanced(by: step)
            since = since.advanced(by: step)
        } else if step < .zero {
            nextAttempt = min(nextAttempt, now)
        }
        if step == .zero, nextAttempt > now, started ?? created > now { nextAttempt = now }
    }
}

extension Outcome {
    /// The reason, of all but what was delivered.
    fileprivate var reason: String? {
        switch self {
        case .delivered: nil
        case .retry(_, let reason), .dead(let reason), .expired(let reason), .skipped(let reason): reason
        }
    }

    /// The state of a delivery after it.
    fileprivate var state: DeliveryState {
        switch self {
        case .delivered: .delivered
        case .retry: .pending
        case .dead: .dead
        case .expired: .expired
        case .skipped: .skipped
        }
    }
}
