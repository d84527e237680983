internal import Hummingbird
internal import Logging
internal import ServiceLifecycle
internal import TminusSystem

/// The control socket of a daemon while it stands by.
final class StandbyServer: Sendable {
    private let server: ControlServer
    private let forwarder: RequestForwarder
    private let logger: Logger
    private let (starts, start) = AsyncStream.makeStream(of: Void.self)

    /// How often the socket is looked for at its path. A daemon that leads looks when it scans its directory.
    private static let interval = Duration.seconds(30)

    /// A server that has not begun.
    ///
    /// - Parameter placed: Told the path of the socket.
    init(
        paths: [String], allowsInsecurePermissions: Bool, forwarder: RequestForwarder,
        placed: @escaping @Sendable (String) -> Void, logger: Logger
    ) {
        let routes = ControlRoutes()
        var server = ControlServer(
            paths: paths, allowsInsecurePermissions: allowsInsecurePermissions, watch: SocketWatch(), logger: logger
        ) {
            let router = Router(context: ControlContext.self)
            router.add(middleware: ControlGate(routes: routes, logger: logger))
            router.add(middleware: ForwardingGate(forwarder: forwarder))
            return router
        }
        server.placed = placed
        self.server = server
        self.forwarder = forwarder
        self.logger = logger
    }

    /// Has it begin, because another daemon leads.
    func begin() { start.yield() }

    /// How long answers under way may take at the end. The store may be slow to give them.
    private static let stopLimit = Duration.milliseconds(500)

    /// Runs beside `body`, which has it begin. When this returns, it takes no new requests.
    func run<Value: Sendable>(beside body: () async throws -> Value) async throws -> Value {
        // A cancelled server would end the process, so it is a group that is stopped.
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: [ServiceGroupConfiguration.ServiceConfiguration(namedByType: server)], logger: logger.quiet))
        let serving = Task { await serve(group) }
        func stop() async {
            start.finish()
            forwarder.stop()
            await group.triggerGracefulShutdown()
            await serving.end(within: Self.stopLimit)
        }
        do {
            let value = try await body()
            await stop()
            return value
        } catch {
            await stop()
            throw error
        }
    }

    private func serve(_ group: ServiceGroup) async {
        guard await starts.cancelOnGracefulShutdown().first(where: { _ in true }) != nil else { return }
        let looks = Task {
            while !Task.isCancelled {
                try? await Task.sleep(for: Self.interval, clock: .continuous)
                server.watch.look()
            }
        }
        defer { looks.cancel() }
        do {
            try await group.run()
        } catch {
            logger.error("cannot serve the control socket while it stands by", metadata: ["reason": "\(error)"])
        }
    }
}
