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
    let dispatcher: Mailbox<DispatcherMessage>
    let logger: Logger

    func run() async throws {
        try await cancelWhenGracefulShutdown {
            var state = SchedulerState(try await store.snapshot())
            var setBy = clock.reading.setBy
            let alarm = clock.makeAlarm()
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { for await _ in alarm.rings { inbox.send(.due) } }
                for await _ in inbox.signals {
                    for input in inbox.takeAll() { try await step(input, &state, &setBy) }
                    alarm.set(state.nextDue)
                }
                alarm.cancel()
            }
        }
    }

    /// One input, in as many transactions as it needs.
    private func step(_ input: SchedulerInput, _ state: inout SchedulerState, _ setBy: inout Duration) async throws {
        // The clock is read once a step, and a clock that was set is dealt with first: otherwise a step forwards would end
        // timers that count elapsed time.
        let reading = clock.reading
        if reading.setBy != setBy {
            let step = reading.setBy - setBy
            setBy = reading.setBy
            logger.notice("the wall clock was set", metadata: ["clock.step": "\(step)"])
            try await perform(state.step(.clockStepped(by: step), now: reading.now))
        }
        var effects = state.step(input, now: reading.now)
        try await perform(effects)
        while effects.isMoreDue {
            effects = state.step(.due, now: clock.now)
            try await perform(effects)
        }
    }

    private func perform(_ effects: SchedulerEffects) async throws {
        if !effects.advance.isEmpty { try await write(effects.advance) }
        for report in effects.reports { logger.log(report) }
        if !effects.advance.firings.isEmpty { dispatcher.send(.work) }
    }

    /// Writes an advance, however long it takes; throws only when the service is to end.
    private func write(_ advance: Advance) async throws {
        var backoff = Backoff()
        var reported: StoreError?
        while true {
            do throws(StoreError) {
                try await store.advance(advance, now: clock.now)
                if reported != nil { logger.notice("the store works again") }
                return
            } catch {
                if reported != error {
                    logger.error("the schedule cannot be written; nothing fires until it can", metadata: ["error": "\(error)"])
                    reported = error
                }
            }
            try await Task.sleep(for: backoff.wait(), clock: .continuous)
        }
    }
}

extension Logger {
    /// Says what changed in the running set.
    fileprivate func log(_ report: SchedulerReport) {
        switch report {
        case .added(let id, let next):
            debug("added", metadata: ["definition.id": "\(id)", "next": "\(next?.rfc3339 ?? "-")"])
        case .rescheduled(let id, let next):
            info("rescheduled", metadata: ["definition.id": "\(id)", "next": "\(next?.rfc3339 ?? "-")"])
        case .cancelled(let id):
            notice("cancelled: removed from the directory", metadata: ["definition.id": "\(id)"])
        case .resumed(let id, let next):
            notice("resumed: back in the directory", metadata: ["definition.id": "\(id)", "next": "\(next?.rfc3339 ?? "-")"])
        case .omitted(let omission):
            log(
                level: omission.reason == .pastWhenDefined ? .info : .notice, "not sent",
                metadata: [
                    "definition.id": "\(omission.definition)", "action": "\(omission.action.rawValue)",
                    "due": "\(omission.due.rfc3339)", "reason": "\(omission.reason.rawValue)", "count": "\(omission.count)",
                ])
        }
    }
}
