import Testing
import TminusCore
import TminusTestKit

@testable import TminusDaemon

@Suite("Log of the engine")
struct EngineLogTests {
    @Test("a running stopwatch without alerts is not logged as past")
    func stopwatch() async throws {
        let harness = DaemonHarness()
        let recording = Recording()
        try await harness.run { _ in
            var running = Definition.timer("running")
            running.schedule = .stopwatch(Stopwatch(start: .auto))
            harness.load([running, .event("past", at: [at(-60)]), .timer()], [recording.sink()])
            try await harness.sleeps(until: at(60))
        }
        let over = harness.log.lines.filter { $0.message.hasPrefix("no occurrence left") }
        #expect(over.compactMap { $0.metadata["definition.id"] } == ["past"])
    }
}
