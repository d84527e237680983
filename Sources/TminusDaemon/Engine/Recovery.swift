internal import Logging
internal import TminusCore
internal import TminusSystem

/// What is to be put right in a store before any service uses it.
///
/// It comes before the first firing is written: what a killed process had claimed must not pass for something that runs.
struct Recovery: Sendable {
    let store: any Store
    let clock: any WallClock
    /// Names this process in its claims.
    let owner: String
    let logger: Logger
    /// The programs that the former process ran; nil if they are not recorded, or were ended before.
    var ledger: ProgramLedger?

    /// Sets damaged rows of the store aside. Ends the commands that a former process has left running, before their
    /// deliveries are repeated. Releases what a former process had claimed, names what is dead because it ends the
    /// process, and releases what a clock that was set back since would hold up.
    func run() async throws(StoreError) {
        logger.log(try await store.setAsideDamaged(now: clock.now))
        for program in await ledger?.endLeftovers() ?? [] { logger.log(program) }
        logger.log(try await store.releaseClaims(.ofFormerOwners, owner: owner, now: clock.now))
        try await store.releaseFutureWaits(now: clock.now)
    }
}

extension Logger {
    /// Names released deliveries, and those that are dead because they end the process.
    func log(_ released: ReleasedClaims) {
        if released.count > 0 { notice("released interrupted deliveries", metadata: ["count": "\(released.count)"]) }
        for delivery in released.setAside {
            error(
                "a delivery is set aside: \(InterruptedAttempts.reason); 'tminus deliveries retry' tries it again",
                metadata: [
                    "delivery.id": "\(delivery.id)", "definition.id": "\(delivery.definition.rawValue)",
                    "occurrence.at": "\(delivery.occurrence.rfc3339)", "sink": "\(delivery.sinkTitle)",
                    "attempts": "\(delivery.attempts)",
                ])
        }
    }

    /// Names a program that a former process had left running.
    func log(_ program: LeftoverProgram) {
        let isCommand = DeliveryID(program.label) != nil
        let metadata: Logger.Metadata = [
            "process": "\(program.id)", isCommand ? "delivery.id" : "plugin": "\(program.label)",
            "signal": "\(program.isKilled ? "KILL" : "TERM")",
        ]
        let kind = isCommand ? "command" : "plug-in"
        if program.isAlive {
            error("a \(kind) left over from the former process does not end", metadata: metadata)
        } else {
            notice("ended a \(kind) left over from the former process", metadata: metadata)
        }
    }
}
