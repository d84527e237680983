import ServiceLifecycle
import Testing
import TminusCore
import TminusTestKit

@testable import TminusDaemon

@Suite("Stopping and starting again")
struct StoppingTests {
    let recording = Recording { _ in .hold }

    /// Three timers, of a sink that runs one at a time.
    private func load(_ harness: DaemonHarness) {
        harness.load((0..<3).map { .timer("t\($0)") }, [recording.sink(maxConcurrent: 1)])
    }

    /// All three due at once, and one held.
    private func holdOne(_ harness: DaemonHarness) async throws {
        load(harness)
        try await harness.sleeps(until: at(60))
        harness.clock.advance(by: .seconds(60))
        try await recording.waitForDeliveries(1, upTo: .seconds(30))
        try await harness.stored("written") { $0.count == 3 }
    }

    @Test("a graceful stop waits for running attempts, begins none, and leaves the rest for the next start")
    func graceful() async throws {
        let harness = DaemonHarness()
        try await harness.run { running in
            try await holdOne(harness)
            await running.group.triggerGracefulShutdown()
            try await harness.log.wait(for: "waiting for running deliveries")
            recording.release()
        }
        #expect(recording.shorts.count == 1)
        #expect(harness.store.memory.deliveries.filter(\.isDelivered).count == 1)
        #expect(harness.store.memory.deliveries.filter { $0.state == .pending }.count == 2)
        #expect(recording.shutdowns == 1)

        recording.answer { _ in .deliver }
        let next = DaemonHarness(owner: "next", store: harness.store, now: at(100))
        try await next.run { _ in
            load(next)
            try await next.settled(3)
        }
        #expect(recording.shorts.sorted() == ["t0 expiry 1", "t1 expiry 1", "t2 expiry 1"])
    }

    @Test("an attempt that does not end in time is cancelled, and repeated with the same id")
    func interrupted() async throws {
        var harness = DaemonHarness()
        harness.stopLimit = .milliseconds(1)
        try await harness.run { [harness] _ in try await holdOne(harness) }
        #expect(harness.store.memory.deliveries.allSatisfy { $0.state == .pending })

        recording.answer { _ in .deliver }
        let next = DaemonHarness(owner: "next", store: harness.store, now: at(100))
        try await next.run { _ in
            load(next)
            try await next.settled(3)
        }
        #expect(recording.deliveries.count == 4)
        #expect(Set(recording.deliveries.map(\.id)).count == 3)
        #expect(recording.deliveries.map(\.attempt).max() == 2)
    }

    @Test("the engine also stops while the store refuses, and the delivery is repeated with the same id")
    func storeRefuses() async throws {
        let harness = DaemonHarness()
        try await harness.run { running in
            try await holdOne(harness)
            harness.store.refuse(.any)
            await running.group.triggerGracefulShutdown()
            try await harness.log.wait(for: "waiting for running deliveries")
            recording.release()
        }
        try await harness.log.wait(for: "ended deliveries could not be recorded")
        #expect(recording.shutdowns == 1)

        recording.answer { _ in .deliver }
        harness.store.work()
        let next = DaemonHarness(owner: "next", store: harness.store, now: at(100))
        try await next.run { _ in
            load(next)
            try await next.settled(3)
        }
        try await next.log.wait(for: "released interrupted deliveries")
        #expect(recording.deliveries.count == 4)
        #expect(Set(recording.deliveries.map(\.id)).count == 3)
    }

    @Test("what could not be written before a stop fires at the next start")
    func scheduleRefused() async throws {
        recording.answer { _ in .deliver }
        let harness = DaemonHarness()
        try await harness.run { _ in
            harness.load([.timer()], [recording.sink()])
            try await harness.sleeps(until: at(60))
            harness.store.refuse(.any)
            harness.clock.advance(by: .seconds(60))
            try await harness.sleeps(until: at(61))
        }
        #expect(recording.deliveries.isEmpty)
        harness.store.work()
        let next = DaemonHarness(owner: "next", store: harness.store, now: at(100))
        try await next.run { _ in
            next.load([.timer()], [recording.sink()])
            try await next.settled(1)
        }
        #expect(recording.deliveries.map(\.due) == [at(60)])
        #expect(recording.deliveries.map(\.payload.isCatchUp) == [true])
    }

    @Test("a cancelled engine records the attempts that it interrupted, and then shuts down the sinks")
    func cancelled() async throws {
        let harness = DaemonHarness()
        try await harness.run { running in
            try await holdOne(harness)
            running.task.cancel()
            _ = await running.task.result
            #expect(harness.store.memory.deliveries.allSatisfy { $0.state == .pending })
            #expect(recording.ended == 1)
            #expect(recording.shutdowns == 1)
        }
    }

    @Test("every run of a daemon names its claims differently")
    func owners() {
        #expect(Set((0..<100).map { _ in Daemon.claimOwner() }).count == 100)
    }
}
