internal import TminusCore

/// What a dispatcher keeps from step to step.
struct DispatcherRun: Sendable {
    var lanes = SinkLanes()
    /// The attempts in hand.
    let running: RunningAttempts
    /// Those that have ended since it was looked, and what is to be recorded of them.
    let ends: AttemptEnds
    /// What is to be recorded, but for what stays in `ends` until then.
    private(set) var unsettled = Unsettled()
    /// Whether something stays there.
    private var isAnyLeft = false
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
    var isOver: Bool { isStopping && lanes.inHand == 0 && (!hasEnds || trouble.isPresent) }

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
    var hasEnds: Bool { isAnyLeft || !unsettled.isEmpty }

    /// Whether another claim may find what this one has left: for sinks that had not been known or have a rate limit, which are
    /// given one at a time, beyond its limit, or for room that was given back at once.
    func mayFindMore(than claimed: [ClaimedDelivery], by request: ClaimRequest?) -> Bool {
        guard let request, !claimed.isEmpty else { return false }
        return claimed.count >= request.limit || !unsettled.isEmpty || lanes.isAnyRateLimited
            || claimed.contains { request.room[$0.sink] == nil }
    }

    /// Takes note of the attempts that have ended.
    mutating func finish() {
        let ended = ends.takeEnded()
        if !ended.isEmpty { isAnyLeft = true }
        finish(ended)
    }

    /// Takes note of the attempts that have ended, all of which are to be recorded now.
    mutating func finishToRecord() {
        let (ended, left) = ends.takeAll()
        finish(ended)
        unsettled.append(left)
        isAnyLeft = false
    }

    private mutating func finish(_ ended: EndedAttempts) {
        for token in ended.replaceable { replaceable.removeValue(forKey: token)?.finish() }
        for group in ended.groups {
            lanes.end(group.made.lane, group.count, after: group.took, at: group.at.steady)
        }
    }

    /// What ends those of the deliveries whose place a later occurrence may take, by the token of their claim.
    mutating func stops(of claimed: ArraySlice<ClaimedDelivery>) -> [String: AttemptStop] {
        var stops: [String: AttemptStop] = [:]
        // By index: to take one out would count a reference to it.
        for index in claimed.indices where claimed[index].overlap == .replace {
            stops[claimed[index].token] = AttemptStop()
        }
        if !stops.isEmpty { replaceable.merge(stops) { _, later in later } }
        return stops
    }

    /// Takes note that an attempt will not be made by this claim.
    mutating func withdraw(_ attempt: Attempt, _ outcome: Outcome, at reading: ClockReading) {
        lanes.end(attempt.lane, after: nil, at: reading.steady)
        if attempt.stop != nil { replaceable.removeValue(forKey: attempt.claimed.token)?.finish() }
        settle(attempt.claimed, outcome, at: reading)
    }

    /// Takes note that a claimed delivery is not attempted by this claim: it has come to an end, or will be tried again.
    mutating func settle(_ claimed: ClaimedDelivery, _ outcome: Outcome, at reading: ClockReading) {
        unsettled.append(Settlement(of: claimed, outcome, at: reading), setBy: reading.setBy)
    }

    /// Takes note that all of it is recorded.
    mutating func settled() {
        unsettled = Unsettled()
        lanes.recorded()
    }
}
