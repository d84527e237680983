import Testing
import TminusCore
import TminusTestKit

@testable import TminusDaemon

@Suite("From the schedule to the sink")
struct DeliveryPathTests {
    let recording = Recording()

    @Test("a timer that comes due reaches its sink once")
    func once() async throws {
        let house = House()
        try await house.run { _ in
            house.load([.timer()], [recording.sink()])
            try await house.sleeps(until: at(60))
            house.clock.advance(by: .seconds(60))
            try await recording.waitForDeliveries(1, upTo: .seconds(30))
            try await house.settled(1)
        }
        #expect(recording.shorts == ["t expiry 1"])
        #expect(recording.deliveries.map(\.source) == ["/tminus/test"])
        #expect(recording.deliveries.map(\.due) == [at(60)])
        #expect(house.store.memory.deliveries.allSatisfy { $0.isDelivered })
        #expect(recording.shutdowns == 1)
    }

    @Test("reminders and the expiry come in their order")
    func reminders() async throws {
        let house = House()
        try await house.run { _ in
            house.load([.timer(remind: [.seconds(10), .seconds(30)])], [recording.sink()])
            for (number, second) in [30.0, 50, 60].enumerated() {
                try await house.sleeps(until: at(second))
                house.clock.advance(by: house.clock.now.duration(to: at(second)))
                try await recording.waitForDeliveries(number + 1, upTo: .seconds(30))
                try await house.settled(number + 1)
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
        let house = House()
        try await house.run { _ in
            house.load((0..<10_000).map { .timer("t\($0)") }, [recording.sink(maxConcurrent: 256)])
            try await house.sleeps(until: at(60))
            house.clock.advance(by: .seconds(60))
            try await recording.waitForEnds(10_000, upTo: .seconds(120))
        }
        #expect(Set(recording.deliveries.map(\.id)).count == 10_000)
        #expect(recording.deliveries.count == 10_000)
        #expect(recording.mostRunning <= 256)
        #expect(house.store.memory.deliveries.allSatisfy { $0.isDelivered })
    }

    @Test("a clock set forward ends no timer early, and an event passed over is sent late and marked")
    func clockSetForward() async throws {
        let house = House()
        try await house.run { _ in
            house.load([.timer("t", .seconds(600)), .event("e", at: [at(700)])], [recording.sink()])
            try await house.sleeps(until: at(600))
            house.clock.advance(by: .seconds(100))
            house.clock.set(to: at(3_700))
            try await house.settled(1)
            try await house.sleeps(until: at(4_200))
            #expect(recording.shorts == ["e expiry 1"])
            #expect(recording.deliveries.allSatisfy { $0.payload.isCatchUp && $0.payload.late == 3_000_000_000_000 })
            house.clock.advance(by: .seconds(500))
            try await house.settled(2)
        }
        #expect(recording.shorts == ["e expiry 1", "t expiry 1"])
        #expect(house.log.lines.filter { $0.message == "the wall clock was set" }.count == 1)
    }

    @Test("the next cycle of an after-action timer begins when its action has ended")
    func afterAction() async throws {
        recording.answer { _ in .hold }
        let house = House()
        try await house.run { _ in
            house.load([.timer("t", .seconds(60), .afterAction)], [recording.sink()])
            try await house.sleeps(until: at(60))
            house.clock.advance(by: .seconds(60))
            try await recording.waitForDeliveries(1, upTo: .seconds(30))
            try await house.sleeps(until: nil)
            house.clock.advance(by: .seconds(15))
            recording.release()
            try await house.sleeps(until: at(135))
        }
        #expect(recording.shorts == ["t expiry 1"])
    }

    @Test("the next cycle begins too when the action failed for good")
    func afterFailedAction() async throws {
        recording.answer { _ in .fail(.permanent("no")) }
        let house = House()
        try await house.run { _ in
            house.load([.timer("t", .seconds(60), .afterAction)], [recording.sink()])
            try await house.sleeps(until: at(60))
            house.clock.advance(by: .seconds(60))
            try await house.sleeps(until: at(120))
        }
        #expect(house.store.memory.deliveries.map(\.deathReason) == ["no"])
    }

    @Test("a delivery whose payload cannot be read is dead, keeps nobody back, and ends its cycle")
    func unreadablePayload() async throws {
        let house = House()
        house.store.spoil(.test("bad"))
        try await house.run { _ in
            house.load(
                [.timer("bad", .seconds(60), .afterAction), .timer("good", .seconds(60))],
                [recording.sink(maxConcurrent: 1)])
            try await house.sleeps(until: at(60))
            house.clock.advance(by: .seconds(60))
            try await house.settled(2)
            try await house.sleeps(until: at(120))
        }
        #expect(recording.shorts == ["good expiry 1"])
        #expect(house.store.memory.deliveries.compactMap(\.deathReason) == ["its stored payload cannot be read"])
        #expect(house.log.lines.contains { $0.metadata["reason"] == "its stored payload cannot be read" })
    }
}
