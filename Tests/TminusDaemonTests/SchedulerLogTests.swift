import Testing
import TminusCore
import TminusTestKit

@testable import TminusDaemon

@Suite("What the scheduler says")
struct SchedulerLogTests {
    @Test("of a stopwatch that runs and has no alert it is not said that all its instants are past")
    func stopwatch() async throws {
        let house = House()
        let recording = Recording()
        try await house.run { _ in
            var running = Definition.timer("running")
            running.schedule = .stopwatch(Stopwatch(start: .auto))
            house.load([running, .event("past", at: [at(-60)]), .timer()], [recording.sink()])
            try await house.sleeps(until: at(60))
        }
        let over = house.log.lines.filter { $0.message.hasPrefix("nothing is to come") }
        #expect(over.compactMap { $0.metadata["definition.id"] } == ["past"])
    }
}
