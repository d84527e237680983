public import Logging
public import ServiceLifecycle
public import TminusCore
internal import TminusDefinitions
internal import TminusPostgres
internal import TminusSQLite
internal import TminusSinks
internal import TminusSystem
internal import TminusTooling
internal import TminusWatch

/// All of tminus in one service: watches a directory, keeps the schedule, and delivers what comes due.
///
/// Only this file names concrete adapters. The services know only each other's mailboxes and the store.
///
///     directory ─▶ Loader ─▶ Engine ─▶ sinks
///                             ▲ │
///                             │ ▼
///                            store
public struct Daemon: Service {
    private let options: DaemonOptions
    private let sinks: SinkRegistry
    private let reloads: AsyncStream<Void>
    private let report: @Sendable ([Diagnostic]) -> Void
    private let logger: Logger
    private let logFigures = LogFigures()
    private let clockNotices: ClockNotices

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

    /// The store that was opened.
    private struct OpenedStore {
        let store: any Store
        /// Its name in messages.
        let shown: String
        /// The clock by which things are due.
        let clock: any WallClock
        /// The same store, if it is a database.
        var database: PostgresStore?
        /// The same clock, if it is that of a database.
        var fleetClock: FleetClock?
    }

    /// The lock of a store in a file; nil for a database, which has a lease.
    private func lockStore() throws -> StoreLock? {
        guard case .file(let path) = options.store else { return nil }
        // Before the lock, which makes the file.
        let isEmpty = FilePlacing.size(of: path) == 0
        let lock = try StoreLock(path: path)
        if isEmpty {
            logger.warning(
                "the store is empty: its state was lost, or never written; everything starts over",
                metadata: ["store": "\(path)"])
        }
        return lock
    }

    /// The store, once this daemon has it for itself; nil if it is to stop before.
    private func openStore(
        _ record: StateLock.Record, _ place: DaemonPlace, _ manager: ManagerLink?, _ follower: Follower?,
        _ machine: TimerFDClock
    ) async throws -> OpenedStore? {
        switch options.store {
        case .file(let path): return OpenedStore(store: try SQLiteStore(path: path), shown: path, clock: machine)
        case .database(let address):
            let notices = StandbyNotices(record, manager, logger: logger)
            let clock = FleetClock(on: machine, measured: clockNotices.measured)
            return try await notices.run {
                guard let follower else { return try await openDatabase(address, clock, notices) {} }
                let server = StandbyServer(
                    paths: options.socketPaths, allowsInsecurePermissions: options.allowsInsecurePermissions,
                    forwarder: follower.forwarder,
                    placed: { path in
                        place.opened(path)
                        notices.serves(at: path)
                    }, logger: logger)
                return try await server.run {
                    try await openDatabase(address, clock, notices) {
                        follower.begin()
                        server.begin()
                    }
                }
            }.map { OpenedStore(store: $0, shown: $0.shownAddress, clock: clock, database: $0, fleetClock: clock) }
        }
    }

    private func openDatabase(
        _ address: String, _ clock: FleetClock, _ notices: StandbyNotices, standBy: @escaping @Sendable () -> Void
    ) async throws -> PostgresStore? {
        let machine = try MachineID(in: options.stateDirectory)
        let standsBy = options.standsBy
        let wait = LeaseWait(isEndless: standsBy) { [logger] news in
            switch news {
            case .held(let leader) where standsBy:
                notices.follows(leader)
                standBy()
            case .held(let other): logger.notice("waits until the lease of \(other) is over")
            case .unreachable(let problem): notices.misses(problem)
            }
        }
        return try await UntilStop().run {
            try await PostgresStore.opened(
                at: address, machine: machine.text, process: Self.process, clock: clock, wait: wait)
        } end: {
            wait.cancel()
        }
    }

    /// What delivers while this daemon stands by; nil if it does not.
    private func follower() throws -> Follower? {
        guard case .database(let address) = options.store, options.standsBy else { return nil }
        let machine = try MachineID(in: options.stateDirectory)
        let own = FleetMachine(
            process: Self.process, version: options.version, started: TimerFDClock.now, labels: options.labels)
        return Follower(
            sinks: sinks, root: options.configDirectory, source: options.source, machine: own,
            files: FollowerFiles(definitions: options.definitions, logger: logger),
            forwarder: RequestForwarder(), clockNotices: clockNotices, logger: logger
        ) { owner, facts, clock in
            try await PostgresStore.opened(
                at: address, machine: machine.text, process: Self.process, run: owner, as: .follower, facts: facts,
                clock: clock)
        }
    }

