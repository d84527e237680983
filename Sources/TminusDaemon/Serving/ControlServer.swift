internal import Hummingbird
internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import NIOPosix
internal import ServiceLifecycle
internal import TminusControl
internal import TminusCore
internal import TminusSystem

/// The control socket: HTTP over a Unix-domain socket, for this user and the administrator.
///
/// Not Hummingbird's `Application`: that one wakes every second to format a date, and nothing ticks here.
struct ControlServer: Service {
    /// Where the socket may be, best first; absolute.
    let paths: [String]
    let allowsInsecurePermissions: Bool
    let store: any Store
    let engine: Mailbox<EngineInput>
    let clock: any WallClock
    let facts: StatusRoutes.Facts
    let status: StatusPublisher
    /// Has the directory read again.
    let reload: @Sendable () -> Void
    /// Tells when the socket is gone from its path.
    let watch: SocketWatch
    /// Where clients look for the socket.
    let record: StateLock.Record?
    let logger: Logger
    private let cache: ItemCache
    private let hub: EventHub
    private let desk: any ScheduleControl
    private let definitions: any DefinitionControl

    /// How long a connection may be silent within a request or between two.
    private static let silence = TimeAmount.seconds(30)

    /// A server that has not begun: the socket is not made yet.
    init(
        paths: [String], allowsInsecurePermissions: Bool, desk: any ScheduleControl, definitions: any DefinitionControl,
        store: any Store,
        engine: Mailbox<EngineInput>, clock: any WallClock, facts: StatusRoutes.Facts,
        status: StatusPublisher,
        reload: @escaping @Sendable () -> Void, watch: SocketWatch = SocketWatch(),
        record: StateLock.Record? = nil, logger: Logger
    ) {
        self.paths = paths
        self.allowsInsecurePermissions = allowsInsecurePermissions
        self.desk = desk
        self.definitions = definitions
        self.store = store
        self.engine = engine
        self.clock = clock
        self.facts = facts
        self.status = status
        self.reload = reload
        self.watch = watch
        self.record = record
        self.logger = logger
        cache = ItemCache(desk: desk)
        hub = EventHub(desk: desk, cache: cache, clock: clock)
    }

    /// Runs until it is told to stop gracefully: requests that have begun are answered, viewers end.
    ///
    /// - Throws: `SystemError` if the socket cannot be made.
    func run() async throws {
        let path = try place()
        note(path, isStopping: false)
        try await withGracefulShutdownHandler {
            try await withThrowingTaskGroup { group in
                group.addTask { await cancelWhenGracefulShutdown { await hub.run() } }
                group.addTask { try await listen(at: path) }
                // The hub ends only when all is to end.
                while try await group.next() != nil {}
            }
        } onGracefulShutdown: {
            note(path, isStopping: true)
        }
    }

    private func note(_ path: String, isStopping: Bool) {
        do throws(SystemError) {
            try record?.note(socket: path, isStopping: isStopping)
        } catch {
            // Clients look for it where it usually is.
            logger.warning("where the control socket is cannot be noted", metadata: ["reason": "\(error)"])
        }
    }

    /// Serves a socket at `path`, and makes another there when somebody has removed it. Who is connected already stays so.
    private func listen(at path: String) async throws {
        try await withThrowingDiscardingTaskGroup { listeners in
            let first = try server(at: path)
            listeners.addTask { try await first.run() }
            var refusal: String?
            for await _ in watch.losses.cancelOnGracefulShutdown() where watch.isLost {
                do {
                    // One at which another daemon answers by now is left to it.
                    try ControlSocketFile.prepare(path, allowInsecurePermissions: allowsInsecurePermissions)
                    let next = try server(at: path)
                    listeners.addTask {
                        do { try await next.run() } catch {
                            logger.error("the control socket cannot be made again", metadata: ["reason": "\(error)"])
                        }
                    }
                    refusal = nil
                    logger.notice("the control socket was gone and is made again", metadata: ["path": "\(path)"])
                } catch {
                    guard refusal != "\(error)" else { continue }
                    refusal = "\(error)"
                    logger.error("the control socket is gone", metadata: ["reason": "\(error)"])
                }
            }
        }
    }

    /// The first path that can be had. One at which another daemon answers, such as a second one of this user, is left to it.
    private func place() throws(SystemError) -> String {
        var refusal = SystemError.noSocket
        for path in paths {
            do throws(SystemError) {
                try ControlSocketFile.prepare(path, allowInsecurePermissions: allowsInsecurePermissions)
                return path
            } catch {
                refusal = error
                if path != paths.last { logger.notice("no control socket there", metadata: ["reason": "\(error)"]) }
            }
        }
        throw refusal
    }

    private func server(at path: String) throws -> any Service {
        let responder = router().buildResponder()
        let quiet = logger.quiet
        return try HTTPServerBuilder.http1(configuration: HTTP1Channel.Configuration(idleTimeout: Self.silence))
            .buildServer(
                configuration: ServerConfiguration(address: .unixDomainSocket(path: path), backlog: 1_024),
                eventLoopGroup: MultiThreadedEventLoopGroup.singleton, logger: quiet,
                responder: { request, writer, channel in
                    let context = ControlContext(
                        source: ApplicationRequestContextSource(channel: channel, logger: quiet))
                    let response = try await responder.respond(to: request, context: context)
                    try await writer.write(response: response.head, body: response.body)
                },
                onServerRunning: { _ in
                    watch.made(at: path)
                    do throws(SystemError) {
                        try ControlSocketFile.close(toOthers: path)
                        logger.debug("the control socket is open", metadata: ["path": "\(path)"])
                    } catch {
                        // Peers are checked in any case.
                        logger.error("\(error)")
                    }
                })
    }

    private func router() -> Router<ControlContext> {
        let routes = routes
        let router = Router(context: ControlContext.self)
        router.add(middleware: ControlGate(routes: routes, logger: logger))
        routes.add(to: router)
        return router
    }

    /// Everything that can be asked.
    var routes: ControlRoutes {
        var routes = ControlRoutes()
        let items = ItemRoutes(
            desk: desk, cache: cache, clock: clock,
            isStarting: { [status] in status.snapshot().generation == 0 })
        items.add(to: &routes)
        AdHocRoutes(definitions: definitions, items: items).add(to: &routes)
        OutboxRoutes(store: store, engine: engine, items: items, clock: clock).add(to: &routes)
        FireRoutes(items: items, clock: clock, source: facts.source).add(
            to: &routes)
        let viewers = hub.viewerCount
        StatusRoutes(
            facts: facts, desk: desk, status: status, clock: clock, reload: reload, viewers: { viewers.current }
        ).add(to: &routes)
        EventRoutes(hub: hub).add(to: &routes)
        DocumentRoutes().add(to: &routes)
        return routes
    }
}
