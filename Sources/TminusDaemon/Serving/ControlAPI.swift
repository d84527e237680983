internal import HTTPTypes
internal import Hummingbird
internal import TminusCore

/// What the routes work on. Each group of routes is an extension in a file of its own.
struct ControlAPI: Sendable {
    /// The facts that stay the same while the daemon runs.
    struct Facts: Sendable {
        /// The version of tminus.
        var version: String
        /// The instant of the start.
        var started: Timestamp
        /// The config directory.
        var config: String
        /// The store's URL or path.
        var store: String
        /// The CloudEvents source.
        var source: String
        /// The profile of the unit.
        var profile: String?
    }

    let desk: any ScheduleControl
    let definitions: any DefinitionControl
    let store: any Store
    let engine: Mailbox<EngineInput>
    let clock: any WallClock
    let facts: Facts
    let status: StatusPublisher
    /// Requests re-reads of the config directory.
    let reloads: ReloadDesk
    let cache: ItemCache
    let hub: EventHub
    /// Reads and changes definition files.
    let files: FileDesk
    /// Told when an answer needed much memory.
    let upkeep: MemoryUpkeep
    /// Answers probes.
    let probes: Probes
    /// What is open over TCP.
    let doors: WebDoors
    /// The figures of the services.
    let board: FigureBoard
    /// Who may come in over TCP.
    let admission: Admission
    /// The open connections of the control socket.
    let socketConnections = Connections()
    /// What the doors over TCP count.
    let web = WebFigures()

    /// Creates the routes of a daemon with these services.
    init(
        desk: any ScheduleControl, definitions: any DefinitionControl, store: any Store, engine: Mailbox<EngineInput>,
        clock: any WallClock, facts: Facts, status: StatusPublisher, reloads: ReloadDesk, files: FileDesk,
        upkeep: MemoryUpkeep = MemoryUpkeep(), probes: Probes? = nil, doors: WebDoors = WebDoors(),
        board: FigureBoard = FigureBoard(), admission: Admission
    ) {
        self.desk = desk
        self.definitions = definitions
        self.store = store
        self.engine = engine
        self.clock = clock
        self.facts = facts
        self.status = status
        self.reloads = reloads
        self.files = files
        self.upkeep = upkeep
        self.probes =
            probes
            ?? Probes(
                health: HealthDesk(engine: engine, loader: Mailbox()),
                readiness: Readiness(status: status, socket: SocketWatch()))
        self.doors = doors
        self.board = board
        self.admission = admission
        cache = ItemCache(desk: desk, store: store)
        hub = EventHub(desk: desk, cache: cache, status: status, clock: clock)
    }

    /// All routes.
    var routes: ControlRoutes {
        var routes = ControlRoutes()
        addItems(to: &routes)
        addAdHoc(to: &routes)
        addOutbox(to: &routes)
        addFire(to: &routes)
        addStatus(to: &routes)
        addEvents(to: &routes)
        addFiles(to: &routes)
        addDefinitions(to: &routes)
        addHealth(to: &routes)
        addMetrics(to: &routes)
        addPage(to: &routes)
        addSessions(to: &routes)
        // The OpenAPI 3.1 description, which is the file `control.openapi.json` beside this one.
        routes.add("/openapi.json", [.get: { _, _ in .json(PackageResources.control_openapi_json) }], level: .read)
        return routes
    }
}
