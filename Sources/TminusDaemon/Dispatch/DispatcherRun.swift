internal import TminusCore

/// What a dispatcher keeps from step to step.
struct DispatcherRun: Sendable {
    var lanes = SinkLanes()
    /// The attempts in hand.
    let running: RunningAttempts
    /// Those that have ended since it was looked.
    let ends: AttemptEnds
    /// Ends of attempts that are not in the store yet.
    private(set) var unsettled: [Settlement] = []
    /// Those of them that will be tried again, and how far the clock had been set when that was decided.
    private var retries: [(index: Int, setBy: Duration)] = []
    /// Whether somebody waits to say that enough has been gathered.
    var isGathering = false
    var isStopping = false
    /// How far the clock had been set when what waits was last in accord with it.
    var setBy: Duration
    /// Ends attempts that a later occurrence may replace, by the token of their claim.
    var replaceable: [String: AttemptStop] = [:]
    var trouble = StoreTrouble()
    /// When something that waits in the store is due, as it was found last.
    var nextAttempt: Timestamp?
    /// When to look whether what waits for room in a lane waits too long, by a clock that nobody sets; nil: nothing waits.
    private(set) var review: Timestamp?

    /// Whether nothing is left that is worth waiting for. A store that refuses is not: what it does not know is delivered
    /// again, with the same id.
    var isOver: Bool { isStopping && lanes.inHand == 0 && (unsettled.isEmpty || trouble.isPresent) }

    /// A dispatcher that has done nothing yet.
    init(at reading: ClockReading, _ running: RunningAttempts, _ ends: AttemptEnds) {
        self.running = running
        self.ends = ends
        setBy = reading.setBy
    }

    /// What there is room for; nil if there is none.
    func request(owner: String, at reading: ClockReading) -> ClaimRequest? {
        guard lanes.room > 0 else { return nil }
        return ClaimRequest(
            owner: owner, limit: lanes.room, room: lanes.roomBySink(at: reading.steady), otherRoom: 1,
            until: reading.now.advanced(by: .seconds(3_600) + lanes.longestTimeLimit))
    }

    /// What is offered to who writes firings; nil if nothing is. A sink that is not known gets one, which makes it known early.
    func offer(owner: String, at reading: ClockReading) -> ClaimRequest? {
        guard !isStopping, !trouble.isPresent, var request = request(owner: owner, at: reading) else { return nil }
        request.room = lanes.roomToOffer(at: reading.steady)
        return request
    }

    /// Whether the store had better be asked when more has ended: of each lane in which an attempt has, most are still in hand.
    ///
    /// A sink that takes one delivery after another does not begin it, and one that runs eight at a time has four to go on with, and more
    /// if it is quick. Once begun it takes its 5 ms, also for what ends in other lanes.
    var isWorthGathering: Bool {
        !isStopping && !trouble.isPresent && lanes.isBusyBeyondEnds
    }

    /// Plans to look a second from now whether what waits for room goes on; true if that is news.
    @discardableResult
    mutating func planReview(at steady: Timestamp) -> Bool {
        guard review == nil, lanes.isAnyWaiting else { return false }
        review = steady.advanced(by: .seconds(1))
        return true
    }

    /// The lanes in which none has ended for a second though some wait, if it is time to look. What they have ahead is to go back,
    /// because a delivery that is claimed passes for one that runs.
    mutating func slowedLanes(at steady: Timestamp) -> Set<SinkLane.ID> {
        guard let review, review <= steady else { return [] }
        self.review = nil
        return lanes.slowed(since: steady.advanced(by: .seconds(-1)))
    }

    /// Whether an end is to be recorded.
    var hasEnds: Bool { !unsettled.isEmpty }

    /// Whether another claim may find what this one has left: for sinks that had not been known or have a rate limit, which are
    /// given one at a time, beyond its limit, or for room that was given back at once.
    func mayFindMore(than claimed: [ClaimedDelivery], by request: ClaimRequest?) -> Bool {
        guard let request, !claimed.isEmpty else { return false }
        return claimed.count >= request.limit || !unsettled.isEmpty || lanes.isAnyRateLimited
            || claimed.contains { request.room[$0.sink] == nil }
    }

    /// Takes note of attempts that have ended.
    mutating func finish(_ ended: EndedAttempts) {
        let first = unsettled.count
        // The array itself, if it is the first.
        if first == 0 { unsettled = ended.settlements } else { unsettled += ended.settlements }
        let attempts = ended.attempts
        // Many in a row are of one lane. By index: to take one out would copy it.
        var start = 0
        while start < attempts.count {
            let made = attempts[start].attempt.made
            var end = start
            while end < attempts.count, attempts[end].attempt.made === made {
                if attempts[end].attempt.stop != nil { forgetStop(of: attempts[end].attempt) }
                follow(first + end, of: attempts[end].attempt.claimed, at: attempts[end].at)
                end += 1
            }
            lanes.end(made.lane, end - start, after: attempts[end - 1].took, at: attempts[end - 1].at.steady)
            start = end
        }
    }

    /// Takes note that an attempt is over that a later occurrence could have ended.
    private mutating func forgetStop(of attempt: Attempt) {
        replaceable.removeValue(forKey: attempt.claimed.token)?.finish()
    }

    /// What ends a delivery when a later occurrence takes its place; nil if none ever does.
    mutating func stop(of claimed: ClaimedDelivery) -> AttemptStop? {
        guard claimed.overlap == .replace else { return nil }
        let stop = AttemptStop()
        replaceable[claimed.token] = stop
        return stop
    }

    /// Takes note that an attempt will not be made by this claim.
    mutating func withdraw(_ attempt: Attempt, _ outcome: Outcome, at reading: ClockReading) {
        lanes.end(attempt.lane, after: nil, at: reading.steady)
        if attempt.stop != nil { forgetStop(of: attempt) }
        settle(attempt.claimed, outcome, at: reading)
    }

    /// Takes note that a claimed delivery is not attempted by this claim: it has come to an end, or will be tried again.
    mutating func settle(_ claimed: ClaimedDelivery, _ outcome: Outcome, at reading: ClockReading) {
        unsettled.append(Settlement(of: claimed, outcome, report: nil, at: reading))
        follow(unsettled.count - 1, of: claimed, at: reading)
    }

    /// What follows from an end beyond its record. Whoever is to be told that a delivery was given up is told by the same
    /// transaction that records it.
    private mutating func follow(_ index: Int, of claimed: ClaimedDelivery, at reading: ClockReading) {
        switch unsettled[index].outcome {
        case .delivered, .skipped:
            break
        case .retry:
            retries.append((index, reading.setBy))
        case .dead(let reason), .expired(let reason):
            let attempts = unsettled[index].report == nil ? claimed.attempt - 1 : claimed.attempt
            if let firing = Firing.failure(of: claimed, reason: reason, attempts: attempts, now: reading.now) {
                unsettled[index].firings = [firing]
            }
        }
    }

    /// What is to be recorded, with the instants of retries in accord with a clock that may have been set since.
    func settlements(at reading: ClockReading) -> [Settlement] {
        var settlements = unsettled
        for (index, setBy) in retries where setBy != reading.setBy {
            guard case .retry(let next, let reason) = settlements[index].outcome else { continue }
            settlements[index].outcome = .retry(at: next.advanced(by: reading.setBy - setBy), reason: reason)
        }
        return settlements
    }

    /// Takes note that all of it is recorded.
    mutating func settled() {
        unsettled = []
        retries = []
        lanes.recorded()
    }
}
