internal import Logging
internal import ServiceLifecycle
internal import TminusCore

/// Keeps the store tidy: at the start and once an hour it removes what is past its retention, gives back claims whose end has
/// passed, which who held them has forgotten, and has definitions without a file removed that are over.
struct Janitor: Service {
    let store: any Store
    let clock: any WallClock
    let engine: Mailbox<EngineInput>
    /// Asked which definitions without a file are over.
    let schedule: any ScheduleControl
    /// Told to forget them.
    let definitions: LoaderClient
    /// Names this process in its claims.
    let owner: String
    let logger: Logger
    var retention = Retention.standard

    func run() async throws {
        await cancelWhenGracefulShutdown {
            let alarm = clock.makeAlarm()
            alarm.set(clock.now)
            for await _ in alarm.rings {
                await step()
                await forgetFinished()
                alarm.set(clock.now.advanced(by: .seconds(3_600)))
            }
            alarm.cancel()
        }
    }

    /// Has definitions without a file removed whose end is longer past than their state would be kept.
    private func forgetFinished() async {
        let before = clock.now.advanced(by: .zero - retention.removedSchedules)
        let finished = await schedule.entries().filter { entry in
            entry.definition.isAdHoc && entry.state.phase == .expired && entry.state.overrides.isEmpty
                && entry.state.deadline ?? entry.state.cursor < before
        }
        if !finished.isEmpty { definitions.forget(finished.map(\.definition.id).sorted()) }
    }

    private func step() async {
        do throws(StoreError) {
            _ = try await store.releaseClaims(.expired, owner: owner, now: clock.now)
            // Also for deliveries whose sink has been away for a day: nothing else may happen that has the engine claim them.
            engine.send(.hint)
            try await store.prune(retention, now: clock.now)
        } catch {
            logger.warning("old records stay for now", metadata: ["error": "\(error)"])
        }
    }
}
