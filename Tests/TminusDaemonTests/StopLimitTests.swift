import Logging
import ServiceLifecycle
import Synchronization
import Testing
import TminusTestKit

@testable import TminusDaemon

@Suite("The limit of a stop")
struct StopLimitTests {
    /// A service that waits for something that nobody gives it, and does not notice that it is to stop.
    private struct Stuck: Service {
        let limit: StopLimit
        let gate: Gate
        var onlyUntilStop = false

        func run() async throws {
            try await limit.run {
                if onlyUntilStop { return try await gracefulShutdown() }
                gate.begun.update { $0 = true }
                await gate.wait()
            }
        }
    }

    private final class Gate: Sendable {
        let begun = Watched(false)
        private let waiting = Mutex<CheckedContinuation<Void, Never>?>(nil)

        func wait() async {
            await withCheckedContinuation { continuation in waiting.withLock { $0 = continuation } }
        }

        func open() {
            waiting.withLock {
                $0?.resume()
                $0 = nil
            }
        }
    }

    private func group(_ service: any Service) -> ServiceGroup {
        ServiceGroup(services: [service], logger: Logger(label: "quiet") { _ in SwiftLogNoOpLogHandler() })
    }

    @Test("what does not end in time after a stop is left alone, with an error that says so")
    func stuck() async throws {
        let gate = Gate()
        let group = group(Stuck(limit: StopLimit(limit: .milliseconds(1)), gate: gate))
        let task = Task { try await group.run() }
        #expect(await gate.begun.wait(upTo: Bounded.limit) { $0 })
        await group.triggerGracefulShutdown()
        let error = await #expect(throws: DaemonError.self) {
            try await Bounded.value("the end of the service") { try await task.value }
        }
        #expect(error?.kind == .inputOutput)
        #expect(error?.message.contains("does not answer") == true)
        gate.open()
    }

    @Test("a stop takes at most 30 s")
    func standard() {
        #expect(StopLimit().limit == .seconds(30))
    }

    @Test("what ends in time gives its own result, and learns of the stop")
    func inTime() async throws {
        let group = group(Stuck(limit: StopLimit(limit: .seconds(3_600)), gate: Gate(), onlyUntilStop: true))
        let task = Task { try await group.run() }
        await group.triggerGracefulShutdown()
        try await Bounded.value("the end of the service") { try await task.value }
        await #expect(throws: CancellationError.self) {
            try await StopLimit().run { throw CancellationError() }
        }
    }
}
