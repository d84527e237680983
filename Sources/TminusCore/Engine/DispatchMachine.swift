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

    /// An end that a person may want to know of, with the title of the sink.
    typealias Report = (delivery: Delivery, outcome: Outcome, sink: String)

    private let source: String
    private let reportsSuccesses: Bool
    private let isFollower: Bool
    private let labels: Set<MachineLabel>
    /// What deliveries may be addressed to.
    private(set) var sinks: KnownSinks
    private(set) var lanes: [SinkLane.ID: SinkLane] = [:]
    /// The sinks that a follower could not make, and until when it does not try again, in steady time. Other machines may make them.
    private(set) var unfit: [SinkKey: Timestamp] = [:]
    /// What the rate limits leave. A bucket outlives its lane, and an edit that leaves the limit alone.
    private(set) var buckets: [SinkKey: RateBucket] = [:]
    private(set) var running: [Attempt.Number: RunningAttempt] = [:]
    /// The running attempts whose deliveries a person discarded.
    private var discarded: Set<Attempt.Number> = []
    private var lastAttempt: Attempt.Number = 0
    private(set) var waitingCount = 0
    private(set) var unwritten: [UnwrittenEnd] = []
    private var isStopping = false
    /// When to claim next.
    private(set) var dueClaim = DueClaim()
    /// When to check for stalled lanes, in steady time; nil: nothing waits.
    private var nextReview: Timestamp?
    /// The running attempts to cancel.
    private var cancelled: [Attempt.Number] = []
    /// Ends that a person may want to know of, since they were asked for last.
    private var reports: [Report] = []
    /// What was counted so far.
    private(set) var figures = DispatchFigures()

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
        self.reportsSuccesses = reportsSuccesses
        sinks = KnownSinks(makeSink: makeSink)
    }

    /// How many claimed deliveries have not ended.
    var inHand: Int { running.count + waitingCount }
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
            for (attempt, run) in running where withdrawn.contains(run.delivery.claim.token) {
                running[attempt]?.isWithdrawn = true
            }
        }
        guard let request else { return }
        let counts = committed.claimed.reduce(into: [:]) { $0[$1.sink, default: 0] += 1 }
        for place in lanes.values.indices {
            let key = lanes.values[place].id.key
            lanes.values[place].hasBacklog = counts[key, default: 0] >= request.room[key] ?? request.otherRoom
        }
        dueClaim.nextAttempt = committed.nextAttempt
        // Sinks that were unknown or have a rate limit are given one delivery at a time.
        dueClaim.isWanted =
            dueClaim.isWanted
            || !committed.claimed.isEmpty
                && (committed.claimed.count >= request.limit || hasSettlements || !buckets.isEmpty
                    || committed.claimed.contains { request.room[$0.sink] == nil })
    }

    /// An attempt ended.
    mutating func ended(_ end: AttemptOutcome) {
        guard let run = running.removeValue(forKey: end.attempt) else { return }
        discarded.remove(end.attempt)
        let took = max(.zero, run.begun.duration(to: end.ended.steady))
        lanes[run.lane]?.ended(after: took, at: end.ended.steady)
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
        for id in lanes.keys {
            waitingCount -= lanes[id]?.removeWaiting { ids.contains($0.id) }.count ?? 0
        }
        for (attempt, run) in running where ids.contains(run.delivery.id) {
            running[attempt]?.override = .discarded
            self.discarded.insert(attempt)
            cancelled.append(attempt)
        }
        hint()
    }

    /// The daemon stops: what waits goes back to the store, for the next start.
    mutating func stop(at reading: ClockReading) {
        isStopping = true
        giveBack(.stoppedBefore, at: reading) { _, _ in true }
    }

    /// The running attempts have had their time.
    mutating func giveUp() {
        for (attempt, run) in running where run.override == nil { running[attempt]?.override = .interrupted }
        cancelled += running.keys
    }

    /// Forgets the running attempts. Their deliveries stay claimed, and the next start repeats them. Returns how many there were.
    mutating func abandon(at reading: ClockReading) -> Int {
        for run in running.values {
            lanes[run.lane]?.ended(after: max(.zero, run.begun.duration(to: reading.steady)), at: reading.steady)
        }
        defer { running = [:] }
        return running.count
    }
}

