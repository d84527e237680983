internal import Logging
internal import ServiceLifecycle
internal import TminusCore

/// Removes from the store what is past its retention: at the start and once a day.
struct Janitor: Service {
    let store: any Store
    let clock: any WallClock
    let logger: Logger
    var retention = Retention.standard

    func run() async throws {
        await cancelWhenGracefulShutdown {
            let alarm = clock.makeAlarm()
            alarm.set(clock.now)
            for await _ in alarm.rings {
                await step()
                alarm.set(clock.now.advanced(by: .seconds(86_400)))
            }
            alarm.cancel()
        }
    }

    private func step() async {
        do throws(StoreError) {
            try await store.prune(retention, now: clock.now)
        } catch {
            logger.warning("old records stay for now", metadata: ["error": "\(error)"])
        }
    }
}
