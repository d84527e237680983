internal import Hummingbird
internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import NIOPosix
internal import ServiceLifecycle
internal import TminusControl
internal import TminusCore
internal import TminusSystem

/// Serves the control socket: HTTP over a Unix-domain socket, for the daemon's user and root.
///
/// Does not use Hummingbird's `Application`, which wakes every second to format a date. An idle daemon must not wake
/// up.
struct ControlServer: Service {
    /// The absolute paths the socket may have, preferred first.
    let paths: [String]
    /// Whether directories that other users can write are accepted.
    let allowsInsecurePermissions: Bool
    /// The store with deliveries and history.
    let store: any Store
    let engine: Mailbox<EngineInput>
    let clock: any WallClock
    /// The constant part of the status.
    let facts: StatusRoutes.Facts
    let status: StatusPublisher
    /// Has the directory read again.
    let reload: @Sendable () -> Void
    /// Reports when the socket has disappeared from its path.
    let watch: SocketWatch
    /// The record from which clients learn the socket's path.
    let record: StateLock.Record?
    /// The log.
    let logger: Logger
    private let cache: ItemCache
    private let hub: EventHub
    private let desk: any ScheduleControl
    private let definitions: any DefinitionControl

    /// The time a connection may be idle, within a request or between two.
    private static let silence = TimeAmount.seconds(30)

    /// Creates a server; ``run()`` creates the socket.
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

    /// Runs until graceful shutdown. Then answers the requests in progress and ends the viewers' streams.
    ///
    /// - Throws: `SystemError` if the socket cannot be created.
    func run() async throws {
        let path = try place()
        note(path, isStopping: false)
        try await withGracefulShutdownHandler {
            try await withThrowingTaskGroup { group in
                group.addTask { await cancelWhenGracefulShutdown { await hub.run() } }
                group.addTask { try await listen(at: path) }
                // Neither task ends before the shutdown; wait for both.
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
            // Not fatal: clients then try the default paths.
            logger.warning("cannot record the path of the control socket", metadata: ["reason": "\(error)"])
        }
    }

    /// Serves a socket at `path` and creates it again if it is removed. Existing connections stay open.
    private func listen(at path: String) async throws {
        try await withThrowingDiscardingTaskGroup { listeners in
            let first = try server(at: path)
            listeners.addTask { try await first.run() }
            var refusal: String?
            for await _ in watch.losses.cancelOnGracefulShutdown() where watch.isLost {
                do {
                    // Throws if another daemon answers at the path by now; the path is left to it.
                    try ControlSocketFile.prepare(path, allowInsecurePermissions: allowsInsecurePermissions)
                    let next = try server(at: path)
                    listeners.addTask {
                        do { try await next.run() } catch {
                            logger.error("cannot restore the control socket", metadata: ["reason": "\(error)"])
                        }
                    }
                    refusal = nil
                    logger.notice("control socket restored", metadata: ["path": "\(path)"])
                } catch {
                    guard refusal != "\(error)" else { continue }
                    refusal = "\(error)"
                    logger.error(
                        "the control socket is missing and cannot be restored", metadata: ["reason": "\(error)"])
                }
            }
        }
    }

    /// Returns the first usable path. Skips a path at which another daemon answers, such as a second one of this user.
    private func place() throws(SystemError) -> String {
        var refusal = SystemError.noSocket
        for path in paths {
            do throws(SystemError) {
                try ControlSocketFile.prepare(path, allowInsecurePermissions: allowsInsecurePermissions)
                return path
            } catch {
                refusal = error
                if path != paths.last {
                    logger.notice("cannot use this path for the control socket", metadata: ["reason": "\(error)"])
                }
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
                        logger.debug("control socket open", metadata: ["path": "\(path)"])
                    } catch {
                        // Not fatal: ControlGate checks each peer in any case.
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

    /// All routes of the control socket.
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