    private func serve(
        _ opened: OpenedStore, on thread: ServiceThread, _ record: StateLock.Record, _ place: DaemonPlace,
        _ ledger: ProgramLedger?,
        _ tokens: TokenDesk,
        _ certificates: Certificates?,
        _ engineInbox: Mailbox<EngineInput>, _ manager: ManagerLink?
    ) async throws {
        let (original, clock) = (opened.store, opened.clock)
        let board = FigureBoard(log: logFigures, fleetClock: opened.fleetClock)
        let store = MeasuredStore(original, into: board.store)
        // Of its own, so that it is known when the loader waits for the store.
        let loaderStore = MeasuredStore(original, into: board.store)
        let publisher = opened.database.map {
            FilePublisher($0, usesOwnFiles: options.usesOwnFiles, logger: logger)
        }
        let client = EngineClient(engineInbox)
        let loaderInbox = Mailbox<LoaderInput>()
        let loaderClient = LoaderClient(loaderInbox)
        let zones = SystemZoneDatabase()
        let zoneWatch = ZoneWatch(zones, loader: loaderInbox)
        let needWatch = NeedWatch(SystemNeedInspector(isDaemon: true), loader: loaderInbox)
        let socketWatch = SocketWatch()
        let admission = Admission(
            tokens, sessions: SessionDesk(store: store, clock: clock, logger: logger),
            rules: WebRules(isPrivate: options.web.isPrivate, allowsEdit: options.web.allowsEdit), logger: logger)
        let watcher = DirectoryWatcher(
            root: options.configDirectory,
            options: WatchOptions(
                sizeLimit: options.maxFileSize, allowsInsecurePermissions: options.allowsInsecurePermissions),
            logger: logger,
            scanned: { isIdle in
                zoneWatch.look()
                needWatch.look()
                socketWatch.look()
                admission.closeUninvited()
                // The scan used code from all over the program, and uses none of it for a minute.
                if isIdle { ProcessMemory.releaseCode() }
            })
        let loader = DefinitionLoader(
            zones: zones, sinks: sinks, displayRoot: options.definitions.shown, labels: options.labels)
        logger.notice(
            "tminus runs",
            metadata: ["config": "\(options.configDirectory)", "store": "\(opened.shown)"])
        if let problem = zones.systemZoneProblem {
            logger.warning("the time zone of this machine is unknown; using UTC", metadata: ["reason": "\(problem)"])
        }
        let upkeep = MemoryUpkeep()
        let status = StatusPublisher(labels: options.labels) { watcher.status }
        let reloadDesk = ReloadDesk(
            status: status, perform: { watcher.reload() }, announce: { manager?.inbox.send(.reloading($0)) })
        let watchdogTimer = try manager?.startWatchdog(on: thread)
        defer { watchdogTimer?.cancel() }
        let owner = Self.claimOwner()
        try await Recovery(store: store, clock: clock, owner: owner, logger: logger, ledger: ledger).run()
        // It may have waited for a command, and been asked to stop meanwhile: then nothing begins.
        guard !Task.isShuttingDownGracefully else { return }
        await admission.sessions.load()
        let socketRecord = SocketRecord(record, logger: logger)
        let probes = Probes(
            health: HealthDesk(engine: engineInbox, loader: loaderInbox, loaderWaits: { loaderStore.isBusy || publisher?.isWaiting == true }),
            readiness: Readiness(
                status: status, socket: socketWatch,
                leads: { [database = opened.database] in database?.hasLease ?? true }))
        let api = ControlAPI(
            desk: client, definitions: loaderClient, store: store, engine: engineInbox, clock: clock,
            facts: ControlAPI.Facts(
                version: options.version, started: clock.now, config: options.configDirectory,
                store: opened.shown, source: options.source, profile: options.service.profile?.rawValue),
            status: status, reloads: reloadDesk,
            files: FileDesk(
                options.definitions, keptRoot: publisher == nil ? nil : KeptFiles.fleetRoot, sinks: sinks.kinds,
                logger: logger),
            upkeep: upkeep, probes: probes,
            doors: WebDoors(
                maxConnections: options.web.maxConnections, name: options.web.hosts.first, prefix: options.web.prefix,
                certificates: certificates),
            board: board, admission: admission)
        let executor = opened.database.map { RequestExecutor($0, logger: logger) }
        var server = ControlServer(
            paths: options.socketPaths, allowsInsecurePermissions: options.allowsInsecurePermissions, api: api,
            watch: socketWatch, logger: logger)
        server.placed = { path in
            place.opened(path)
            socketRecord.serves(at: path)
        }
        server.opened = { path in
            probes.readiness.serving()
            manager?.inbox.send(.serving)
            executor?.serves(at: path)
        }
        var web = WebServer(options: options.web, api: api, logger: logger)
        web.certificates = certificates
        web.allowsInsecurePermissions = options.allowsInsecurePermissions
        // They stop in reverse order: first the service manager is told, then the firing stops, then the server and the loading of
        // edits, then the engine with its running attempts, and last what answers probes.
        let services: [any Service] = [
            web,
            Pinned(
                to: thread,
                Engine(
                    store: store, clock: clock, sinks: sinks, root: options.configDirectory, inbox: engineInbox,
                    client: client, owner: owner, source: options.source, status: status,
                    labels: options.labels,
                    trustsClock: clockNotices.trustsClock,
                    inForce: { loaderInbox.send(.inForce(generation: $0)) },
                    logger: logger, thread: thread, upkeep: upkeep,
                    pulse: { pulse in
                        manager?.watchdog?.answered(pulse)
                        probes.health.answered(pulse)
                    },
                    handOver: { board.handOver($0) })),
            Janitor(
                store: store, clock: clock, engine: engineInbox, schedule: client, definitions: loaderClient,
                owner: owner, logger: logger),
            Watching(watcher: watcher, requests: reloads, desk: reloadDesk, logger: logger),
            Loader(
                source: watcher, clock: clock, loader: loader, inbox: loaderInbox, zoneWatch: zoneWatch,
                needWatch: needWatch, store: loaderStore, publisher: publisher,
                engine: engineInbox, status: status, report: report,
                logger: logger, upkeep: upkeep, pulse: { probes.health.loaderAnswered() },
                loaded: { board.loaded(in: $0) }),
            upkeep,
            LabelWatch(status: status, logger: logger),
            server,
            FiringStop(engine: engineInbox, schedule: client, record: socketRecord, probes: probes),
        ]
        var settings = services.map { ServiceGroupConfiguration.ServiceConfiguration(namedByType: $0) }
        if let database = opened.database, let executor {
            let fleet = FleetWatch(
                store: database, clock: clock, engine: engineInbox, owner: owner, status: status, executor: executor,
                logger: logger)
            settings.append(ServiceGroupConfiguration.ServiceConfiguration(namedByType: fleet))
            // In order: the HTTP library ends the process if it is cancelled while a connection waits to be served.
            settings.insert(
                ServiceGroupConfiguration.ServiceConfiguration(
                    namedByType: DatabaseWatch(events: database.events, engine: engineInbox),
                    onFailure: .gracefullyShutdownGroup),
                at: 0)
        }
        if let manager {
            let notifier = ManagerNotifier(
                socket: manager.socket, inbox: manager.inbox, status: status, reloads: reloadDesk, logger: logger)
            settings.append(ServiceGroupConfiguration.ServiceConfiguration(namedByType: notifier))
        }
        let group = ServiceGroup(configuration: ServiceGroupConfiguration(services: settings, logger: logger.quiet))
        try await group.run()
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

extension ServiceGroupConfiguration.ServiceConfiguration {
    /// The default name describes every value in the service, which took a quarter of a short start.
    package init(namedByType service: any Service, onFailure: TerminationBehavior = .cancelGroup) {
        self.init(
            service: service, failureTerminationBehavior: onFailure, serviceName: "\(type(of: service))")
    }
}

extension Daemon {
    /// A name for the claims of this run. Host and process id are not enough: in a container every run is process 1 of the same host,
    /// and would take the claims of the previous run for its own.
    static func claimOwner() -> String {
        "\(MachinePaths.hostName):\(MachinePaths.processID):\(String(UInt64.random(in: 0 ... .max), radix: 36))"
    }

    /// The host and the process, for messages.
    private static var process: String { "\(MachinePaths.hostName), process \(MachinePaths.processID)" }

    /// The standard kinds of sink, for a program that adds its own.
    public static var standardSinks: [any Sink.Type] { StandardSinks.kinds }
}

/// Runs a service on one thread, so that a delivery goes from the alarm through the engine to the sink without waking another thread,
/// except that of the store.
private struct Pinned<Inner: Service>: Service {
    let thread: any TaskExecutor
    let service: Inner

    init(to thread: any TaskExecutor, _ service: Inner) {
        self.thread = thread
        self.service = service
    }

    func run() async throws {
        try await withTaskExecutorPreference(thread) { try await service.run() }
    }
}

/// Ends the daemon when another one has taken its database over. When the database no longer answers, lets the engine ask it, so that
/// the trouble shows even if nothing is due; when it answers again, too, so that the engine does not wait for longer than it must.
private struct DatabaseWatch: Service {
    let events: AsyncStream<PostgresStore.Event>
    let engine: Mailbox<EngineInput>

    func run() async throws {
        try await cancelWhenGracefulShutdown {
            for await event in events {
                switch event {
                case .takenOver(let error): throw error
                case .unreachable: engine.send(.hint)
                case .reachable: engine.send(.storeAnswers)
                }
            }
        }
    }
}

/// Runs the watcher and forwards requests to re-read the directory.
private struct Watching: Service {
    let watcher: DirectoryWatcher
    let requests: AsyncStream<Void>
    let desk: ReloadDesk
    let logger: Logger

    func run() async throws {
        try await cancelWhenGracefulShutdown {
            await withTaskGroup { group in
                group.addTask {
                    for await _ in requests {
                        // Logged even if nothing has changed, so that the sender of a signal sees that it arrived.
                        logger.notice("reading the directory again")
                        desk.request()
                    }
                }
                await watcher.run()
                group.cancelAll()
            }
            // The diagnostics give the reason.
            if !Task.isCancelled { throw DaemonError(.inputOutput, "the directory can no longer be watched") }
        }
    }
}

extension Logger {
    /// A logger for libraries whose `info` does not concern users.
    var quiet: Logger {
        var logger = self
        logger.logLevel = max(logLevel, .warning)
        return logger
    }
}
