internal import Logging
internal import ServiceLifecycle
internal import TminusCore

/// The loop around ``SchedulerState``: waits for inputs, writes what a step yields, sets the alarm.
///
/// A step is written before anything else happens. While the store refuses, the scheduler waits and tries again with the same
/// advance: nothing is lost, only late.
struct Scheduler: Service {
    let store: any Store
    let clock: any WallClock
    let inbox: Mailbox<SchedulerInput>
    /// What people and those who show something to them ask.
    let desk: SchedulerDesk
    let dispatcher: Mailbox<DispatcherMessage>
    /// How much room the dispatcher has.
    let offer: ClaimOffer
    /// Told whether the store can be written.
    let status: StatusPublisher
    let logger: Logger
    /// Told when much was done.
    var upkeep = MemoryUpkeep()

    func run() async throws {
        defer { desk.close() }
        try await cancelWhenGracefulShutdown {
            let snapshot = try await store.snapshot()
            if snapshot.unreadable > 0 {
                logger.error(
                    "stored schedules cannot be read: their definitions begin anew",
                    metadata: ["count": "\(snapshot.unreadable)"])
            }
            var run = SchedulerRun(snapshot, at: clock.reading)
            let alarm = clock.makeAlarm { inbox.send(.due) }
            for await _ in inbox.signals {
                await work(&run)
                alarm.set(run.wakeAt)
            }
            alarm.cancel()
            run.refuseAll("the daemon is stopping")
        }
    }

    /// Takes steps until there is nothing to do, the store refuses, or the service is to end.
    private func work(_ run: inout SchedulerRun) async {
        while await step(&run) {
            guard run.isMoreDue else { continue }
            // What is left of a flood is fired beside the dispatcher, which delivers it, and not in turn with it.
            await withTaskExecutorPreference(globalConcurrentExecutor) {
                while run.isMoreDue, await step(&run) {}
            }
        }
    }

    /// Takes a step and writes it; false if there is nothing to do, the store refuses, or the service is to end.
    private func step(_ run: inout SchedulerRun) async -> Bool {
        guard !Task.isCancelled else { return false }
        // Before the inbox: who asks counts on what was sent to the scheduler before.
        run.add(desk.takeAll())
        if run.unwritten == nil {
            if run.needsInputs { run.add(inbox.takeAll()) }
            if run.needsInputs { run.answer() }
            // The clock is read once a step.
            guard let step = run.step(at: clock.reading) else { return false }
            if let sleep = step.sleep {
                logger.notice("the machine has slept", metadata: ["clock.slept": "\(sleep)"])
            }
            if let clockStep = step.clockStep {
                logger.notice("the wall clock was set", metadata: ["clock.step": "\(clockStep)"])
            }
        }
        if await write(&run) { return true }
        // Nobody waits for a store that may be full for days.
        run.answer()
        run.refuseWaiting(run.trouble.reason)
        return false
    }

