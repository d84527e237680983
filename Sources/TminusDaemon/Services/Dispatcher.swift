internal import Logging
internal import ServiceLifecycle
internal import TminusCore

/// Claims deliveries, runs each against its sink, and records how it ended.
///
/// Everything that a delivery is stands in the store; what is in memory here is only which attempts run. So a process that dies
/// loses nothing: its claims are released at the next start (``Recovery``), and the deliveries go out again with the same ids.
struct Dispatcher: Service {
    let store: any Store
    let clock: any WallClock
    let sinks: SinkRegistry
    let inbox: Mailbox<DispatcherMessage>
    let scheduler: Mailbox<SchedulerInput>
    /// Where it says how much room it has.
    let offer: ClaimOffer
    /// Names this process in its claims, and no other before or after it.
    let owner: String
    /// The CloudEvents source.
    let source: String
    /// Told whether the store can be used.
    let status: StatusPublisher
    let logger: Logger
    /// The share of its bound that a retry waits, from 0 to 1.
    var share: @Sendable () -> Double = { Double.random(in: 0...1) }
    /// How long running deliveries may take to end once the daemon stops.
    var stopLimit: Duration = .seconds(25)
    /// Why what was claimed is not sent by a daemon that stops.
    private static let stopped = "the daemon stopped before it could be sent"

    func run() async throws {
        let alarm = clock.makeAlarm { inbox.send(.work) }
        let worker = DeliveryWorker(clock: clock, source: source, share: share)
        let ends = AttemptEnds()
        // Who does not want to know of each is not asked for each: the level is that of the start.
        let isEachSaid = logger.logLevel <= .debug
        let running = RunningAttempts(by: worker) { attempt, result in
            if isEachSaid || !result.outcome.isDelivered { log(attempt.claimed, result.outcome) }
            if ends.add(attempt, result) { inbox.send(.ended) }
        }
        var run = DispatcherRun(at: clock.reading, running, ends)
        inbox.send(.work)
        await withGracefulShutdownHandler {
            await withDiscardingTaskGroup { group in
                await loop(&run, alarm, &group)
                alarm.cancel()
                running.cancel()
                await running.ended()
                group.cancelAll()
            }
        } onGracefulShutdown: {
            inbox.send(.stop)
        }
        await conclude(&run)
    }

    private func loop(_ run: inout DispatcherRun, _ alarm: any Alarm, _ group: inout DiscardingTaskGroup) async {
        for await _ in inbox.signals {
            var isHinted = false
            var isGathered = false
            for message in inbox.takeAll() {
                switch message {
                case .ended: break
                case .gathered: isGathered = true
                case .work: isHinted = true
                case .claimed(let claimed): await begin(claimed, &run, alarm)
                case .sinks(let revisions):
                    isHinted = true
                    run.lanes.update(revisions)
                    let lanes = run.lanes
                    withdraw(&run, "its sink was edited") { !lanes.isInForce($1) }
                case .stop:
                    isHinted = true
                    stop(&run, &group)
                case .giveUp:
                    isHinted = true
                    run.running.cancel()
                }
            }
            if isGathered { run.isGathering = false }
            // While more is gathered they stay where they are, if nothing comes between, and so nobody is told of each.
            if isHinted || !run.isGathering { run.finish() }
            if !isHinted {
                guard run.hasEnds else { continue }
                if !isGathered, run.isWorthGathering {
                    gather(&run, &group)
                    continue
                }
            }
            await step(&run, alarm, &group)
            if run.isOver { break }
        }
    }

    private func stop(_ run: inout DispatcherRun, _ group: inout DiscardingTaskGroup) {
        guard !run.isStopping else { return }
        run.isStopping = true
        offer.make(nil, at: clock.now)
        withdraw(&run, Self.stopped) { _, _ in true }
        if run.lanes.inHand > 0 {
            logger.notice("waiting for running deliveries", metadata: ["count": "\(run.lanes.inHand)"])
        }
        group.addTask {
            try? await Task.sleep(for: stopLimit, clock: .continuous)
            inbox.send(.giveUp)
        }
    }

    /// Lets more attempts end before the store is asked: one transaction for several costs little more than for one.
    private func gather(_ run: inout DispatcherRun, _ group: inout DiscardingTaskGroup) {
        guard !run.isGathering else { return }
        run.isGathering = true
        group.addTask {
            try? await Task.sleep(for: .milliseconds(5), clock: .continuous)
            inbox.send(.gathered)
        }
    }

