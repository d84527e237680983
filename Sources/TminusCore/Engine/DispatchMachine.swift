/// Decides which claimed delivery begins when, and what its end means. It performs nothing.
///
/// A claimed delivery is in exactly one place: waiting in the lane of its sink, running, or in the settlements of this turn. Its
/// settlement is kept until a commit has written it; what the store never learns is released at the next start and repeated with
/// the same id.
///
///     claimed ──▶ waiting ──▶ running ──▶ settlement ──▶ written
///        │           └──── given back ───────▲
///        └── no sink, of no more use ────────┘
package struct DispatchMachine: Sendable {
    /// How many attempts may run at once in all lanes together.
    static let limit = 1_024
    /// Beyond the limit every sink may still run one, up to so many in all: sinks with much room of their own that hang must not
    /// take all room from the others.
    static let firmLimit = 4_096
    /// How many unused sinks are kept open.
    static let idleLimit = 256

    private let source: String
    let isFollower: Bool
    let labels: Set<MachineLabel>
    /// What deliveries may be addressed to.
    var sinks: KnownSinks
    var lanes = SinkLanes()
    /// The sinks that a follower could not make, and until when it does not try again, in steady time. Other machines may make them.
    var unfit: [SinkKey: Timestamp] = [:]
    /// What the rate limits leave. A bucket outlives its lane, and an edit that leaves the limit alone.
    var buckets: [SinkKey: RateBucket] = [:]
    var running = RunningAttempts()
    var unwritten: UnwrittenEnds
    private(set) var isStopping = false
    /// When to claim next.
    var dueClaim = DueClaim()
    /// What was counted so far.
    var figures = DispatchFigures()

    /// A machine without deliveries.
    ///
    /// - Parameters:
    ///   - source: The CloudEvents source of the deliveries.
    ///   - reportsSuccesses: Whether each delivered delivery is reported.
    ///   - isFollower: Whether it claims for a machine that does not lead.
    ///   - labels: The labels of the machine.
    ///   - makeSink: Decodes the options of a sink, and opens nothing.
    package init(
        source: String, reportsSuccesses: Bool, isFollower: Bool = false, labels: Set<MachineLabel> = [],
        makeSink: @escaping @Sendable (SinkSpec) -> ConfiguredSink?
    ) {
        self.source = source
        self.isFollower = isFollower
        self.labels = labels
        unwritten = UnwrittenEnds(reportsSuccesses: reportsSuccesses)
        sinks = KnownSinks(makeSink: makeSink)
    }

    /// How many claimed deliveries have not ended.
    var inHand: Int { running.count + lanes.waitingCount }
    /// Whether ends are waiting to be written.
    var hasSettlements: Bool { !unwritten.isEmpty }
    /// How many ends are waiting to be written.
    var settlementCount: Int { unwritten.count }
}

// MARK: - Inputs

extension DispatchMachine {
    /// There may be deliveries to claim.
    mutating func hint() { dueClaim.isWanted = true }

    /// These sinks are in force. What waits for a sink that was edited or removed goes back to the store.
    mutating func use(_ sinks: [SinkSpec], at reading: ClockReading) {
        // So that a sink to which nothing was sent yet is counted with 0.
        for spec in sinks { _ = figures.slots(of: spec) }
        giveBack(waitingFor: self.sinks.replace(by: sinks), at: reading)
        hint()
    }

    /// An attempt ended.
    mutating func ended(_ end: AttemptOutcome) {
        guard let run = running.end(end.attempt) else { return }
        let took = max(.zero, run.begun.duration(to: end.ended.steady))
        lanes.ended(run.lane, after: took, at: end.ended.steady)
        figures.ended(end.outcome, after: took, sink: run.slots.sink, kind: run.slots.kind)
        hint()
        var outcome = end.outcome
        switch (outcome, run.override) {
        case (_, .discarded): return
        case (.delivered, _), (_, nil): break
        case (_, .replaced): outcome = .skipped(reason: Overlap.replacedReason)
        case (_, .interrupted): outcome = .retry(at: end.ended.now, reason: FixedReason.stopped.rawValue)
        }
        settle(
            run.delivery, outcome, report: end.report, sink: run.slots.sink, isWithdrawn: run.isWithdrawn,
            at: end.ended)
    }

    /// A person discarded these: the store has voided their claims, so their ends are not written.
    mutating func discard(_ discarded: Discarded) {
        let ids = Set(discarded.deliveries)
        for (key, count) in discarded.sinks {
            let slot = sinks.spec(of: key).map { figures.slots(of: $0).sink }
            figures.discarded(count, sink: slot ?? figures.sinks.otherSlot)
        }
        _ = lanes.removeWaiting { delivery, _ in ids.contains(delivery.id) }
        running.discard(ids)
        hint()
    }

    /// The daemon stops: what waits goes back to the store, for the next start.
    mutating func stop(at reading: ClockReading) {
        isStopping = true
        giveBack(.stoppedBefore, at: reading) { _, _ in true }
    }

    /// The running attempts have had their time.
    mutating func giveUp() { running.interrupt() }

