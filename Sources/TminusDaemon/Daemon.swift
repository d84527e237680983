public import Logging
public import ServiceLifecycle
public import TminusCore
internal import TminusSQLite
internal import TminusSinks
internal import TminusSystem
internal import TminusTooling

/// All of tminus in one service: watches a directory, keeps the schedule, and delivers what comes due.
///
/// Only its files name concrete adapters: this one and its extensions. The services know only each other's mailboxes and the store.
///
///     directory ─▶ Loader ─▶ Engine ─▶ sinks
///                             ▲ │
///                             │ ▼
///                            store
public struct Daemon: Service {
    let options: DaemonOptions
    let sinks: SinkRegistry
    let reloads: AsyncStream<Void>
    let report: @Sendable ([Diagnostic]) -> Void
    let logger: Logger
    let logFigures = LogFigures()
    let clockNotices: ClockNotices

    /// A daemon that has not started: nothing is opened or created yet.
    ///
    /// - Parameters:
    ///   - sinks: The kinds of sink that definitions may use.
    ///   - reloads: Each element causes a re-read of the directory.
    ///   - report: Takes the problems of definition files; by default they go to the log.
    public init(
        options: DaemonOptions, sinks: [any Sink.Type], reloads: AsyncStream<Void> = AsyncStream { $0.finish() },
        report: (@Sendable ([Diagnostic]) -> Void)? = nil, logger: Logger
    ) {
        self.options = options
        self.sinks = SinkRegistry(sinks)
        self.reloads = reloads
        self.report = report ?? { logger.error("\(DiagnosticFormat.text.render($0))") }
        self.logger = logFigures.counting(logger)
        clockNotices = ClockNotices(logger: self.logger)
    }

    /// Runs until graceful shutdown: then nothing new fires, running deliveries get 25 s, and it ends within 30 s. If its task is cancelled,
    /// also after that, it ends at once, and the next start repeats the deliveries that run.
    ///
    /// - Throws: ``DaemonError`` if it cannot start, a service fails, or the stop takes longer than 30 s because something
    ///   does not answer.
    public func run() async throws {
        do {
            try await StopLimit().run { try await start() }
        } catch let error as ToolError {
            throw DaemonError(error)
        } catch let error as SystemError {
            throw DaemonError(ToolError(error))
        } catch let error as StoreError {
            throw DaemonError(ToolError(error))
        }
    }

    private func start() async throws {
        try preflight()
        try await ListenCheck.run(options.web.addresses)
        let tokens = try tokens()
        let certificates = try options.web.tls.map { try Certificates($0, logger: logger) }
        let lock = try StateLock(
            directory: options.stateDirectory, allowInsecurePermissions: options.allowsInsecurePermissions)
        try RestoreJournal.refuseIfPresent(in: options.stateDirectory)
        let storeLock = try lockStore()
        let engineInbox = Mailbox<EngineInput>()
        let manager = ManagerLink(options.service, engine: engineInbox, logger: logger)
        let ledger = openLedger()
        let record = lock.record
        let place = DaemonPlace(state: options.stateDirectory, profile: options.service.profile)
        func lead(_ follower: Follower?) async throws {
            let thread = try ServiceThread()
            defer { thread.end() }
            let machine = TimerFDClock(on: thread)
            guard let opened = try await openStore(record, place, manager, follower, machine) else { return }
            follower?.stop()
            do {
                try await serve(
                    opened, on: thread, record, place, follower == nil ? ledger : nil, tokens, certificates,
                    engineInbox, manager)
            } catch {
                try? await opened.store.close()
                throw error
            }
            try await opened.store.close()
        }
        try await ProgramLedger.$current.withValue(ledger) {
            try await DaemonPlace.$current.withValue(place) {
                guard let follower = try follower() else { return try await lead(nil) }
                // Before it delivers itself, and others repeat what it had begun.
                for program in await ledger?.endLeftovers() ?? [] { logger.log(program) }
                try await follower.run { try await lead(follower) }
            }
        }
        logger.notice("tminus has ended")
        // Not earlier: the next daemon must start after this one has closed the store.
        storeLock?.release()
        lock.release()
    }

    private func preflight() throws {
        if case .file(let path) = options.store { try NetworkStore.refuse(path) }
        if !options.allowsInsecurePermissions, Permissions.exists(options.configDirectory) {
            try Permissions.refuseIfOthersCanWrite(options.configDirectory)
        }
        guard options.isStrict else { return }
        let result = try CheckResult.of(
            paths: [options.definitions.shown], maxFileSize: options.maxFileSize,
            allowsInsecurePermissions: options.allowsInsecurePermissions, isStrict: true, isDaemon: true,
            labels: options.labels, sinks: sinks.kinds)
        guard result.hasErrors else { return }
        report(result.diagnostics)
        throw DaemonError(.badData, "not started, because of --strict: \(result.summary)")
    }

    /// The tokens for HTTP. A file that somebody names has to be there.
    private func tokens() throws -> TokenDesk {
        let web = options.web
        guard !web.addresses.isEmpty else { return TokenDesk() }
        let path = web.tokens ?? "\(options.stateDirectory)/\(TokenFile.standardName)"
        if web.tokens != nil, !TokenFile(path).exists {
            throw DaemonError(
                .usage, "--tokens \(path): there is no such file; 'tminus token add NAME --tokens \(path)' makes it")
        }
        return try TokenDesk(path, allowsInsecurePermissions: options.allowsInsecurePermissions, logger: logger)
    }

    /// The ledger of running commands; nil if it cannot be opened, which stops no delivery.
    private func openLedger() -> ProgramLedger? {
        do throws(SystemError) {
            return try ProgramLedger(directory: options.stateDirectory)
        } catch {
            logger.warning(
                "running commands are not recorded; after a kill they may keep running",
                metadata: ["reason": "\(error)"])
            return nil
        }
    }
}

extension Daemon {
    /// A name for the claims of this run. Host and process id are not enough: in a container every run is process 1 of the same host,
    /// and would take the claims of the previous run for its own.
    static func claimOwner() -> String {
        "\(MachinePaths.hostName):\(MachinePaths.processID):\(String(UInt64.random(in: 0 ... .max), radix: 36))"
    }

    /// The host and the process, for messages.
    static var process: String { "\(MachinePaths.hostName), process \(MachinePaths.processID)" }

    /// The standard kinds of sink, for a program that adds its own.
    public static var standardSinks: [any Sink.Type] { StandardSinks.kinds }
}