    /// Settles what has ended, and starts what there is room for.
    private func step(_ run: inout DispatcherRun, _ alarm: any Alarm, _ group: inout DiscardingTaskGroup) async {
        // One instant for the whole step: between two, an attempt could become due that neither sees.
        let reading = clock.reading
        guard run.isStopping || !run.trouble.isWaiting(at: reading) else { return alarm.set(run.trouble.until) }
        run.finishToRecord()
        do throws(StoreError) {
            if reading.setBy != run.setBy {
                try await store.clockWasSet(by: reading.setBy - run.setBy, now: reading.now)
                run.setBy = reading.setBy
            }
            let slowed = run.slowedLanes(at: reading.steady)
            if !slowed.isEmpty { withdraw(&run, "those before it take long") { slowed.contains($1) } }
            let request = run.isStopping ? nil : run.request(owner: owner, at: reading)
            let claimed = try await settle(&run, claiming: request, at: reading)
            for sink in run.lanes.retire(at: reading.steady) { group.addTask { await sink.shutdown() } }
            try await begin(claimed, &run, at: reading)
            if !run.isStopping {
                if run.mayFindMore(than: claimed, by: request) {
                    // What ended meanwhile goes first.
                    inbox.send(.work)
                } else {
                    run.planReview(at: reading.steady)
                    setAlarm(alarm, run, at: reading)
                }
                try await stopReplaced(&run, at: reading)
                offer.make(run.offer(owner: owner, at: reading), at: reading.now)
            }
            if run.trouble.ended() {
                status.store(refused: nil, to: .deliveries)
                logger.notice("deliveries go on: the store works again")
            }
        } catch {
            status.store(refused: "\(error)", to: .deliveries)
            offer.make(nil, at: reading.now)
            if run.trouble.failed(error, at: clock.reading) {
                logger.error("deliveries wait for the store, which is tried again", metadata: ["error": "\(error)"])
            }
            alarm.set(run.trouble.until)
        }
    }

    /// Has the alarm ring when there is something to do of which nobody else tells.
    private func setAlarm(_ alarm: any Alarm, _ run: DispatcherRun, at reading: ClockReading) {
        let steady = [run.lanes.nextRoom(at: reading.steady), run.review].compactMap(\.self).min()
        alarm.set([run.nextAttempt, steady?.advanced(by: reading.setBy)].compactMap(\.self).min())
    }

    /// Gives back what waits for room, to be claimed anew.
    private func withdraw(
        _ run: inout DispatcherRun, _ reason: String, _ isWanted: (ClaimedDelivery, SinkLane.ID) -> Bool
    ) {
        let withdrawn = run.running.withdraw(isWanted)
        guard !withdrawn.isEmpty else { return }
        let reading = clock.reading
        for attempt in withdrawn { run.withdraw(attempt, .retry(at: reading.now, reason: reason), at: reading) }
    }

    /// Records what has ended, claims what is asked for, and finds out when something else is due.
    private func settle(
        _ run: inout DispatcherRun, claiming request: ClaimRequest?, at reading: ClockReading
    ) async throws(StoreError) -> [ClaimedDelivery] {
        let settlements = run.unsettled.settlements(at: reading)
        var claimed: [ClaimedDelivery] = []
        let ended: [EndedExpiry]
        if let request {
            (ended, claimed, run.nextAttempt) =
                try await store.settle(settlements, andClaim: request, now: reading.now)
        } else {
            // Until there is room, which the end of an attempt makes, there is no use in knowing what is due.
            run.nextAttempt = nil
            ended = settlements.isEmpty ? [] : try await store.settle(settlements, now: reading.now)
        }
        run.settled()
        if !ended.isEmpty { scheduler.send(.ended(ended)) }
        return claimed
    }

    /// Ends attempts whose place a later occurrence takes, and those that have not begun.
    private func stopReplaced(_ run: inout DispatcherRun, at reading: ClockReading) async throws(StoreError) {
        guard !run.replaceable.isEmpty else { return }
        let replaced = Set(try await store.replacedClaims(owner: owner))
        guard !replaced.isEmpty else { return }
        let withdrawn = run.running.withdraw { claimed, _ in replaced.contains(claimed.token) }
        for attempt in withdrawn { run.withdraw(attempt, .skipped(reason: Overlap.replacedReason), at: reading) }
        if !withdrawn.isEmpty { inbox.send(.work) }
        for token in replaced { run.replaceable[token]?.wish() }
    }

    /// Starts what was claimed as it was written.
    private func begin(_ claimed: [ClaimedDelivery], _ run: inout DispatcherRun, _ alarm: any Alarm) async {
        guard !run.isStopping else { return giveBack(claimed, &run) }
        let reading = clock.reading
        // If the store cannot say what a sink is, the next step finds it out.
        try? await begin(claimed, &run, at: reading)
        // What is quick is over by now, and there is room for more.
        run.finish()
        if run.planReview(at: reading.steady) { setAlarm(alarm, run, at: reading) }
        offer.make(run.offer(owner: owner, at: reading), at: reading.now, begun: claimed)
    }

    /// Leaves what was claimed to the daemon that comes after this one.
    private func giveBack(_ claimed: [ClaimedDelivery], _ run: inout DispatcherRun) {
        let reading = clock.reading
        for delivery in claimed { run.settle(delivery, .retry(at: reading.now, reason: Self.stopped), at: reading) }
    }

