internal import Logging
internal import ServiceLifecycle
internal import TminusCore

/// Tidies the store at the start and once an hour: removes records past their retention, releases expired claims, and removes
/// finished definitions without a file.
struct Janitor: Service {
    let store: any Store
    let clock: any WallClock
    let engine: Mailbox<EngineInput>
    /// Knows which definitions without a file are over.
    let schedule: any ScheduleControl
    /// Removes them.
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

    /// Removes definitions without a file that ended longer ago than the state of a removed definition is kept.
    private func forgetFinished() async {
        let before = clock.now.advanced(by: .zero - retention.removedSchedules)
        var finished: [DefinitionID] = []
        await schedule.forEachPage { entries in
            finished += entries.lazy.filter { entry in
                entry.definition.isAdHoc && entry.state.phase == .expired && entry.state.overrides.isEmpty
                    && entry.state.deadline ?? entry.state.cursor < before
            }.map(\.definition.id)
        }
        if !finished.isEmpty { definitions.forget(finished.sorted()) }
    }

    private func step() async {
        do throws(StoreError) {
            _ = try await store.releaseClaims(.expired, owner: owner, now: clock.now)
            // Also for deliveries whose sink has been away for a day: nothing else may happen that has the engine claim them.
            engine.send(.hint)
            try await store.prune(retention, now: clock.now)
        } catch {
            logger.warning("old records were not pruned", metadata: ["error": "\(error)"])
        }
    }
}
