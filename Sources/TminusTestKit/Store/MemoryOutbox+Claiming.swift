import TminusCore

extension MemoryOutbox {
    mutating func claim(_ request: ClaimRequest, now: Timestamp) -> [ClaimedDelivery] {
        takeDue(request, now: now).map { claim($0, request, now: now) }
    }

    /// Takes what is due first out of the lines, within the room of each sink.
    private mutating func takeDue(_ request: ClaimRequest, now: Timestamp) -> [Int] {
        var found: [(turn: DueLine.Turn, place: Int, sink: Int)] = []
        var count = 0
        for sink in sinks.all {
            let room = min(request.limit, request.room[sinks[sink].key] ?? request.otherRoom)
            guard room > 0 else { continue }
            let first = sinks[sink].line.first(room, upTo: now) { [deliveries] in
                $0 == deliveries[$0.delivery].turn($0.delivery)
            }
            if !first.isEmpty { count += 1 }
            for (turn, place) in first { found.append((turn, place, sink)) }
        }
        if count > 1 { found.sort { $0.turn < $1.turn } }
        return found.prefix(max(0, request.limit)).map { taken in
            sinks[taken.sink].line.take(through: taken.place)
            return taken.turn.delivery
        }
    }

    private mutating func claim(_ number: Int, _ request: ClaimRequest, now: Timestamp) -> ClaimedDelivery {
        claims += 1
        let token = String(claims, radix: 36)
        deliveries[number].attempt += 1
        deliveries[number].tries += 1
        deliveries[number].started = now
        deliveries[number].begin(DeliveryRow.Claim(token: token, owner: request.owner, until: request.until))
        let delivery = deliveries[number]
        let firing = firings[delivery.firing].firing
        let sink = sinks[chains[delivery.chain].sink]
        return ClaimedDelivery(
            token: token, id: delivery.id, definition: firing.definition, occurrence: firing.occurrence,
            action: firing.action.kind, sink: sink.key, sinkRevision: sink.revision, due: firing.due,
            attempt: delivery.attempt, tries: delivery.tries, created: delivery.created, since: delivery.since,
            expires: delivery.expires, overlap: delivery.overlap, onFailure: firing.onFailure, payload: firing.payload)
    }

    mutating func settle(_ settlements: [Settlement], now: Timestamp) -> [EndedExpiry] {
        var touched: [Int] = []
        for settlement in settlements {
            guard let number = deliveries.number(of: settlement.id),
                deliveries[number].claim?.token == settlement.token
            else { continue }
            settle(number, settlement, now: now, &touched)
        }
        return ended(touched)
    }

    private mutating func settle(
        _ number: Int, _ settlement: Settlement, now: Timestamp, _ touched: inout [Int]
    ) {
        let (outcome, ended) = (settlement.outcome, settlement.ended ?? now)
        if let report = settlement.report {
            deliveries[number].record(outcome.attempt, outcome.reason, report, at: ended)
        } else {
            deliveries[number].attempt -= 1
            deliveries[number].tries -= 1
            deliveries[number].started = nil
        }
        // While this one still stands before them.
        for firing in settlement.firings { write(firing, now: now, &touched) }
        if case .retry(let next, let reason) = outcome {
            deliveries[number].nextAttempt = next
            deliveries[number].reason = reason
            makePending(number)
        } else {
            end(number, outcome.state, outcome.reason, at: ended)
            touched.append(deliveries[number].firing)
        }
    }

    mutating func release(_ which: ClaimRelease, owner: String, now: Timestamp) -> Int {
        var count = 0
        for number in deliveries.all {
            guard let claim = deliveries[number].claim, claim.owner != owner else { continue }
            if which == .expired, claim.until > now { continue }
            deliveries[number].record(.interrupted, "the process that made it ended", .empty, at: now)
            makePending(number)
            count += 1
        }
        return count
    }

    func replacedClaims(owner: String) -> [String] {
        deliveries.values.compactMap { delivery in
            guard let claim = delivery.claim, claim.owner == owner, delivery.overlap == .replace else { return nil }
            let occurrence = firings[delivery.firing].firing.occurrence
            let isReplaced = chains[delivery.chain].open.contains {
                let other = deliveries[$0]
                return other.state == .queued && other.overlap == .replace
                    && firings[other.firing].firing.occurrence != occurrence
            }
            return isReplaced ? claim.token : nil
        }
    }

    func nextAttempt(after instant: Timestamp) -> Timestamp? {
        sinks.values.compactMap { sink in
            sink.line.next(after: instant) { $0 == deliveries[$0.delivery].turn($0.delivery) }
        }.min()
    }

    mutating func clockWasSet(by step: Duration, now: Timestamp) {
        for number in deliveries.all where deliveries[number].state.isOpen {
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

    fileprivate var attempt: AttemptRecord.Outcome {
        switch self {
        case .delivered: .delivered
        case .retry: .retry
        case .dead: .dead
        case .expired: .expired
        case .skipped: .skipped
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
