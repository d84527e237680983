internal import ServiceLifecycle
internal import TminusCore

/// Ends the firing before any other service stops, and then tells clients that the daemon is stopping.
///
/// The engine still answers until its own turn comes, so the requests under way get their answers.
struct FiringStop: Service {
    let engine: Mailbox<EngineInput>
    let schedule: any ScheduleControl
    /// Nil: nobody is told.
    var record: SocketRecord?
    /// Told before anything stops.
    var probes: Probes?

    func run() async {
        try? await gracefulShutdown()
        guard Task.isShuttingDownGracefully else { return }
        probes?.stopping()
        engine.send(.stop)
        // The engine takes its messages in order: once it answers, it has stopped firing.
        _ = await schedule.generalMute()
        record?.stops()
    }
}
