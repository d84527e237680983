internal import Logging
internal import TminusCore

/// What is to be put right in a store before any service uses it.
///
/// It comes before the first firing is written: what a killed process had claimed must not pass for something that runs.
struct Recovery: Sendable {
    let store: any Store
    let clock: any WallClock
    /// Names this process in its claims.
    let owner: String
    let logger: Logger

    /// Gives back what a former process had claimed, and lets go what a clock that was set back since would hold up.
    func run() async throws(StoreError) {
        let released = try await store.releaseClaims(.ofFormerOwners, owner: owner, now: clock.now)
        if released > 0 { logger.notice("deliveries go on that were interrupted", metadata: ["count": "\(released)"]) }
        try await store.releaseFutureWaits(now: clock.now)
    }
}
