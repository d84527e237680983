import TminusCore

/// Keeps one process of a plug-in: started with the first delivery, and again, with growing pauses, after it has ended.
actor PluginHost {
    private let settings: PluginSettings
    private let log: SinkLog
    private var backoff = PluginBackoff()
    private var session: PluginSession?
    private var running: Task<Void, Never>?
    private var lastProblem = ""
    private var isShutDown = false

    /// A host of a plug-in that is not started yet.
    init(_ settings: PluginSettings, log: SinkLog) {
        self.settings = settings
        self.log = log
    }

    /// Hands a delivery to the plug-in.
    func deliver(_ delivery: Delivery) async throws(DeliveryError) -> DeliveryReport {
        try await currentSession().deliver(delivery)
    }

    /// Ends the plug-in; returns when its process is gone.
    func shutdown() async {
        isShutDown = true
        session?.stop()
        await running?.value
    }

    private func currentSession() throws(DeliveryError) -> PluginSession {
        if let session { return session }
        if isShutDown { throw .transient("the sink is shut down") }
        if let wait = backoff.wait(now: .now) {
            let rounded = Duration.seconds(max(1, wait.components.seconds))
            throw .transient(
                "\(lastProblem); it is started again in \(PlainText.duration(rounded))", retryAfter: wait)
        }
        let session = PluginSession(settings, log: log)
        self.session = session
        running = Task {
            let start = ContinuousClock.now
            let (ending, remark) = await session.run()
            ended(ending, remark, isSound: session.isReady && .now - start >= PluginBackoff.soundLife)
        }
        return session
    }

    private func ended(_ ending: PluginEnding, _ remark: String, isSound: Bool) {
        session = nil
        guard ending != .stop else { return }
        lastProblem = PluginSession.problem(ending, remark)
        backoff.ended(isSound: isSound, now: .now)
        log.warning("\(settings.shownProgram): \(lastProblem)")
    }
}
