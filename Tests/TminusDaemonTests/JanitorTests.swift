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
        let dispatcher = Mailbox<DispatcherMessage>()
        let running = Task {
            try await Janitor(store: store, clock: clock, dispatcher: dispatcher, owner: "me", logger: log.logger).run()
        }
        for hour in 1...72 {
            #expect(await clock.waitForDeadline(at(Double(hour) * 3_600), upTo: .seconds(30)))
            #expect(store.calls(.prune) == (hour + 23) / 24)
            if hour == 1 { store.refuse(.prune) } else { store.work() }
            if hour == 24 { store.refuse(.prune) }
            clock.advance(by: .seconds(3_600))
        }
        try await store.waitForCalls(.prune, 4)
        #expect(store.calls(.release) == 73)
        #expect(log.count(.warning) == 1)
        running.cancel()
        try await Bounded.value(within: .seconds(30), "the end of the janitor") { try await running.value }
    }
}
