internal import Logging
internal import TminusCore
internal import TminusSystem

/// What a daemon needs to talk to the service manager that started it.
struct ManagerLink: Sendable {
    let socket: NotifySocket
    /// What the service manager is to learn.
    let inbox = Mailbox<ManagerReport.Event>()
    /// Nil: the service manager does not watch this process.
    let watchdog: Watchdog?

    /// The link that the environment asks for; nil if it asks for none. A socket that cannot be used is logged.
    init?(_ service: ServiceEnvironment, engine: Mailbox<EngineInput>, logger: Logger) {
        guard let name = service.notifySocket else { return nil }
        do throws(SystemError) {
            let socket = try NotifySocket(name)
            self.socket = socket
            // A failure other than a full socket does not pass by sending again.
            watchdog = service.watchdogLimit.map { limit in
                Watchdog(limit: limit, engine: engine) { socket.send($0) != .full }
            }
        } catch {
            logger.warning(
                "the service manager cannot be notified",
                metadata: ["NOTIFY_SOCKET": "\(name)", "reason": "\(error)"])
            return nil
        }
    }

    /// Starts the watchdog, if there is one. Returns its timer, to be cancelled at the end.
    func startWatchdog(on thread: ServiceThread) throws(SystemError) -> SteadyTimer? {
        guard let watchdog else { return nil }
        let timer = try SteadyTimer(on: thread) { watchdog.ring() }
        watchdog.start { timer.set(after: $0) }
        return timer
    }
}
