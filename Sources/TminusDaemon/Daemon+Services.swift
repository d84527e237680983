internal import Logging
internal import ServiceLifecycle
internal import TminusCore
internal import TminusDefinitions
internal import TminusPostgres
internal import TminusSinks
internal import TminusSystem
internal import TminusTooling
internal import TminusWatch

extension Daemon {
    /// Builds the services of a daemon that leads, and runs them until it is to stop.
    func serve(
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
            health: HealthDesk(
                engine: engineInbox, loader: loaderInbox,
                loaderWaits: { loaderStore.isBusy || publisher?.isWaiting == true }),
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

/// Ends the daemon when it can write no more. When the database no longer answers, lets the engine ask it, so that
/// the trouble shows even if nothing is due; when it answers again, too, so that the engine does not wait for longer than it must.
private struct DatabaseWatch: Service {
    let events: AsyncStream<PostgresStore.Event>
    let engine: Mailbox<EngineInput>

    func run() async throws {
        try await cancelWhenGracefulShutdown {
            for await event in events {
                switch event {
                case .refused(let error): throw error
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
            let problem = await withTaskGroup { group in
                group.addTask {
                    for await _ in requests {
                        // Logged even if nothing has changed, so that the sender of a signal sees that it arrived.
                        logger.notice("reading the directory again")
                        desk.request()
                    }
                }
                defer { group.cancelAll() }
                return await watcher.run()
            }
            if let problem { throw DaemonError(.inputOutput, problem) }
        }
    }
}
