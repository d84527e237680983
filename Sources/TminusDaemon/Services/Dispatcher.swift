internal import Logging
internal import ServiceLifecycle
internal import TminusCore

/// Claims deliveries, runs each against its sink, and records how it ended.
///
/// Everything that a delivery is stands in the store; what is in memory here is only which attempts run. So a process that dies
/// loses nothing: its claims are released at the next start, and the deliveries go out again with the same ids.
struct Dispatcher: Service {
    /// How long running deliveries may take to end once the daemon stops.
    static let stopLimit: Duration = .seconds(30)

    let store: any Store
    let clock: any WallClock
    let sinks: SinkRegistry
    let inbox: Mailbox<DispatcherMessage>
    let scheduler: Mailbox<SchedulerInput>
    /// Names this process in its claims.
    let owner: String
    /// The CloudEvents source.
    let source: String
    let logger: Logger
    var retryPolicy = RetryPolicy.standard

    func run() async throws {
        let released = try await store.releaseClaims(.ofFormerOwners, owner: owner, now: clock.now)
        if released > 0 { logger.notice("deliveries go on that were interrupted", metadata: ["count": "\(released)"]) }
        let alarm = clock.makeAlarm()
        inbox.send(.work)
        await withGracefulShutdownHandler {
            await withDiscardingTaskGroup { group in
                group.addTask { for await _ in alarm.rings { inbox.send(.work) } }
                await loop(alarm, &group)
                alarm.cancel()
                group.cancelAll()
            }
        } onGracefulShutdown: {
            inbox.send(.stop)
        }
    }

    private func loop(_ alarm: any Alarm, _ group: inout DiscardingTaskGroup) async {
        var run = DispatcherRun()
        for await _ in inbox.signals {
            for message in inbox.takeAll() {
                switch message {
                case .work: break
                case .finished(let attempt, let outcome):
                    run.finish(attempt, outcome)
                    log(attempt.claimed, outcome)
                case .stop:
                    run.isStopping = true
                    group.addTask {
                        try? await Task.sleep(for: Self.stopLimit, clock: .continuous)
                        inbox.send(.giveUp)
                    }
                case .giveUp:
                    group.cancelAll()
                }
            }
            await step(&run, alarm, &group)
            if run.isStopping, run.lanes.inFlight == 0, run.unsettled.isEmpty || run.storeError != nil { break }
        }
        for lane in run.lanes.lanes.values { await lane.sink.shutdown() }
    }

    /// Settles what has ended, and starts what there is room for.
    private func step(_ run: inout DispatcherRun, _ alarm: any Alarm, _ group: inout DiscardingTaskGroup) async {
        do throws(StoreError) {
            if !run.unsettled.isEmpty {
                let ended = try await store.settle(run.unsettled, now: clock.now)
                run.unsettled = []
                if !ended.isEmpty { scheduler.send(.ended(ended)) }
            }
            for sink in run.lanes.retire() { await sink.shutdown() }
            if !run.isStopping {
                while try await claim(&run, &group) {}
                alarm.set(try await store.nextAttempt(after: clock.now))
            }
            if run.storeError != nil { logger.notice("the store works again") }
            run.storeError = nil
            run.backoff = Backoff()
        } catch {
            if run.storeError != error {
                logger.error("deliveries wait for the store", metadata: ["error": "\(error)"])
                run.storeError = error
            }
            let wait = run.backoff.wait()
            group.addTask {
                try? await Task.sleep(for: wait, clock: .continuous)
                inbox.send(.work)
            }
        }
    }

    /// Starts as many deliveries as there is room for; true if there may be more.
    private func claim(
        _ run: inout DispatcherRun, _ group: inout DiscardingTaskGroup
    ) async throws(StoreError) -> Bool {
        guard run.lanes.room > 0 else { return false }
        let now = clock.now
        let request = ClaimRequest(
            owner: owner, limit: run.lanes.room, room: run.lanes.roomBySink, otherRoom: 1,
            until: now.advanced(by: .seconds(3_600)))
        let claimed = try await store.claim(request, now: now)
        for (index, delivery) in claimed.enumerated() {
            guard let payload = delivery.payload else {
                let reason = "its stored payload cannot be read"
                run.unsettled.append(Settlement(delivery, .dead(reason: reason)))
                logger.error("delivery failed for good", metadata: delivery.metadata(reason: reason))
                continue
            }
            let lane = SinkLane.ID(key: delivery.sink, revision: delivery.sinkRevision)
            do throws(StoreError) {
                guard let sink = try await sink(for: lane, &run) else {
                    let reason = "the sink '\(delivery.sink)' cannot be made by this program"
                    run.unsettled.append(Settlement(delivery, .dead(reason: reason)))
                    logger.error("delivery failed for good", metadata: delivery.metadata(reason: reason))
                    continue
                }
                run.lanes.begin(lane)
                let attempt = Attempt(claimed: delivery, lane: lane)
                group.addTask { inbox.send(.finished(attempt, await perform(delivery, payload, sink))) }
            } catch {
                // What was claimed and not begun goes back, or nobody would ever touch it again.
                run.unsettled += claimed[index...].map { Settlement($0, .retry(at: now, reason: "\(error)")) }
                throw error
            }
        }
        return !claimed.isEmpty
    }

    private func sink(for lane: SinkLane.ID, _ run: inout DispatcherRun) async throws(StoreError) -> (any Sink)? {
        if let sink = run.lanes.lanes[lane]?.sink { return sink }
        guard let spec = try await store.sink(lane.key),
            let sink = sinks.make(spec, reporting: DiagnosticBag(file: "store"))
        else { return nil }
        run.lanes.open(lane, sink)
        return sink
    }

    private func perform(_ claimed: ClaimedDelivery, _ payload: Payload, _ sink: any Sink) async -> Outcome {
        let delivery = Delivery(
            id: claimed.id, action: claimed.action, sink: claimed.sink, due: claimed.due, attempt: claimed.attempt,
            source: source, payload: payload)
        switch await sink.deliverWithinLimit(delivery) {
        case .success:
            return .delivered
        case .failure where Task.isCancelled:
            return .retry(at: clock.now, reason: "interrupted because the daemon stopped")
        case .failure(let error):
            return retryPolicy.outcome(
                of: error, attempt: claimed.attempt, created: claimed.created, now: clock.now,
                share: Double.random(in: 0...1))
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
        }
    }
}

extension ClaimedDelivery {
    fileprivate func metadata(reason: String?) -> Logger.Metadata {
        var metadata: Logger.Metadata = [
            "definition.id": "\(definition)", "delivery.id": "\(id)", "sink": "\(sink)", "attempt": "\(attempt)",
        ]
        metadata["reason"] = reason.map { "\($0)" }
        return metadata
    }
}
