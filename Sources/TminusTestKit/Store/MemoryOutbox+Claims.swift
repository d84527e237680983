import TminusCore

extension MemoryOutbox {
    /// Claims what is due, the longest overdue first, within the limit and the room of each sink.
    mutating func claim(_ request: ClaimRequest, now: Timestamp, _ committed: inout Committed) {
        let waiting = request.limit > 0 ? openDeliveries().filter { $0.state == .pending } : []
        committed.nextAttempt = waiting.map(\.nextAttempt).filter { $0 > now }.min()
        var room = request.room
        var suspects = Set(openDeliveries().filter { $0.state == .claimed && $0.isSuspect }.map(\.sink))
        let due = waiting.filter { $0.nextAttempt <= now && !waitsForSink($0.sink, since: request.removedBefore) }
        for var row in due.sorted(by: { ($0.nextAttempt, $0.number) < ($1.nextAttempt, $1.number) }) {
            guard committed.claimed.count < request.limit else { break }
            guard room[row.sink, default: request.otherRoom] > 0, mayClaim(row.sink, request) else { continue }
            guard !row.isSuspect || suspects.insert(row.sink).inserted else { continue }
            room[row.sink, default: request.otherRoom] -= 1
            claims += 1
            row.delivery.claim.token = "claim-\(claims)"
            row.delivery.claim.tries += 1
            row.delivery.attempt += 1
            (row.state, row.owner, row.claimedUntil, row.started) = (.claimed, request.owner, request.until, now)
            deliveries[row.id] = row
            committed.claimed.append(row.delivery)
        }
        let unnamed = Set(committed.claimed.map(\.sink)).filter { request.room[$0] == nil }
        committed.sinks = unnamed.sorted().filter { !waitsForSink($0) }.compactMap { sinks[$0]?.spec }
        let held = openDeliveries().filter { $0.owner == request.owner }
        committed.replaced = held.filter(isReplaced).map(\.delivery.claim.token)
    }

    /// Whether the machine has the labels of a sink. A named one that is not in force asks for none.
    private func mayClaim(_ key: SinkKey, _ request: ClaimRequest) -> Bool {
        guard let sink = sinks[key], sink.retired == nil || sink.spec.name == nil else { return true }
        return sink.spec.runs(on: request.labels, leads: true)
    }

    /// Whether a sink is a named one that is not in force, and has been so for no longer than since `instant`.
    func waitsForSink(_ key: SinkKey, since instant: Timestamp = .distantPast) -> Bool {
        guard let sink = sinks[key], let retired = sink.retired else { return false }
        return sink.spec.name != nil && retired >= instant
    }

    /// Whether another occurrence waits to take the place of a delivery.
    private func isReplaced(_ row: MemoryDelivery) -> Bool {
        let later = chain(of: row.delivery).filter { $0.state == .queued && $0.overlap == .replace }
        return row.overlap == .replace && later.contains { $0.delivery.occurrence != row.delivery.occurrence }
    }

    /// Records how a claim ended, if it is still held.
    mutating func settle(_ settlement: Settlement, now: Timestamp) {
        guard var row = deliveries[settlement.id], row.state == .claimed, row.delivery.claim.token == settlement.token
        else { return }
        let (state, reason) = settlement.outcome.end
        let ended = settlement.ended ?? now
        if let report = settlement.report {
            row.record(state.lastOutcome, reason, report, at: ended)
            row.interrupted = 0
        } else {
            row.delivery.attempt -= 1
            row.delivery.claim.tries -= 1
            row.started = nil
        }
        if case .retry(let next, _) = settlement.outcome { (row.nextAttempt, row.reason) = (next, reason) }
        deliveries[row.id] = row
        for firing in settlement.firings { write(firing, now: now) }
        if state == .pending { giveBack(row, at: ended) } else { end(row.id, state, reason, at: ended) }
    }

    /// Has a claimed delivery wait for another attempt, unless it was withdrawn meanwhile.
    mutating func giveBack(_ row: MemoryDelivery, at instant: Timestamp) {
        var row = row
        (row.state, row.owner, row.claimedUntil) = (.pending, nil, nil)
        deliveries[row.id] = row
        if let reason = row.withdrawn { end(row.id, .skipped, reason, at: instant) }
    }

    /// Moves what deliveries wait for, and what their retries count from, along with the clock; what was never tried does not
    /// wait for a clock that was set back.
    mutating func moveWaits(by step: Duration, now: Timestamp) {
        for var row in openDeliveries() {
            row.delivery.claim.since = row.delivery.claim.since.advanced(by: step)
            if row.delivery.attempt > 0 {
                row.nextAttempt = row.nextAttempt.advanced(by: step)
            } else if step < .zero {
                row.nextAttempt = min(row.nextAttempt, now)
            }
            deliveries[row.id] = row
        }
    }
}
