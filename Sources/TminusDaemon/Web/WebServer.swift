internal import Hummingbird
internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import NIOPosix
internal import ServiceLifecycle
internal import TminusCore
internal import TminusSystem

/// Serves the routes that are not for the control socket alone over TCP. Without an address it does nothing.
///
/// It starts first and stops last, so that a probe sees a daemon that is stopping.
struct WebServer: Service {
    let options: WebOptions
    let api: ControlAPI
    /// The certificate for TLS at all ports; nil: plain HTTP.
    var certificates: Certificates?
    /// Whether a directory that other users can write is accepted for a socket.
    var allowsInsecurePermissions = false
    let logger: Logger
    /// How long the headers of the first request may take.
    var headLimit = Duration.seconds(10)
    /// How long a connection may be idle after an answer.
    var pauseLimit = Duration.seconds(30)
    /// How long answers under way may take after the stop.
    var stopLimit = Duration.seconds(2)
    private let connections = Connections()

    /// A server that has not started.
    init(options: WebOptions, api: ControlAPI, logger: Logger) {
        self.options = options
        self.api = api
        self.logger = logger
    }

    /// Runs until graceful shutdown, then closes every connection once its answers are written, at the latest after
    /// ``stopLimit``.
    ///
    /// - Throws: ``DaemonError`` if an address cannot be used.
    func run() async throws {
        guard !options.addresses.isEmpty else {
            try? await gracefulShutdown()
            return
        }
        for address in options.addresses where !address.isLoopback && certificates == nil {
            logger.warning(
                "plain HTTP is open beyond this machine: anybody on the way can read and change what passes",
                metadata: ["address": "\(address)"])
        }
        try await withThrowingTaskGroup { group in
            group.addTask {
                try await withThrowingTaskGroup { servers in
                    for address in options.addresses { servers.addTask { try await serve(address) } }
                    try await servers.waitForAll()
                }
            }
            group.addTask {
                try? await gracefulShutdown()
                try? await Task.sleep(for: stopLimit, clock: .continuous)
                connections.close()
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    private func serve(_ address: ListenAddress) async throws {
        do {
            while true {
                if case .unix(let path) = address.place {
                    try ControlSocketFile.prepare(
                        path, allowInsecurePermissions: allowsInsecurePermissions, option: "--listen")
                }
                try await server(address).run()
                // SwiftNIO closes a socket after most errors of accept(2), such as those of a network that goes down,
                // and Hummingbird keeps the error to itself.
                guard !Task.isShuttingDownGracefully, !Task.isCancelled else { return }
                logger.error(
                    "HTTP was closed by an error of accept(2) and is opened again",
                    metadata: ["address": "\(address)"])
            }
        } catch let error as IOError {
            throw ListenCheck.failure(address, error.errnoCode)
        }
    }

    private func server(_ address: ListenAddress) throws -> any Service {
        let (doors, logger) = (api.doors, logger)
        let limits = WebLimits(
            doors: doors, figures: api.web, connections: connections, logger: logger, head: headLimit,
            pause: pauseLimit)
        let configuration = HTTP1Channel.Configuration(
            additionalChannelHandlers: [WebGuard(limits)], idleTimeout: TimeAmount(pauseLimit),
            httpDecoderConfiguration: .init(
                maxHeaderFieldSize: WebLimits.headerBytes, maxHeaderListSize: WebLimits.headerBytes,
                maxHeaderFieldCount: WebLimits.headerCount))
        let certificates = address.port == nil ? nil : certificates
        let builder = HTTPServerBuilder { responder in
            WebChannel(
                http1: HTTP1Channel(responder: responder, configuration: configuration), certificates: certificates,
                limits: limits)
        }
        return try QuietServer(logger: logger) { quiet in
            try builder.buildServer(
                configuration: ServerConfiguration(address: address.binding, backlog: 1_024),
                eventLoopGroup: MultiThreadedEventLoopGroup.singleton, logger: quiet,
                responder: router(address).channelResponder(below: options.prefix, logger: quiet),
                onServerRunning: { channel in
                    if case .unix(let path) = address.place { ControlSocketFile.open(toAll: path) }
                    let open = address.bound(to: channel.localAddress?.port)
                    doors.opened(open)
                    logger.notice("HTTP open", metadata: ["address": "\(open)"])
                })
        }
    }

    private func router(_ address: ListenAddress) -> Router<ControlContext> {
        let routes = api.routes.beyondSocket
        let router = Router(context: ControlContext.self)
        router.add(
            middleware: WebGate(
                routes: routes, hosts: options.hosts,
                proxies: ProxyRules(trusted: options.trusted, prefix: options.prefix), isSocket: address.port == nil,
                isEncrypted: certificates != nil && address.port != nil,
                doors: api.doors, admission: api.admission, figures: api.web, logger: logger))
        routes.add(to: router)
        return router
    }
}

extension ListenAddress {
    /// The address for the server.
    fileprivate var binding: BindAddress {
        switch place {
        case .tcp(let host, let port): .hostname(host, port: port)
        case .unix(let path): .unixDomainSocket(path: path)
        }
    }
}
