internal import Hummingbird
internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import NIOPosix
internal import ServiceLifecycle
internal import TminusSystem

/// Serves the control socket: HTTP over a Unix-domain socket, for the daemon's user and root.
///
/// Does not use Hummingbird's `Application`, which wakes every second to format a date. An idle daemon must not wake up.
struct ControlServer: Service {
    /// The absolute paths the socket may have, preferred first.
    let paths: [String]
    /// Whether directories that other users can write are accepted.
    let allowsInsecurePermissions: Bool
    /// Makes the router of a socket.
    let router: @Sendable () -> Router<ControlContext>
    /// Its open connections.
    var connections = Connections()
    /// The event streams, which end before the connections are closed; nil if there are none.
    var hub: EventHub?
    /// Reports when the socket has disappeared from its path.
    let watch: SocketWatch
    /// Called with the path of the socket, before that is open.
    var placed: @Sendable (String) -> Void = { _ in }
    /// Called with its path when a socket takes requests: the first, and each that replaces a lost one.
    var opened: @Sendable (String) -> Void = { _ in }
    let logger: Logger
    /// How long answers under way may take after the stop.
    var stopLimit = Duration.seconds(2)
    /// How long a client may leave an answer unread.
    var readingLimit = Duration.seconds(30)
    /// How long a connection may be idle, within a request or between two.
    var pauseLimit = Duration.seconds(30)

    /// A server that has not started.
    init(
        paths: [String], allowsInsecurePermissions: Bool, watch: SocketWatch, logger: Logger,
        router: @escaping @Sendable () -> Router<ControlContext>
    ) {
        self.paths = paths
        self.allowsInsecurePermissions = allowsInsecurePermissions
        self.watch = watch
        self.logger = logger
        self.router = router
    }

    /// A server of all routes that has not started.
    init(
        paths: [String], allowsInsecurePermissions: Bool, api: ControlAPI, watch: SocketWatch, logger: Logger
    ) {
        self.init(
            paths: paths, allowsInsecurePermissions: allowsInsecurePermissions, watch: watch, logger: logger
        ) {
            let routes = api.routes
            let router = Router(context: ControlContext.self)
            router.add(middleware: ControlGate(routes: routes, logger: logger))
            routes.add(to: router)
            return router
        }
        connections = api.socketConnections
        hub = api.hub
    }

    /// Runs until graceful shutdown. Then takes no new request, ends the viewers' streams, and closes every connection
    /// once its answers are written, at the latest after ``stopLimit``.
    ///
    /// - Throws: `SystemError` if the socket cannot be created.
    func run() async throws {
        let path = try place()
        placed(path)
        try await withThrowingTaskGroup { group in
            if let hub { group.addTask { await cancelWhenGracefulShutdown { await hub.run() } } }
            group.addTask { try await serve(at: path) }
            // Neither task ends before the shutdown; wait for both.
            while try await group.next() != nil {}
        }
    }

    /// Serves a socket at `path` until the shutdown and, while answers are under way, for ``stopLimit`` after it.
    private func serve(at path: String) async throws {
        try await withThrowingTaskGroup { group in
            group.addTask { try await listen(at: path) }
            group.addTask { await closeAfterStop() }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    private func closeAfterStop() async {
        try? await gracefulShutdown()
        try? await Task.sleep(for: stopLimit, clock: .continuous)
        connections.close()
    }

    /// Serves a socket at `path` and creates it again if it is removed. Existing connections stay open.
    private func listen(at path: String) async throws {
        try await withThrowingDiscardingTaskGroup { listeners in
            let first = try server(at: path)
            listeners.addTask {
                try await first.run()
                noteEnd(at: path)
            }
            var refusal: String?
            for await _ in watch.losses.cancelOnGracefulShutdown() where watch.isLost {
                do {
                    // Throws if another daemon answers at the path by now; the path is left to it.
                    try ControlSocketFile.prepare(path, allowInsecurePermissions: allowsInsecurePermissions)
                    let next = try server(at: path)
                    listeners.addTask {
                        do {
                            try await next.run()
                            noteEnd(at: path)
                        } catch {
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

    /// Has the socket restored if its server ended before the shutdown. SwiftNIO closes a socket after most errors of
    /// accept(2), and Hummingbird keeps the error to itself.
    private func noteEnd(at path: String) {
        guard !Task.isShuttingDownGracefully, !Task.isCancelled else { return }
        logger.error("the control socket was closed by an error of accept(2)", metadata: ["path": "\(path)"])
        watch.look()
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
        let (connections, readingLimit, logger, opened) = (connections, readingLimit, logger, opened)
        let configuration = HTTP1Channel.Configuration(
            additionalChannelHandlers: [ConnectionWatch(connections, readingLimit: readingLimit, logger: logger)],
            idleTimeout: TimeAmount(pauseLimit))
        return try QuietServer(logger: logger) { quiet in
            try HTTPServerBuilder.http1(configuration: configuration)
                .buildServer(
                    configuration: ServerConfiguration(address: .unixDomainSocket(path: path), backlog: 1_024),
                    eventLoopGroup: MultiThreadedEventLoopGroup.singleton, logger: quiet,
                    responder: router().channelResponder(logger: quiet),
                    onServerRunning: { _ in
                        watch.made(at: path)
                        do throws(SystemError) {
                            try ControlSocketFile.close(toOthers: path)
                            logger.debug("control socket open", metadata: ["path": "\(path)"])
                        } catch {
                            // Not fatal: ControlGate checks each peer in any case.
                            logger.error("\(error)")
                        }
                        opened(path)
                    })
        }
    }
}
