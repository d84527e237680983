import TminusCore

extension MemoryOutbox {
    /// Writes a firing and its deliveries; returns the firings whose deliveries may all be over by that.
    mutating func write(_ firing: Firing, now: Timestamp) -> [FiringKey] {
        let key = FiringKey(definition: firing.definition, occurrence: firing.occurrence, action: firing.action)
        if firings[key] == nil {
            firings[key] = .of(WrittenFiring(firing: firing, created: now))
            if key.action.kind == .expiry { expiries[EndedExpiry(key), default: []].append(key) }
        }
        var touched: [FiringKey] = []
        for sink in firing.sinks { touched += write(firing, to: sink, key, now: now) }
        return touched
    }

    private mutating func write(
        _ firing: Firing, to sink: SinkKey, _ key: FiringKey, now: Timestamp
    ) -> [FiringKey] {
        let id = DeliveryID(
            definition: firing.definition, occurrence: firing.occurrence, action: firing.action, sink: sink)
        guard deliveries[id] == nil else { return [] }
        let chain = Chain(definition: firing.definition, sink: sink)
        let overlap = firing.overlaps[sink] ?? .queue
        let turn = overlap.turn(
            behind: head(of: chain), occurrence: firing.occurrence, isCatchUp: firing.payload.isCatchUp, now: now)
        counter += 1
        let state: MemoryDelivery.State =
            switch turn {
            case .now: .pending
            case .behind, .instead: .queued
            case .skipped: .skipped(now, reason: Overlap.skippedReason)
            }
        deliveries[id] = MemoryDelivery(
            number: counter, id: id, firing: firings[key]?.value.firing ?? firing, sink: sink, state: state, attempt: 0,
            nextAttempt: firing.notBefore ?? min(firing.due, now), created: now, tries: 0, since: now,
            expires: firing.expires, overlap: overlap, started: nil, log: [], waitReason: nil)
        firings[key]?.value.deliveries.append(id)
        if state.name.isOpen { chains[chain, default: []].append(id) }
        switch turn {
        case .now, .behind: return []
        case .skipped: return [key]
        case .instead: return replace(chain, by: firing.occurrence, now: now)
        }
    }

    private func head(of chain: Chain) -> Overlap.Head? {
        guard let id = chains[chain]?.first, let delivery = deliveries[id] else { return nil }
        var claimedUntil: Timestamp?
        if case .claimed(_, _, let until) = delivery.state { claimedUntil = until }
        return Overlap.Head(occurrence: delivery.firing.occurrence, claimedUntil: claimedUntil)
    }

    private mutating func replace(_ chain: Chain, by occurrence: Timestamp, now: Timestamp) -> [FiringKey] {
        var touched: [FiringKey] = []
        for id in chains[chain] ?? [] {
            guard let delivery = deliveries[id], delivery.firing.occurrence != occurrence,
                delivery.state.name != .claimed
            else { continue }
            end(id, .skipped(now, reason: Overlap.replacedReason))
            touched.append(FiringKey(delivery.firing))
        }
        promote(chain)
        return touched
    }

    /// Ends a delivery, and gives the next of its chain its turn.
    private mutating func end(_ id: DeliveryID, _ state: MemoryDelivery.State) {
        guard let delivery = deliveries[id] else { return }
        deliveries[id]?.state = state
        let chain = Chain(definition: delivery.firing.definition, sink: delivery.sink)
        chains[chain]?.removeAll { $0 == id }
        if chains[chain]?.isEmpty == true { chains[chain] = nil }
        promote(chain)
    }

    private mutating func promote(_ chain: Chain) {
        let open = chains[chain] ?? []
        guard open.allSatisfy({ deliveries[$0]?.state == .queued }), let first = open.first else { return }
        deliveries[first]?.state = .pending
    }

