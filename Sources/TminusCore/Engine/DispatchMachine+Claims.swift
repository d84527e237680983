/// What is asked of the store, and what becomes of the deliveries that it hands out.
extension DispatchMachine {
    /// What to claim; nil while there is no room and nothing that could have to give way.
    mutating func claimRequest(owner: String, at reading: ClockReading) -> ClaimRequest? {
        guard !isStopping else { return nil }
        dueClaim.isWanted = false
        let room = room
        guard room > 0 || running.hasReplaceable else {
            // Until an attempt ends there is no use in knowing what is due.
            dueClaim.nextAttempt = nil
            return nil
        }
        dueClaim.nextRefill = buckets.values.compactMap { $0.next(at: reading.steady) }.min()
        let longest = lanes.byID.values.map(\.sink.sink.timeLimit).max() ?? .zero
        return ClaimRequest(
            owner: owner, limit: max(0, room), room: roomBySink(at: reading.steady), otherRoom: 1,
            until: reading.now.advanced(by: .seconds(3_600) + longest),
            removedBefore: reading.now.advanced(by: .zero - Retention.standard.removedSchedules),
            isFollower: isFollower, labels: labels)
    }

    /// The store handed these out.
    mutating func take(_ committed: Committed, requested request: ClaimRequest?, at reading: ClockReading) {
        if let held = committed.held { compare(held, claimed: committed.claimed, at: reading) }
        giveBack(waitingFor: sinks.add(committed.sinks), at: reading)
        for delivery in committed.claimed { take(delivery, at: reading) }
        for token in committed.replaced { replace(token, at: reading) }
        let withdrawn = Set(committed.withdrawn)
        if !withdrawn.isEmpty {
            // The store has the reason and records it in place of this one.
            giveBack(.withdrawn, at: reading) { delivery, _ in withdrawn.contains(delivery.claim.token) }
            running.withdraw(withdrawn)
        }
        guard let request else { return }
        lanes.noteBacklogs(of: committed.claimed, requested: request)
        dueClaim.nextAttempt = committed.nextAttempt
        // Sinks that were unknown or have a rate limit are given one delivery at a time.
        dueClaim.isWanted =
            dueClaim.isWanted
            || !committed.claimed.isEmpty
                && (committed.claimed.count >= request.limit || hasSettlements || !buckets.isEmpty
                    || committed.claimed.contains { request.room[$0.sink] == nil })
    }

    /// Puts a claimed delivery into the lane of its sink, or settles it where no attempt can be made.
    private mutating func take(_ delivery: Delivery, at reading: ClockReading) {
        guard !isStopping else {
            return settle(
                delivery, .retry(at: reading.now, reason: FixedReason.stoppedBefore.rawValue), at: reading)
        }
        guard let id = sinks.lane(of: delivery.sink) else {
            return settle(
                delivery, .dead(reason: FixedReason.undeclaredSink(delivery.sink.rawValue)), at: reading)
        }
        guard let place = lanes.place(of: id) ?? open(id, at: reading.steady) else {
            if isFollower {
                // Another machine may run a newer program.
                unfit[delivery.sink] = reading.steady.advanced(by: .seconds(60))
                return settle(delivery, .retry(at: reading.now, reason: FixedReason.unfitMachine.rawValue), at: reading)
            }
            let title = sinks.title(of: delivery.sink) ?? delivery.sink.rawValue
            return settle(delivery, .dead(reason: FixedReason.unsupportedSink(title)), at: reading)
        }
        guard !running.holdUp(delivery) else {
            return settle(
                delivery, .retry(at: reading.now.advanced(by: .seconds(1)), reason: FixedReason.stalled.rawValue),
                at: reading)
        }
        if let bucket = buckets[id.key] {
            // More than one may have been claimed before the limit was known.
            guard bucket.room(at: reading.steady) > 0 else {
                return settle(delivery, .retry(at: reading.now, reason: FixedReason.rateLimited.rawValue), at: reading)
            }
            buckets[id.key]?.take(at: reading.steady)
        }
        lanes.append(delivery, at: place)
    }

    /// Makes a lane with its sink, and returns its place; nil if the sink cannot be made.
    private mutating func open(_ id: SinkLane.ID, at steady: Timestamp) -> SinkLanes.Place? {
        guard let sink = sinks.make(id.key), let spec = sinks.spec(of: id.key) else { return nil }
        lanes.open(SinkLane(id, sink, title: spec.title, slots: figures.slots(of: spec)))
        if buckets[id.key]?.limit != sink.policy.rateLimit {
            buckets[id.key] = sink.policy.rateLimit.map { RateBucket($0, now: steady) }
        }
        return lanes.place(of: id)
    }

    /// Compares what is in hand with the claims that the store has.
    private mutating func compare(_ held: [HeldClaim], claimed: [Delivery], at reading: ClockReading) {
        // The ends of what the store has taken away would not be written.
        let tokens = Set(held.map(\.token))
        _ = lanes.removeWaiting { delivery, _ in !tokens.contains(delivery.claim.token) }
        running.lose(except: tokens)
        // Attempts that were abandoned go on being claimed, for the next start.
        guard !isStopping else { return }
        let waiting = lanes.byID.values.flatMap { $0.waiting.map(\.claim.token) }
        let inHand = waiting + running.all.map(\.delivery.claim.token) + unwritten.tokens
        let known = Set(inHand + claimed.map(\.claim.token))
        for claim in held where !known.contains(claim.token) {
            unwritten.add(lost: claim, sink: figures.sinks.otherSlot, at: reading)
        }
    }

    /// Ends an attempt whose place a later occurrence takes.
    private mutating func replace(_ token: String, at reading: ClockReading) {
        guard !running.replace(token) else { return }
        for (delivery, sink) in lanes.removeWaiting(where: { delivery, _ in delivery.claim.token == token }) {
            settle(delivery, .skipped(reason: Overlap.replacedReason), sink: sink, at: reading)
        }
    }

    /// Gives back what waits for a former revision of these sinks.
    mutating func giveBack(waitingFor changed: Set<SinkKey>, at reading: ClockReading) {
        guard !changed.isEmpty else { return }
        giveBack(.sinkEdited, at: reading) { _, lane in changed.contains(lane.key) }
    }
}
