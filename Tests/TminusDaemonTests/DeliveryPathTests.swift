import Logging
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
            try await recording.waitForDeliveries(1, upTo: Bounded.limit)
            try await harness.settled(1)
        }
        #expect(recording.shorts == ["t expiry 1"])
        #expect(recording.deliveries.map(\.source) == ["/tminus/test"])
        #expect(recording.deliveries.map(\.due) == [at(60)])
        #expect(harness.store.memory.deliveries.allSatisfy { $0.isDelivered })
        #expect(recording.shutdowns == 1)
    }

    @Test("reminders and the expiry are delivered in order")
    func reminders() async throws {
        let harness = DaemonHarness()
        try await harness.run { _ in
            harness.load([.timer(remind: [.seconds(10), .seconds(30)])], [recording.sink()])
            for (number, second) in [30.0, 50, 60].enumerated() {
                try await harness.advance(to: second)
                try await recording.waitForDeliveries(number + 1, upTo: Bounded.limit)
                try await harness.settled(number + 1)
            }
        }
        #expect(recording.shorts == ["t reminder 1", "t reminder 1", "t expiry 1"])
        #expect(
            recording.deliveries.map(\.payload.message) == [
                "t ends in 30 seconds", "t ends in 10 seconds", "t has ended",
            ])
    }

    @Test("ten thousand timers due at one instant are all delivered once")
    func manyAtOnce() async throws {
        let harness = DaemonHarness()
        try await harness.run { _ in
            harness.load((0..<10_000).map { .timer("t\($0)") }, [recording.sink(maxConcurrent: 256)])
            try await harness.sleeps(until: at(60))
            harness.clock.advance(by: .seconds(60))
            try await recording.waitForEnds(10_000, upTo: .seconds(600))
        }
        #expect(Set(recording.deliveries.map(\.id)).count == 10_000)
        #expect(recording.deliveries.count == 10_000)
        #expect(recording.mostRunning <= 256)
        #expect(harness.store.memory.deliveries.allSatisfy { $0.isDelivered })
    }

    @Test("a clock set forward ends no timer early, and an event it skipped is sent and marked as late")
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

    @Test("an after-action timer starts its next cycle when its action has ended")
    func afterAction() async throws {
        recording.answer { _ in .hold }
        let harness = DaemonHarness()
        try await harness.run { _ in
            harness.load([.timer("t", .seconds(60), .afterAction)], [recording.sink()])
            try await harness.sleeps(until: at(60))
            harness.clock.advance(by: .seconds(60))
            try await recording.waitForDeliveries(1, upTo: Bounded.limit)
            try await harness.sleeps(until: nil)
            harness.clock.advance(by: .seconds(15))
            recording.release()
            try await harness.sleeps(until: at(135))
        }
        #expect(recording.shorts == ["t expiry 1"])
    }

    @Test("an after-action timer starts its next cycle when its action has failed")
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

    @Test("an unreadable delivery that the store marks as dead is logged")
    func unreadable() async throws {
        let harness = DaemonHarness()
        let id = DeliveryID(definition: .test("bad"), occurrence: at(60), action: .expiry, sink: SinkKey("s"))
        harness.store.spoil(id)
        try await harness.run { _ in
            harness.load([.timer("good")], [recording.sink()])
            try await harness.advance(to: 60)
            try await harness.settled(1)
        }
        let lines = harness.log.lines.filter { $0.level == .error }
        #expect(lines.map(\.message) == ["delivery is dead: its stored data cannot be read"])
        #expect(lines.map(\.metadata) == [["delivery.id": id.rawValue]])
    }
}
