import Synchronization
package import TminusCore

/// `plugin`: a program that keeps running and reads deliveries as lines of JSON.
///
/// It is started by the first delivery, and again, with growing pauses, after it has ended.
package final class PluginSink: Sink {
    package static let kind = "plugin"
    package static let options = KeyTable("a plugin sink", PluginSettings.keys + [MessageTemplate.key])

    package var maxConcurrent: Int { settings.maxConcurrent }
    package var timeLimit: Duration { settings.timeLimit }

    private struct State {
        var backoff = PluginBackoff()
        var session: PluginSession?
        var running: Task<Void, Never>?
        var lastProblem = ""
        var isShutDown = false
    }

    private let settings: PluginSettings
    private let message: MessageTemplate
    private let log: SinkLog
    private let state = Mutex(State())

    package convenience init?(from reader: inout MappingReader, context: SinkContext) {
        let message = MessageTemplate(from: reader)
        guard let settings = PluginSettings(from: &reader, context: context) else { return nil }
        self.init(settings, message: message, log: context.log)
    }

    /// A sink with these settings. Starts nothing.
    package init(_ settings: PluginSettings, message: MessageTemplate = .none, log: SinkLog = .silent) {
        self.settings = settings
        self.message = message
        self.log = log
    }

    package func draft(of delivery: Delivery) -> DeliveryDraft { DeliveryDraft(message.applied(to: delivery)) }

    @discardableResult
    package func deliver(_ delivery: Delivery) async throws(DeliveryError) -> DeliveryReport {
        try await currentSession().deliver(message.applied(to: delivery))
    }

    /// Ends the plug-in; returns when its process has ended.
    package func shutdown() async {
        let (session, running) = state.withLock { state in
            state.isShutDown = true
            return (state.session, state.running)
        }
        session?.end(.stop)
        await running?.value
    }

    private func currentSession() throws(DeliveryError) -> PluginSession {
        try state.withLock { state throws(DeliveryError) in
            if let session = state.session { return session }
            if state.isShutDown { throw .transient("the sink is shut down") }
            if let wait = state.backoff.wait(now: .now) {
                let rounded = Duration.seconds(max(1, wait.components.seconds))
                throw .transient(
                    "\(state.lastProblem); it is started again in \(PlainText.duration(rounded))", retryAfter: wait)
            }
            let session = PluginSession(settings, log: log)
            state.session = session
            state.running = Task { await run(session) }
            return session
        }
    }

    private func run(_ session: PluginSession) async {
        let start = ContinuousClock.now
        let problem = await session.run()
        let isSound = session.isReady && .now - start >= PluginBackoff.soundLife
        state.withLock { state in
            state.session = nil
            // Nil: it was told to stop.
            guard let problem else { return }
            state.lastProblem = problem
            state.backoff.ended(isSound: isSound, now: .now)
        }
        if let problem { log.warning("\(settings.shownProgram): \(problem)") }
    }
}