// MARK: - Commits

extension DispatchMachine {
    /// The ends to write. The instants of retries agree with a clock that was set since they were chosen.
    func settlements(at reading: ClockReading) -> [Settlement] {
        unwritten.map { $0.settlement(at: reading) }
    }

    /// The first `count` ends are written.
    mutating func written(settlements count: Int) {
        for end in unwritten.prefix(count) { figures.settled(end.settlement.outcome, sink: end.sink) }
        unwritten.removeFirst(count)
    }

    /// What to claim; nil while there is no room and nothing that could have to give way.
    mutating func claimRequest(owner: String, at reading: ClockReading) -> ClaimRequest? {
        guard !isStopping else { return nil }
        dueClaim.isWanted = false
        let room = room
        guard room > 0 || running.values.contains(where: { $0.delivery.claim.overlap == .replace }) else {
            // Until an attempt ends there is no use in knowing what is due.
            dueClaim.nextAttempt = nil
            return nil
        }
        dueClaim.nextRefill = buckets.values.compactMap { $0.next(at: reading.steady) }.min()
        let longest = lanes.values.map(\.sink.sink.timeLimit).max() ?? .zero
        return ClaimRequest(
            owner: owner, limit: max(0, room), room: roomBySink(at: reading.steady), otherRoom: 1,
            until: reading.now.advanced(by: .seconds(3_600) + longest),
            removedBefore: reading.now.advanced(by: .zero - Retention.standard.removedSchedules),
            isFollower: isFollower, labels: labels)
    }

    /// Whether a commit is due although the schedule has nothing to write.
    func wantsCommit(at reading: ClockReading) -> Bool {
        hasSettlements || !isStopping && dueClaim.isDue(at: reading)
    }

    /// When the machine has something to do without being told; in wall time.
    func wakeAt(_ reading: ClockReading) -> Timestamp? {
        let steady = [dueClaim.nextRefill, nextReview].compactMap(\.self).min()
        return [dueClaim.nextAttempt, steady?.advanced(by: reading.setBy)].compactMap(\.self).min()
    }
}

// MARK: - Attempts

extension DispatchMachine {
    /// Begins what waits, as far as there is room: one of each lane in turn, so that no lane takes all the room that is left.
    mutating func begin(at reading: ClockReading) -> [Attempt] {
        var attempts: [Attempt] = []
        // Places of lanes stay valid as long as none is added or removed.
        var ready = waitingCount == 0 || isStopping ? [] : Array(lanes.values.indices)
        while !ready.isEmpty {
            ready = ready.filter { place in
                guard let attempt = beginNext(at: place, reading) else { return false }
                attempts.append(attempt)
                return true
            }
        }
        review(at: reading)
        if nextReview == nil, waitingCount > 0 { nextReview = reading.steady.advanced(by: .seconds(1)) }
        return attempts
    }

    /// Sinks that are not used any more, to be shut down: former revisions, and unused ones beyond the idle limit.
    mutating func retire(at reading: ClockReading) -> [any Sink] {
        let idle = lanes.values.filter { $0.inHand == 0 }
        let isSurplus = idle.count > Self.idleLimit
        let retired = idle.filter { isSurplus || !sinks.isInForce($0.id) }
        guard !retired.isEmpty else { return [] }
        for lane in retired {
            lanes[lane.id] = nil
            // The store names it again with the next delivery.
            if isFollower { sinks.forget(lane.id) }
        }
        let used = Set(lanes.keys.map(\.key))
        // A full bucket is as good as a new one.
        buckets = buckets.filter { used.contains($0.key) || $0.value.next(at: reading.steady) != nil }
        return retired.map(\.sink.sink)
    }