    mutating func settle(_ settlements: [Settlement], now: Timestamp) -> [EndedExpiry] {
        var touched: [FiringKey] = []
        for settlement in settlements {
            guard var delivery = deliveries[settlement.id], case .claimed(let token, _, _) = delivery.state,
                token == settlement.token
            else { continue }
            let ended = settlement.ended ?? now
            if let report = settlement.report {
                delivery.log.append(
                    AttemptRecord(
                        number: delivery.attempt, started: delivery.started ?? ended, ended: ended,
                        outcome: settlement.outcome.attempt, reason: settlement.outcome.reason, report: report))
                delivery.log = Array(delivery.log.suffix(DeliveryRecord.keptAttempts))
            } else {
                delivery.attempt -= 1
                delivery.tries -= 1
                delivery.started = nil
            }
            for firing in settlement.firings { touched += write(firing, now: now) }
            if case .retry(let next, let reason) = settlement.outcome {
                delivery.state = .pending
                delivery.nextAttempt = next
                delivery.waitReason = reason
                deliveries[delivery.id] = delivery
                continue
            }
            deliveries[delivery.id] = delivery
            end(delivery.id, settlement.outcome.state(at: ended))
            touched.append(FiringKey(delivery.firing))
        }
        return ended(touched)
    }

    /// Those of the firings that are expiries, snoozed or not, with no open delivery of their occurrence, each once.
    func ended(_ keys: [FiringKey]) -> [EndedExpiry] {
        var seen: Set<EndedExpiry> = []
        return keys.filter { $0.action.kind == .expiry }
            .map { EndedExpiry($0) }
            .filter { seen.insert($0).inserted && !isOpen($0) }
    }

    /// Whether a delivery of that expiry, snoozed or not, is not over.
    func isOpen(_ expiry: EndedExpiry) -> Bool {
        (expiries[expiry] ?? []).contains { isOpen($0) }
    }

    /// Removes a firing and its deliveries.
    mutating func forget(_ key: FiringKey) {
        for id in firings[key]?.value.deliveries ?? [] { deliveries[id] = nil }
        firings[key] = nil
        expiries[EndedExpiry(key)]?.removeAll { $0 == key }
        if expiries[EndedExpiry(key)]?.isEmpty == true { expiries[EndedExpiry(key)] = nil }
    }

    mutating func release(_ which: ClaimRelease, owner: String, now: Timestamp) -> Int {
        var count = 0
        for id in Array(deliveries.ids) {
            guard let delivery = deliveries[id], case .claimed(_, let holder, let until) = delivery.state,
                holder != owner
            else { continue }
            if which == .expired, until > now { continue }
            deliveries[id]?.state = .pending
            deliveries[id]?.log.append(
                AttemptRecord(
                    number: delivery.attempt, started: delivery.started ?? delivery.created, ended: now,
                    outcome: .interrupted, reason: "the process that made it ended", report: .empty))
            count += 1
        }
        return count
    }

    func replacedClaims(owner: String) -> [String] {
        deliveries.values.compactMap { delivery in
            guard case .claimed(let token, owner, _) = delivery.state else { return nil }
            let chain = chains[Chain(definition: delivery.firing.definition, sink: delivery.sink)] ?? []
            let isReplaced = chain.contains {
                guard let other = deliveries[$0] else { return false }
                return other.state == .queued && other.overlap == .replace
                    && other.firing.occurrence != delivery.firing.occurrence
            }
            return isReplaced ? token : nil
        }
    }

    mutating func clockWasSet(by step: Duration, now: Timestamp) {
        for id in Array(deliveries.ids) {
            guard var delivery = deliveries[id], delivery.isOpen else { continue }
            if delivery.attempt > 0 {
                delivery.nextAttempt = delivery.nextAttempt.advanced(by: step)
                delivery.since = delivery.since.advanced(by: step)
            } else if step < .zero {
                delivery.nextAttempt = min(delivery.nextAttempt, now)
            }
            if step == .zero, delivery.nextAttempt > now, delivery.started ?? delivery.created > now {
                delivery.nextAttempt = now
            }
            deliveries[id] = delivery
        }
    }
}

extension EndedExpiry {
    /// The occurrence of a firing.
    fileprivate init(_ key: MemoryOutbox.FiringKey) {
        self.init(definition: key.definition, occurrence: key.occurrence)
    }
}

extension MemoryOutbox.FiringKey {
    /// What identifies a firing.
    init(_ firing: Firing) {
        self.init(definition: firing.definition, occurrence: firing.occurrence, action: firing.action)
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

    /// The state of a delivery that ended so. A retry is no end.
    fileprivate func state(at now: Timestamp) -> MemoryDelivery.State {
        switch self {
        case .delivered: .delivered(now)
        case .dead(let reason), .retry(_, let reason): .dead(now, reason: reason)
        case .expired(let reason): .expired(now, reason: reason)
        case .skipped(let reason): .skipped(now, reason: reason)
        }
    }
}