    /// Writes what the last step yielded, and then passes it on; false if the store refuses.
    private func write(_ run: inout SchedulerRun) async -> Bool {
        guard let effects = run.unwritten else { return true }
        let reading = clock.reading
        guard !run.trouble.isWaiting(at: reading) else { return false }
        var claimed: [ClaimedDelivery] = []
        if !effects.advance.isEmpty {
            do throws(StoreError) {
                let request = effects.advance.firings.isEmpty ? nil : offer.request(at: reading.now)
                let ended: [EndedExpiry]
                (ended, claimed) = try await store.advance(effects.advance, andClaim: request, now: reading.now)
                offer.take(claimed)
                if !ended.isEmpty { inbox.send(.ended(ended)) }
            } catch {
                // Whoever asked is told, and may ask again.
                if run.refuse("\(error)") {
                    status.store(refused: "\(error)", to: .controls)
                    return true
                }
                status.store(refused: "\(error)", to: .schedule)
                if run.trouble.failed(error, at: clock.reading) {
                    logger.error(
                        "the schedule cannot be written; nothing fires until it can, and it is tried again",
                        metadata: ["error": "\(error)"])
                }
                return false
            }
            status.store(refused: nil, to: .controls)
            if run.trouble.ended() {
                status.store(refused: nil, to: .schedule)
                logger.notice("the schedule can be written again")
            }
        }
        // First what somebody waits for.
        if let sinks = effects.advance.sinks {
            dispatcher.send(
                .sinks(Dictionary(sinks.map { ($0.key, $0.revision) }, uniquingKeysWith: { _, last in last })))
        }
        if !claimed.isEmpty { dispatcher.send(.claimed(claimed)) }
        // Among what was claimed may be what waited.
        let written = effects.advance.firings.reduce(0) { $0 + $1.sinks.count }
        if written > claimed.count(where: { $0.created == reading.now }) { dispatcher.send(.work) }
        run.written()
        desk.publish { effects.changed.union(effects.advance.schedules.map(\.id)) }
        for report in effects.reports { logger.log(report) }
        if effects.advance.schedules.count >= MemoryUpkeep.much { upkeep.worked() }
        return true
    }
}

extension Logger {
    /// Says what changed in the running set.
    fileprivate func log(_ report: SchedulerReport) {
        switch report {
        case .added(let id, let next):
            debug("added", metadata: ["definition.id": "\(id)", "next": "\(next?.rfc3339 ?? "-")"])
        case .addedWithoutNext(let id, .idle):
            notice("waits to be started", metadata: ["definition.id": "\(id)"])
        // A stopwatch that runs and has no alert, or the like.
        case .addedWithoutNext(let id, .armed), .addedWithoutNext(let id, .paused), .addedWithoutNext(let id, .acting):
            debug("added", metadata: ["definition.id": "\(id)", "next": "-"])
        case .addedWithoutNext(let id, .expired):
            notice("nothing is to come: all its instants are in the past", metadata: ["definition.id": "\(id)"])
        case .restored(let id, let next):
            debug("goes on", metadata: ["definition.id": "\(id)", "next": "\(next?.rfc3339 ?? "-")"])
        case .rescheduled(let id, nil):
            notice("rescheduled: nothing is to come", metadata: ["definition.id": "\(id)"])
        case .rescheduled(let id, let next):
            notice("rescheduled", metadata: ["definition.id": "\(id)", "next": "\(next?.rfc3339 ?? "-")"])
        case .cancelled(let id):
            notice("cancelled: removed from the directory", metadata: ["definition.id": "\(id)"])
        case .resumed(let id, let next):
            notice(
                "resumed: back in the directory",
                metadata: ["definition.id": "\(id)", "next": "\(next?.rfc3339 ?? "-")"])
        case .controlled(let request):
            var metadata: Metadata = [
                "definition.id": "\(request.id)", "control": "\(request.control.verb)", "by": "\(request.by)",
            ]
            if let note = request.note { metadata["note"] = "\(note)" }
            notice("a person did something", metadata: metadata)
        case .controlledAll(let control):
            var metadata: Metadata = ["control": "\(control.action.verb)", "by": "\(control.by)"]
            if let note = control.note { metadata["note"] = "\(note)" }
            notice("a person did something with everything", metadata: metadata)
        case .omitted(let omission):
            log(
                level: omission.reason.logLevel, "not sent",
                metadata: [
                    "definition.id": "\(omission.definition)", "action": "\(omission.action.rawValue)",
                    "due": "\(omission.due.rfc3339)", "reason": "\(omission.reason.rawValue)",
                    "count": "\(omission.count)",
                ])
        }
    }
}

extension Omission.Reason {
    /// A definition that is disabled is silent on purpose, however often it comes due.
    fileprivate var logLevel: Logger.Level {
        switch self {
        case .disabled, .snoozed: .debug
        case .pastWhenDefined: .info
        case .superseded, .overLimit, .notCaughtUp, .tooLate, .removed, .muted, .skipped: .notice
        }
    }
}
