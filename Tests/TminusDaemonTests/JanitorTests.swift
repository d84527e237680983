import Logging
import Testing
import TminusCore
import TminusTestKit

@testable import TminusDaemon

@Suite("Janitor")
struct JanitorTests {
    @Test("old records are removed at the start and once a day, also after a day on which it failed")
    func daily() async throws {
        let (clock, store, log) = (ManualClock(now: at(0)), TroubledStore(), LogRecord())
        let running = Task { try await Janitor(store: store, clock: clock, logger: log.logger).run() }
        for day in 1...3 {
            #expect(await clock.waitForDeadline(at(Double(day) * 86_400), upTo: .seconds(30)))
            #expect(store.calls(.prune) == day)
            if day == 1 { store.refuse(.prune) } else { store.work() }
            clock.advance(by: .seconds(86_400))
        }
        try await store.waitForCalls(.prune, 4)
        #expect(log.count(.warning) == 1)
        running.cancel()
        try await Bounded.value(within: .seconds(30), "the end of the janitor") { try await running.value }
    }
}