    /// Starts what was claimed.
    private func begin(
        _ claimed: [ClaimedDelivery], _ run: inout DispatcherRun, at reading: ClockReading
    ) async throws(StoreError) {
        var groups: [AttemptGroup] = []
        defer { run.running.begin(groups) }
        var rest = claimed[...]
        while let first = rest.first {
            // Many in a row are for one sink.
            let group = run.lanes.takesMany(first.lane) ? rest.prefix { $0.isBeside(first) } : rest.prefix(1)
            do throws(StoreError) {
                if let sink = try await sink(for: first, group.count, &run, at: reading) {
                    groups.append(AttemptGroup(made: sink, claimed: group, stops: run.stops(of: group)))
                }
            } catch {
                // What was claimed and not begun goes back, or nobody would ever touch it again.
                for delivery in rest {
                    run.settle(delivery, .retry(at: reading.now, reason: "\(error)"), at: reading)
                }
                throw error
            }
            rest = rest[group.endIndex...]
        }
    }

    /// The sink of so many deliveries that were claimed like this one, with room for them taken; nil if no attempt can be made.
    /// More than one only of a lane that takes many: then there is a sink.
    private func sink(
        for claimed: ClaimedDelivery, _ count: Int, _ run: inout DispatcherRun, at reading: ClockReading
    ) async throws(StoreError) -> MadeSink? {
        guard run.lanes.isInTurn(claimed.sink, at: reading.steady) else {
            run.settle(claimed, .retry(at: reading.now, reason: "its sink has a rate limit"), at: reading)
            return nil
        }
        var lane = claimed.lane
        if let sink = run.lanes.begin(lane, count, at: reading.steady) { return sink }
        guard let spec = try await store.sink(lane.key) else {
            bury(claimed, "the sink '\(claimed.sink)' is not known, or what is stored of it cannot be read", &run)
            return nil
        }
        guard let sink = sinks.make(spec, reporting: DiagnosticBag(file: "store"), log: log(of: lane.key)) else {
            bury(claimed, "the sink '\(claimed.sink)' cannot be made by this program", &run)
            return nil
        }
        // It may have been edited since the claim.
        lane.revision = spec.revision
        if run.lanes.lanes[lane] == nil { run.lanes.open(lane, sink, at: reading.steady) }
        return run.lanes.begin(lane, count, at: reading.steady)
    }

    /// Gives up a delivery that no sink can be asked to take.
    private func bury(_ claimed: ClaimedDelivery, _ reason: String, _ run: inout DispatcherRun) {
        run.settle(claimed, .dead(reason: reason), at: clock.reading)
        log(claimed, .dead(reason: reason))
    }

    /// After the loop and the last attempt: records what ended since, and closes the sinks.
    private func conclude(_ run: inout DispatcherRun) async {
        run.isStopping = true
        run.finishToRecord()
        for message in inbox.takeAll() {
            switch message {
            case .claimed(let claimed): giveBack(claimed, &run)
            default: continue
            }
        }
        withdraw(&run, Self.stopped) { _, _ in true }
        do throws(StoreError) {
            _ = try await settle(&run, claiming: nil, at: clock.reading)
        } catch {
            logger.error(
                "ended deliveries could not be recorded; they are sent again after the next start",
                metadata: ["count": "\(run.unsettled.count)", "error": "\(error)"])
        }
        let sinks = run.lanes.lanes.values.map(\.made.sink)
        await withDiscardingTaskGroup { group in
            for sink in sinks { group.addTask { await sink.shutdown() } }
        }
    }

    /// What a sink has to say beside its deliveries.
    private func log(of sink: SinkKey) -> SinkLog {
        SinkLog { level, text in
            logger.log(level: level == .warning ? .warning : .notice, "\(text)", metadata: ["sink": "\(sink)"])
        }
    }

    private func log(_ claimed: ClaimedDelivery, _ outcome: Outcome) {
        switch outcome {
        case .delivered:
            logger.debug("delivered", metadata: claimed.metadata(reason: nil))
        case .retry(let next, let reason):
            var metadata = claimed.metadata(reason: reason)
            metadata["next"] = "\(next.rfc3339)"
            logger.warning("delivery failed, it is tried again", metadata: metadata)
        case .dead(let reason):
            logger.error("delivery failed for good", metadata: claimed.metadata(reason: reason))
        case .expired(let reason):
            logger.error("delivery is of no more use", metadata: claimed.metadata(reason: reason))
        case .skipped(let reason):
            logger.notice("delivery ended", metadata: claimed.metadata(reason: reason))
        }
    }
}

extension ClaimedDelivery {
    /// The lane of its sink as that was when it was claimed.
    fileprivate var lane: SinkLane.ID { SinkLane.ID(key: sink, revision: sinkRevision) }

    /// Whether it goes to the lane of another.
    fileprivate func isBeside(_ other: ClaimedDelivery) -> Bool {
        sinkRevision == other.sinkRevision && sink == other.sink
    }

    fileprivate func metadata(reason: String?) -> Logger.Metadata {
        var metadata: Logger.Metadata = [
            "definition.id": "\(definition)", "delivery.id": "\(id)", "sink": "\(sink)", "attempt": "\(attempt)",
        ]
        metadata["reason"] = reason.map { "\($0)" }
        return metadata
    }
}

extension Outcome {
    fileprivate var isDelivered: Bool { if case .delivered = self { true } else { false } }
}