    /// Forgets the running attempts. Their deliveries stay claimed, and the next start repeats them. Returns how many there were.
    mutating func abandon(at reading: ClockReading) -> Int {
        let abandoned = running.abandon()
        for run in abandoned {
            lanes.ended(run.lane, after: max(.zero, run.begun.duration(to: reading.steady)), at: reading.steady)
        }
        return abandoned.count
    }
}

// MARK: - Commits

extension DispatchMachine {
    /// The first `count` ends are written.
    mutating func written(settlements count: Int) {
        for end in unwritten.written(count) { figures.settled(end.settlement.outcome, sink: end.sink) }
    }

    /// Whether a commit is due although the schedule has nothing to write.
    func wantsCommit(at reading: ClockReading) -> Bool {
        hasSettlements || !isStopping && dueClaim.isDue(at: reading)
    }

    /// When the machine has something to do without being told; in wall time.
    func wakeAt(_ reading: ClockReading) -> Timestamp? {
        let steady = [dueClaim.nextRefill, lanes.nextReview].compactMap(\.self).min()
        return [dueClaim.nextAttempt, steady?.advanced(by: reading.setBy)].compactMap(\.self).min()
    }
}

// MARK: - Attempts

extension DispatchMachine {
    /// Begins what waits, as far as there is room: one of each lane in turn, so that no lane takes all the room that is left.
    mutating func begin(at reading: ClockReading) -> [Attempt] {
        var attempts: [Attempt] = []
        var ready = lanes.waitingCount == 0 || isStopping ? [] : Array(lanes.byID.values.indices)
        while !ready.isEmpty {
            ready = ready.filter { place in
                guard let attempt = beginNext(at: place, reading) else { return false }
                attempts.append(attempt)
                return true
            }
        }
        // What waits in a stalled lane goes back, because a claimed delivery passes for one that runs.
        let stalled = lanes.takeStalled(at: reading.steady)
        if !stalled.isEmpty { giveBack(.stalled, at: reading) { _, lane in stalled.contains(lane) } }
        lanes.reviewLater(at: reading.steady)
        return attempts
    }

    /// Sinks that are not used any more, to be shut down: former revisions, and unused ones beyond the idle limit.
    mutating func retire(at reading: ClockReading) -> [any Sink] {
        let idle = lanes.byID.values.filter { $0.inHand == 0 }
        let isSurplus = idle.count > Self.idleLimit
        let retired = idle.filter { isSurplus || !sinks.isInForce($0.id) }
        guard !retired.isEmpty else { return [] }
        for lane in retired {
            lanes.close(lane.id)
            // The store names it again with the next delivery.
            if isFollower { sinks.forget(lane.id) }
        }
        let used = Set(lanes.byID.keys.map(\.key))
        // A full bucket is as good as a new one.
        buckets = buckets.filter { used.contains($0.key) || $0.value.next(at: reading.steady) != nil }
        return retired.map(\.sink.sink)
    }

    /// All sinks, once the last attempt has ended.
    mutating func close() -> [any Sink] { lanes.closeAll() }

    /// The attempts to cancel since it was asked last.
    mutating func takeCancelled() -> [Attempt.Number] { running.takeCancelled() }

    /// The ends since it was asked last, but for deliveries that went back to the store without an attempt.
    mutating func takeReports() -> [UnwrittenEnds.Report] { unwritten.takeReports() }

    /// Begins the next delivery of a lane that is still useful; nil if there is none or no capacity.
    private mutating func beginNext(at place: SinkLanes.Place, _ reading: ClockReading) -> Attempt? {
        while hasCapacity(lanes.byID.values[place]), var delivery = lanes.takeFirst(at: place) {
            if let expires = delivery.claim.expires, expires <= reading.now {
                settle(
                    delivery, .expired(reason: FixedReason.uselessByThen.rawValue),
                    sink: lanes.byID.values[place].slots.sink, at: reading)
                continue
            }
            delivery.payload.refresh(at: reading.now)
            delivery.source = source
            lanes.begin(at: place)
            figures.began(delivery, at: reading.now)
            let number = running.begin(
                RunningAttempt(
                    delivery: delivery, lane: lanes.byID.values[place].id, slots: lanes.byID.values[place].slots,
                    begun: reading.steady))
            return Attempt(number, delivery: delivery, sink: lanes.byID.values[place].sink)
        }
        return nil
    }

    /// Settles waiting deliveries so that they can be claimed anew.
    mutating func giveBack(
        _ reason: FixedReason, at reading: ClockReading, where isWanted: (Delivery, SinkLane.ID) -> Bool
    ) {
        for (delivery, _) in lanes.removeWaiting(where: isWanted) {
            settle(delivery, .retry(at: reading.now, reason: reason.rawValue), at: reading)
        }
    }

    /// Leaves an end for the next commit. `sink` is the place of its sink in ``figures``, nil for one that has no lane.
    mutating func settle(
        _ delivery: Delivery, _ outcome: Outcome, report: DeliveryReport? = nil, sink: Int? = nil,
        isWithdrawn: Bool = false, at reading: ClockReading
    ) {
        unwritten.add(
            delivery, outcome, report: report, title: title(of: delivery.sink), sink: sink ?? figures.sinks.otherSlot,
            isWithdrawn: isWithdrawn, at: reading)
    }
}