    /// All sinks, once the last attempt has ended.
    mutating func close() -> [any Sink] {
        defer { lanes = [:] }
        return lanes.values.map(\.sink.sink)
    }

    /// The attempts to cancel since it was asked last.
    mutating func takeCancelled() -> [Attempt.Number] {
        defer { cancelled = [] }
        return cancelled
    }

    /// The ends since it was asked last, but for deliveries that went back to the store without an attempt.
    mutating func takeReports() -> [Report] {
        defer { reports = [] }
        return reports
    }

    /// Begins the next delivery of a lane that is still useful; nil if there is none or no capacity.
    private mutating func beginNext(
        at place: [SinkLane.ID: SinkLane].Values.Index, _ reading: ClockReading
    ) -> Attempt? {
        while hasCapacity(lanes.values[place]), var delivery = lanes.values[place].takeFirst() {
            waitingCount -= 1
            if let expires = delivery.claim.expires, expires <= reading.now {
                settle(
                    delivery, .expired(reason: FixedReason.uselessByThen.rawValue),
                    sink: lanes.values[place].slots.sink, at: reading)
                continue
            }
            delivery.payload.refresh(at: reading.now)
            delivery.source = source
            lanes.values[place].begin()
            figures.began(delivery, at: reading.now)
            lastAttempt += 1
            running[lastAttempt] = RunningAttempt(
                delivery: delivery, lane: lanes.values[place].id, slots: lanes.values[place].slots,
                begun: reading.steady)
            return Attempt(lastAttempt, delivery: delivery, sink: lanes.values[place].sink)
        }
        return nil
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
        guard let place = lanes.index(forKey: id) ?? open(id, at: reading.steady) else {
            if isFollower {
                // Another machine may run a newer program.
                unfit[delivery.sink] = reading.steady.advanced(by: .seconds(60))
                return settle(delivery, .retry(at: reading.now, reason: FixedReason.unfitMachine.rawValue), at: reading)
            }
            let title = sinks.title(of: delivery.sink) ?? delivery.sink.rawValue
            return settle(delivery, .dead(reason: FixedReason.unsupportedSink(title)), at: reading)
        }
        guard !waitsForDiscarded(delivery) else {
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
        lanes.values[place].append(delivery)
        waitingCount += 1
    }

    /// Whether the attempt before it in its order was discarded and has not ended yet: for the store it has.
    private func waitsForDiscarded(_ delivery: Delivery) -> Bool {
        guard !discarded.isEmpty, delivery.claim.overlap != .allow else { return false }
        return discarded.contains { attempt in
            guard let former = running[attempt]?.delivery else { return false }
            return former.definition == delivery.definition && former.sink == delivery.sink
        }
    }

    /// Makes a lane with its sink, and returns its place; nil if the sink cannot be made.
    private mutating func open(
        _ id: SinkLane.ID, at steady: Timestamp
    ) -> [SinkLane.ID: SinkLane].Values.Index? {
        guard let sink = sinks.make(id.key), let spec = sinks.spec(of: id.key) else { return nil }
        lanes[id] = SinkLane(id, sink, title: spec.title, slots: figures.slots(of: spec))
        if buckets[id.key]?.limit != sink.policy.rateLimit {
            buckets[id.key] = sink.policy.rateLimit.map { RateBucket($0, now: steady) }
        }
        return lanes.index(forKey: id)
    }

    /// Compares what is in hand with the claims that the store has.
    private mutating func compare(_ held: [HeldClaim], claimed: [Delivery], at reading: ClockReading) {
        loseAll(except: Set(held.map(\.token)))
        // Attempts that were abandoned go on being claimed, for the next start.
        guard !isStopping else { return }
        let waiting = lanes.values.flatMap { $0.waiting.map(\.claim.token) }
        let inHand = waiting + running.values.map(\.delivery.claim.token) + unwritten.map(\.settlement.token)
        let known = Set(inHand + claimed.map(\.claim.token))
        for claim in held where !known.contains(claim.token) {
            let settlement = Settlement(
                token: claim.token, id: claim.delivery,
                outcome: .retry(at: reading.now, reason: FixedReason.endLost.rawValue), report: nil)
            unwritten.append(
                UnwrittenEnd(
                    settlement, of: claim.definition, setBy: reading.setBy, sink: figures.sinks.otherSlot))
        }
    }

    /// Drops what the store has taken away: its ends would not be written.
    private mutating func loseAll(except held: Set<String>) {
        for id in lanes.keys {
            waitingCount -= lanes[id]?.removeWaiting { !held.contains($0.claim.token) }.count ?? 0
        }
        for (attempt, run) in running where run.override != .discarded && !held.contains(run.delivery.claim.token) {
            running[attempt]?.override = .discarded
            discarded.insert(attempt)
            cancelled.append(attempt)
        }
    }

    /// Ends an attempt whose place a later occurrence takes.
    private mutating func replace(_ token: String, at reading: ClockReading) {
        if let attempt = running.first(where: { $0.value.delivery.claim.token == token })?.key {
            running[attempt]?.override = .replaced
            return cancelled.append(attempt)
        }
        for id in lanes.keys {
            for delivery in lanes[id]?.removeWaiting(where: { $0.claim.token == token }) ?? [] {
                waitingCount -= 1
                settle(
                    delivery, .skipped(reason: Overlap.replacedReason), sink: lanes[id]?.slots.sink, at: reading)
            }
        }
    }

    /// Gives back what waits for a former revision of these sinks.
    private mutating func giveBack(waitingFor changed: Set<SinkKey>, at reading: ClockReading) {
        guard !changed.isEmpty else { return }
        giveBack(.sinkEdited, at: reading) { _, lane in changed.contains(lane.key) }
    }

    /// Settles waiting deliveries so that they can be claimed anew.
    private mutating func giveBack(
        _ reason: FixedReason, at reading: ClockReading, where isWanted: (Delivery, SinkLane.ID) -> Bool
    ) {
        guard waitingCount > 0 else { return }
        for id in lanes.keys {
            for delivery in lanes[id]?.removeWaiting(where: { isWanted($0, id) }) ?? [] {
                waitingCount -= 1
                settle(delivery, .retry(at: reading.now, reason: reason.rawValue), at: reading)
            }
        }
    }

    /// Once a second: what waits in a stalled lane goes back, because a claimed delivery passes for one that runs.
    private mutating func review(at reading: ClockReading) {
        guard let review = nextReview, review <= reading.steady else { return }
        nextReview = nil
        let since = reading.steady.advanced(by: .seconds(-1))
        let stalled = Set(lanes.values.filter { $0.isStalled(since: since) }.map(\.id))
        for id in stalled { lanes[id]?.slowDown() }
        if !stalled.isEmpty {
            giveBack(.stalled, at: reading) { _, lane in stalled.contains(lane) }
        }
    }

    /// Leaves an end for the next commit. `sink` is the place of its sink in ``figures``, nil for one that has no lane.
    private mutating func settle(
        _ delivery: Delivery, _ outcome: Outcome, report: DeliveryReport? = nil, sink: Int? = nil,
        isWithdrawn: Bool = false, at reading: ClockReading
    ) {
        let isReported = outcome == .delivered ? reportsSuccesses : report != nil || !outcome.isRetry
        if isReported {
            // The store does not retry a withdrawn delivery, so the log must not announce a retry.
            let reported = isWithdrawn && outcome.isRetry ? .skipped(reason: FixedReason.withdrawn.rawValue) : outcome
            reports.append((delivery, reported, title(of: delivery.sink)))
        }
        let settlement = Settlement(
            delivery, outcome, report: report, sink: title(of: delivery.sink), at: reading.now)
        unwritten.append(
            UnwrittenEnd(
                settlement, of: delivery.definition, setBy: reading.setBy, sink: sink ?? figures.sinks.otherSlot))
    }
}
