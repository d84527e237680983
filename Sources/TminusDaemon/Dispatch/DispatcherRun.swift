internal import TminusCore

/// What a dispatcher keeps from step to step.
struct DispatcherRun: Sendable {
    var lanes = SinkLanes()
    /// Ends of attempts that are not in the store yet.
    private(set) var unsettled: [(settlement: Settlement, setBy: Duration)] = []
    /// How many attempts of each lane are among them.
    private var ended: [SinkLane.ID: Int] = [:]
    /// Whether somebody waits to say that enough has been gathered.
    var isGathering = false
    var isStopping = false
    /// How far the clock had been set when what waits was last in accord with it.
    var setBy: Duration
    /// Ends attempts that a later occurrence may replace, by the token of their claim.
    var replaceable: [String: AsyncStream<Void>.Continuation] = [:]
    var trouble = StoreTrouble()

    /// Whether nothing is left that is worth waiting for. A store that refuses is not: what it does not know is delivered
    /// again, with the same id.
    var isOver: Bool { isStopping && lanes.inFlight == 0 && (unsettled.isEmpty || trouble.isPresent) }

    /// A dispatcher that has done nothing yet.
    init(at reading: ClockReading) {
        setBy = reading.setBy
    }

    /// What there is room for; nil if there is none.
    func request(owner: String, at reading: ClockReading) -> ClaimRequest? {
        guard lanes.room > 0 else { return nil }
        return ClaimRequest(
            owner: owner, limit: lanes.room, room: lanes.roomBySink(at: reading.steady), otherRoom: 1,
            until: reading.now.advanced(by: .seconds(3_600) + lanes.longestTimeLimit))
    }

    /// Whether the store had better be asked when more has ended: of each lane in which an attempt has, most still run.
    ///
    /// A sink that takes one delivery after another never waits, and one that runs eight at a time has four to go on with.
    var isWorthGathering: Bool {
        guard !isStopping, !ended.isEmpty, !trouble.isPresent else { return false }
        return ended.allSatisfy { lane, count in count < lanes.lanes[lane]?.inFlight ?? 0 }
    }

    /// Whether an end is to be recorded.
    var hasEnds: Bool { !unsettled.isEmpty }

    /// Whether something is to be tried again.
    var hasRetries: Bool { unsettled.contains { if case .retry = $0.settlement.outcome { true } else { false } } }

    /// Whether another claim may find what this one has left: for sinks that had not been known or have a rate limit, which are
    /// given one at a time, beyond its limit, or for room that was given back at once.
    func mayFindMore(than claimed: [ClaimedDelivery], by request: ClaimRequest?) -> Bool {
        guard let request, !claimed.isEmpty else { return false }
        return claimed.count >= request.limit || !unsettled.isEmpty || lanes.isAnyRateLimited
            || claimed.contains { request.room[$0.sink] == nil }
    }

    /// Takes note that an attempt has ended.
    mutating func finish(_ attempt: Attempt, _ result: AttemptResult) {
        ended[attempt.lane, default: 0] += 1
        lanes.end(attempt.lane)
        replaceable.removeValue(forKey: attempt.claimed.token)?.finish()
        settle(attempt.claimed, result.outcome, report: result.report, at: result.ended)
    }

    /// Takes note that a claimed delivery has come to an end, or will be tried again; without a report it was not tried.
    ///
    /// Whoever is to be told that it was given up is told by the same transaction that records it.
    mutating func settle(
        _ claimed: ClaimedDelivery, _ outcome: Outcome, report: DeliveryReport? = nil, at reading: ClockReading
    ) {
        var firings: [Firing] = []
        switch outcome {
        case .dead(let reason), .expired(let reason):
            let attempts = report == nil ? claimed.attempt - 1 : claimed.attempt
            if let firing = Firing.failure(of: claimed, reason: reason, attempts: attempts, now: reading.now) {
                firings = [firing]
            }
        case .delivered, .retry, .skipped:
            break
        }
        let settlement = Settlement(
            token: claimed.token, id: claimed.id, outcome: outcome, report: report, ended: reading.now, firings: firings
        )
        unsettled.append((settlement, reading.setBy))
    }

    /// What is to be recorded, with the instants of retries in accord with a clock that may have been set since.
    func settlements(at reading: ClockReading) -> [Settlement] {
        unsettled.map { settlement, setBy in
            var settlement = settlement
            if case .retry(let next, let reason) = settlement.outcome {
                settlement.outcome = .retry(at: next.advanced(by: reading.setBy - setBy), reason: reason)
            }
            return settlement
        }
    }

    /// Takes note that all of it is recorded.
    mutating func settled() {
        unsettled = []
        ended = [:]
    }
}
