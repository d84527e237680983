import ServiceLifecycle
import Testing
import TminusCore
import TminusTestKit

@testable import TminusDaemon

@Suite("Stopping and starting again")
struct StoppingTests {
    let recording = Recording { _ in .hold }

    /// Three due at once for a sink that runs one at a time and holds it.
    private func holdOne(_ house: House) async throws {
        house.load((0..<3).map { .timer("t\($0)") }, [recording.sink(maxConcurrent: 1)])
        try await house.sleeps(until: at(60))
        house.clock.advance(by: .seconds(60))
        try await recording.waitForDeliveries(1, upTo: .seconds(30))
        try await house.stored("one claimed") { $0.count == 3 }
    }

    @Test("a graceful stop lets what runs finish, begins nothing, and leaves the rest for the next start")
    func graceful() async throws {
        let house = House()
        try await house.run { running in
            try await holdOne(house)
            await running.group.triggerGracefulShutdown()
            try await house.log.wait(for: "waiting for running deliveries")
            recording.release()
        }
        #expect(recording.shorts.count == 1)
        #expect(house.store.memory.deliveries.filter(\.isDelivered).count == 1)
        #expect(house.store.memory.deliveries.filter { $0.state == .pending }.count == 2)
        #expect(recording.shutdowns == 1)

        recording.answer { _ in .deliver }
        let next = House(owner: "next", store: house.store, now: at(100))
        try await next.run { _ in try await next.settled(3) }
        #expect(recording.shorts.sorted() == ["t0 expiry 1", "t1 expiry 1", "t2 expiry 1"])
    }

    @Test("a delivery that does not end in time is cancelled and goes out again with the same id")
    func interrupted() async throws {
        var house = House()
        house.stopLimit = .milliseconds(1)
        try await house.run { [house] _ in try await holdOne(house) }
        #expect(house.store.memory.deliveries.allSatisfy { $0.state == .pending })

        recording.answer { _ in .deliver }
        let next = House(owner: "next", store: house.store, now: at(100))
        try await next.run { _ in try await next.settled(3) }
        #expect(recording.deliveries.count == 4)
        #expect(Set(recording.deliveries.map(\.id)).count == 3)
        #expect(recording.deliveries.map(\.attempt).max() == 2)
    }

    @Test("a stop while the store refuses ends all the same, and the delivery is repeated with the same id")
    func storeRefuses() async throws {
        let house = House()
        try await house.run { running in
            try await holdOne(house)
            house.store.refuse(.settle, .advance, .claim)
            await running.group.triggerGracefulShutdown()
            try await house.log.wait(for: "waiting for running deliveries")
            recording.release()
        }
        try await house.log.wait(for: "ended deliveries could not be recorded")
        #expect(recording.shutdowns == 1)

        recording.answer { _ in .deliver }
        house.store.work()
        let next = House(owner: "next", store: house.store, now: at(100))
        try await next.run { _ in try await next.settled(3) }
        try await next.log.wait(for: "deliveries go on that were interrupted")
        #expect(recording.deliveries.count == 4)
        #expect(Set(recording.deliveries.map(\.id)).count == 3)
    }

    @Test("a stop while the schedule cannot be written is no error, and what was due fires at the next start")
    func scheduleRefused() async throws {
        recording.answer { _ in .deliver }
        let house = House()
        try await house.run { _ in
            house.load([.timer()], [recording.sink()])
            try await house.sleeps(until: at(60))
            house.store.refuse(.advance)
            house.clock.advance(by: .seconds(60))
            try await house.sleeps(until: at(61))
        }
        #expect(recording.deliveries.isEmpty)
        house.store.work()
        let next = House(owner: "next", store: house.store, now: at(100))
        try await next.run { _ in
            next.load([.timer()], [recording.sink()])
            try await next.settled(1)
        }
        #expect(recording.deliveries.map(\.due) == [at(60)])
        #expect(recording.deliveries.map(\.payload.isCatchUp) == [true])
    }

    @Test("services that are cancelled record what they interrupted, and close the sinks after it")
    func cancelled() async throws {
        let house = House()
        try await house.run { running in
            try await holdOne(house)
            running.task.cancel()
            _ = await running.task.result
            #expect(house.store.memory.deliveries.allSatisfy { $0.state == .pending })
            #expect(recording.ended == 1)
            #expect(recording.shutdowns == 1)
        }
    }

    @Test("no two runs of a daemon have the same name for their claims")
    func owners() {
        #expect(Set((0..<100).map { _ in Daemon.claimOwner() }).count == 100)
    }
}
