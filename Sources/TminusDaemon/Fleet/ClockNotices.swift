internal import Logging
internal import Synchronization
internal import TminusCore
internal import TminusSystem

/// Says to the log when the clock of this machine differs from that of the database, and when it no longer does.
final class ClockNotices: Sendable {
    private static let limit = Duration.seconds(1)
    private let logger: Logger
    private let isWrong = Mutex(false)

    /// Notices about a clock that was not measured.
    init(logger: Logger) { self.logger = logger }

    /// A measurement: how far the clock of this machine is ahead.
    func measured(ahead: Duration) {
        let change: Bool? = isWrong.withLock { isWrong in
            let was = isWrong
            // Half of it ends the trouble, so that a clock at the limit does not fill the log.
            isWrong = ahead.magnitude > (was ? Self.limit / 2 : Self.limit)
            return isWrong == was ? nil : isWrong
        }
        let metadata: Logger.Metadata = ["clock.ahead": "\(ahead)"]
        switch change {
        case true?:
            logger.warning(
                "the clock of this machine differs from that of the database, by which things are due",
                metadata: metadata)
        case false?:
            logger.notice("the clock of this machine agrees with that of the database again", metadata: metadata)
        case nil: break
        }
    }

    /// Whether the clock by which things are due is known to be right. The kernel only vouches for the clock of this machine; if a
    /// database's differs, nobody knows which of them is right.
    func trustsClock() -> Bool { ClockSynchronisation.isInForce == true && !isWrong.withLock(\.self) }
}
