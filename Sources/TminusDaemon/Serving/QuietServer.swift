internal import Logging
internal import ServiceLifecycle
internal import Synchronization

/// A server of the HTTP library whose log ends when it is to stop.
///
/// While it stops, the library closes what is closed and waits for what never comes, and logs both as errors; a second signal, which cancels
/// it, causes more.
struct QuietServer: Service {
    private let server: any Service
    private let stop = Stop()

    /// Makes a server that uses the given logger.
    init(logger: Logger, _ make: (Logger) throws -> any Service) rethrows {
        var quiet = logger.quiet
        quiet.handler = LogUntilStop(handler: quiet.handler, stop: stop)
        server = try make(quiet)
    }

    func run() async throws {
        // Registered first, so it runs before the library's own handler.
        try await withGracefulShutdownHandler {
            try await server.run()
        } onGracefulShutdown: {
            stop.begin()
        }
    }
}

/// Whether a server is to stop.
private final class Stop: Sendable {
    private let state = Mutex(false)

    var hasBegun: Bool { state.withLock(\.self) }

    func begin() { state.withLock { $0 = true } }
}

/// A log handler that drops everything once the server is to stop, and what a cancelled task logs.
private struct LogUntilStop: WrappedLog {
    var handler: any LogHandler
    let stop: Stop

    func log(event: LogEvent) {
        guard !stop.hasBegun, !Task.isCancelled else { return }
        handler.log(event: event)
    }
}
