import Logging
import ServiceLifecycle
import Testing
import TminusTestKit

@testable import TminusDaemon

@Suite("Log of the HTTP library")
struct QuietServerTests {
    /// Logs errors as the library does: one while it serves, and some at its end.
    private struct Server: Service {
        let logger: Logger
        let stopped: Watched<Bool>

        func run() async throws {
            logger.error("while it serves")
            await withGracefulShutdownHandler {
                _ = await stopped.wait(upTo: Bounded.limit) { $0 }
            } onGracefulShutdown: {
                Task {
                    logger.error("from another task")
                    stopped.update { $0 = true }
                }
            }
            logger.error("after the end")
        }
    }

    @Test("what fails while it serves is logged, and what its end causes is not")
    func end() async throws {
        let (log, stopped) = (LogRecord(), Watched(false))
        let server = QuietServer(logger: log.logger) { Server(logger: $0, stopped: stopped) }
        let quiet = Logger(label: "quiet") { _ in SwiftLogNoOpLogHandler() }
        let group = ServiceGroup(services: [server], gracefulShutdownSignals: [], logger: quiet)
        let running = Task { try await group.run() }
        try await log.wait(for: "while it serves")
        await group.triggerGracefulShutdown()
        _ = try await Bounded.value("the end") { await running.result }
        #expect(stopped.value)
        #expect(log.lines.map(\.message) == ["while it serves"])
    }

    @Test("an end at once logs no error of the library", arguments: [false, true])
    func cancelled(isStopping: Bool) async throws {
        let harness = try ControlHarness()
        let group = ServiceGroup(
            services: [harness.server()], gracefulShutdownSignals: [],
            logger: Logger(label: "quiet") { _ in SwiftLogNoOpLogHandler() })
        let running = Task { try await group.run() }
        try await harness.log.wait(for: "control socket open")
        if isStopping { await group.triggerGracefulShutdown() }
        running.cancel()
        _ = try await Bounded.value("the end") { await running.result }
        #expect(harness.log.lines.allSatisfy { $0.level < .warning }, "\(harness.log.lines)")
    }
}
