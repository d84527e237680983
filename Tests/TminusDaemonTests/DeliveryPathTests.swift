import Testing
import TminusCore
import TminusTestKit

@testable import TminusDaemon

@Suite("From the schedule to the sink")
struct DeliveryPathTests {
    let recording = Recording()

    @Test("a timer that comes due reaches its sink once")
    func once() async throws {
        let harness = DaemonHarness()
        try await harness.run { _ in
            harness.load([.timer()], [recording.sink()])
            try await harness.sleeps(until: at(60))
            harness.clock.advance(by: .seconds(60))
            try await recording.waitForDeliveries(1, upTo: .seconds(30))
            try await harness.settled(1)
        }
        #expect(recording.shorts == ["t expiry 1"])
        #expect(recording.deliveries.map(\.source) == ["/tminus/test"])
        #expect(recording.deliveries.map(\.due) == [at(60)])
        #expect(harness.store.memory.deliveries.allSatisfy { $0.isDelivered })
        #expect(recording.shutdowns == 1)
    }

    @Test("reminders and the expiry come in their order")
    func reminders() async throws {
        let harness = DaemonHarness()
        try await harness.run { _ in
            harness.load([.timer(remind: [.seconds(10), .seconds(30)])], [recording.sink()])
            for (number, second) in [30.0, 50, 60].enumerated() {
                try await harness.sleeps(until: at(second))
                harness.clock.advance(by: harness.clock.now.duration(to: at(second)))
                try await recording.waitForDeliveries(number + 1, upTo: .seconds(30))
                try await harness.settled(number + 1)
            }
        }
        #expect(recording.shorts == ["t reminder 1", "t reminder 1", "t expiry 1"])
        #expect(
            recording.deliveries.map(\.payload.message) == [
                "t ends in 30 seconds", "t ends in 10 seconds", "t has ended",
            ])
    }

    @Test("ten thousand that are due at one instant are all delivered once")
    func manyAtOnce() async throws {
        let harness = DaemonHarness()
        try await harness.run { _ in
            harness.load((0..<10_000).map { .timer("t\($0)") }, [recording.sink(maxConcurrent: 256)])
            try await harness.sleeps(until: at(60))
            harness.clock.advance(by: .seconds(60))
            try await recording.waitForEnds(10_000, upTo: .seconds(120))
        }
        #expect(Set(recording.deliveries.map(\.id)).count == 10_000)
        #expect(recording.deliveries.count == 10_000)
        #expect(recording.mostRunning <= 256)
        #expect(harness.store.memory.deliveries.allSatisfy { $0.isDelivered })
    }

    @Test("a clock set forward ends no timer early, and an event passed over is sent late and marked")
    func clockSetForward() async throws {
        let harness = DaemonHarness()
        try await harness.run { _ in
            harness.load([.timer("t", .seconds(600)), .event("e", at: [at(700)])], [recording.sink()])
            try await harness.sleeps(until: at(600))
            harness.clock.advance(by: .seconds(100))
            harness.clock.set(to: at(3_700))
            try await harness.settled(1)
            try await harness.sleeps(until: at(4_200))
            #expect(recording.shorts == ["e expiry 1"])
            #expect(recording.deliveries.allSatisfy { $0.payload.isCatchUp && $0.payload.late == 3_000_000_000_000 })
            harness.clock.advance(by: .seconds(500))
            try await harness.settled(2)
        }
        #expect(recording.shorts == ["e expiry 1", "t expiry 1"])
        #expect(harness.log.lines.filter { $0.message == "the wall clock was set" }.count == 1)
    }

    @Test("the next cycle of an after-action timer begins when its action has ended")
    func afterAction() async throws {
        recording.answer { _ in .hold }
        let harness = DaemonHarness()
        try await harness.run { _ in
            harness.load([.timer("t", .seconds(60), .afterAction)], [recording.sink()])
            try await harness.sleeps(until: at(60))
            harness.clock.advance(by: .seconds(60))
            try await recording.waitForDeliveries(1, upTo: .seconds(30))
            try await harness.sleeps(until: nil)
            harness.clock.advance(by: .seconds(15))
            recording.release()
            try await harness.sleeps(until: at(135))
        }
        #expect(recording.shorts == ["t expiry 1"])
    }

    @Test("the next cycle begins too when the action failed for good")
    func afterFailedAction() async throws {
        recording.answer { _ in .fail(.permanent("no")) }
        let harness = DaemonHarness()
        try await harness.run { _ in
            harness.load([.timer("t", .seconds(60), .afterAction)], [recording.sink()])
            try await harness.sleeps(until: at(60))
            harness.clock.advance(by: .seconds(60))
            try await harness.sleeps(until: at(120))
        }
        #expect(harness.store.memory.deliveries.map(\.deathReason) == ["no"])
    }

    @Test("a delivery whose payload cannot be read is dead, keeps nobody back, and ends its cycle")
    func unreadablePayload() async throws {
        let harness = DaemonHarness()
        harness.store.spoil(.test("bad"))
        try await harness.run { _ in
            harness.load(
                [.timer("bad", .seconds(60), .afterAction), .timer("good", .seconds(60))],
                [recording.sink(maxConcurrent: 1)])
            try await harness.sleeps(until: at(60))
            harness.clock.advance(by: .seconds(60))
            try await harness.settled(2)
            try await harness.sleeps(until: at(120))
        }
        #expect(recording.shorts == ["good expiry 1"])
        #expect(harness.store.memory.deliveries.compactMap(\.deathReason) == ["its stored payload cannot be read"])
        #expect(harness.log.lines.contains { $0.metadata["reason"] == "its stored payload cannot be read" })
    }
}
