import Logging
import Testing
import TminusTestKit

@testable import TminusCore
@testable import TminusDaemon

/// The real engine by the clock of a fleet, over the manual clocks of a machine and of a database.
@Suite("The clock of a fleet: the engine")
struct FleetClockTests {
    private let recording = Recording()
    private let database = ManualClock(now: at(10_000))

    /// An engine on a machine whose clock is 10,000 s behind the database's. A countdown ends in 600 s, and an event is in 400 s.
    private func run(
        _ body: @escaping @Sendable (DaemonHarness, FleetClock) async throws -> Void
    ) async throws -> DaemonHarness {
        var harness = DaemonHarness()
        let clock = FleetClock(on: harness.clock)
        #expect(clock.measure { database.now })
        harness.fleetClock = clock
        let running = harness
        try await running.run { [recording] _ in
            running.load([.timer("t", .seconds(600)), .event("e", at: [at(10_400)])], [recording.sink()])
            try await running.sleeps(until: at(400))
            try await body(running, clock)
        }
        return running
    }

    /// Lets time pass on both machines.
    private func pass(_ seconds: Int, _ harness: DaemonHarness) {
        database.advance(by: .seconds(seconds))
        harness.clock.advance(by: .seconds(seconds))
    }

    @Test(
        "the clock of the machine, wrong as it is and set as it may be, changes nothing",
        arguments: [3_600, -90, 86_400, -86_400])
    func machineSet(seconds: Int) async throws {
        let step = Duration.seconds(seconds)
        let harness = try await run { harness, clock in
            pass(100, harness)
            harness.clock.set(to: at(100).advanced(by: step))
            #expect(clock.measure { database.now })
            try await harness.sleeps(until: at(400).advanced(by: step))
            pass(300, harness)
            try await harness.settled(1)
            try await harness.sleeps(until: at(600).advanced(by: step))
            pass(200, harness)
            try await harness.settled(2)
        }
        #expect(recording.shorts == ["e expiry 1", "t expiry 1"])
        #expect(recording.deliveries.map(\.due) == [at(10_400), at(10_600)])
        #expect(recording.deliveries.allSatisfy { $0.payload.late == 0 })
        #expect(!harness.log.lines.contains { $0.message == "the wall clock was set" })
        // The history has the time of the database, too.
        #expect(try await harness.records().map(\.log.first?.ended) == [at(10_400), at(10_600)])
    }

    @Test("another database with another clock is a clock that was set: the event follows it, the countdown does not")
    func databaseJumps() async throws {
        let harness = try await run { harness, clock in
            pass(100, harness)
            database.set(to: at(13_700))
            #expect(clock.measure { database.now })
            try await harness.settled(1)
            try await harness.sleeps(until: at(600))
            pass(500, harness)
            try await harness.settled(2)
        }
        #expect(recording.shorts == ["e expiry 1", "t expiry 1"])
        #expect(recording.deliveries.map(\.due) == [at(10_400), at(14_200)])
        #expect(harness.log.lines.count { $0.message == "the wall clock was set" } == 1)
    }

    @Test("a wrong clock is said once, and once that it is right again")
    func notices() {
        let log = LogRecord()
        let notices = ClockNotices(logger: log.logger)
        for ahead in [0, 0.9, 1.1, 3_600, -90, -0.8, -0.4, 0.9, -1.2] as [Double] {
            notices.measured(ahead: .milliseconds(Int(ahead * 1_000)))
        }
        #expect(log.lines.map(\.level) == [.warning, .notice, .warning])
        #expect(!notices.trustsClock())
    }
}
