import Foundation
import ServiceLifecycle
import Testing
import TminusCore
import TminusSystem
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
        try await recording.waitForDeliveries(1, upTo: Bounded.limit)
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

    @Test(
        "an attempt that ignores its cancellation holds up no end, and the next start repeats it", .serialized,
        arguments: [false, true])
    func stubborn(isCancelled: Bool) async throws {
        StubbornSink.state.update { $0 = StubbornSink.State() }
        var harness = DaemonHarness()
        (harness.stopLimit, harness.cancelLimit) = (.milliseconds(1), .milliseconds(1))
        if isCancelled { (harness.stopLimit, harness.hurryLimit) = (.seconds(3_600), .milliseconds(1)) }
        harness.sinks = SinkRegistry([StubbornSink.self, RecordingSink.self])
        recording.answer { _ in .deliver }
        let sinks = [
            SinkSpec(name: "firm", kind: StubbornSink.kind, options: Node(.mapping([])), directory: "/"),
            recording.sink(),
        ]
        try await harness.run { [harness, recording] running in
            harness.load([.timer("a", to: ["firm"]), .timer("b", to: ["s"])], sinks)
            try await harness.sleeps(until: at(60))
            harness.clock.advance(by: .seconds(60))
            #expect(await StubbornSink.state.wait(upTo: Bounded.limit) { $0.begun == 1 })
            try await recording.waitForEnds(1, upTo: Bounded.limit)
            guard isCancelled else { return }
            running.task.cancel()
            _ = await running.task.result
        }
        try await harness.log.wait(for: "running deliveries are interrupted; the next start repeats them")
        let states = harness.store.memory.deliveries.reduce(into: [:]) { $0[$1.firing.definition] = $1.isDelivered }
        #expect(states == [.test("a"): false, .test("b"): true])
        StubbornSink.state.update { $0.isReleased = true }

        var next = DaemonHarness(owner: "next", store: harness.store, now: at(100))
        next.sinks = harness.sinks
        try await next.run { [next] _ in
            next.load([.timer("a", to: ["firm"]), .timer("b", to: ["s"])], sinks)
            try await next.settled(2)
        }
        #expect(StubbornSink.state.value.begun == 2)
        #expect(recording.deliveries.count == 1)
    }

    @Test("the daemon is said to be stopping only once nothing new fires, and meanwhile the engine answers")
    func stopsFiringFirst() async throws {
        let directory = NSTemporaryDirectory() + "tminus-stop-\(UUID())"
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let lock = try StateLock(directory: directory, allowInsecurePermissions: false)
        var harness = DaemonHarness()
        let record = SocketRecord(lock.record, logger: harness.log.logger)
        record.serves(at: "/run/control.sock")
        let closing = Gate()
        harness.services = [
            closing, FiringStop(engine: harness.engine, schedule: harness.client, record: record),
        ]
        recording.answer { _ in .deliver }
        try await harness.run { [harness, recording] running in
            harness.load([.timer("t", .seconds(60)), .timer("later", .seconds(90))], [recording.sink()])
            try await harness.advance(to: 60)
            try await harness.settled(1)
            #expect(StateLock.holder(of: directory)?.isStopping == false)
            await running.group.triggerGracefulShutdown()
            // The next to stop is the gate: so the firing has stopped.
            #expect(await closing.isStopping.wait(upTo: Bounded.limit) { $0 })
            #expect(StateLock.holder(of: directory)?.isStopping == true)
            harness.clock.advance(by: .seconds(3_600))
            #expect(await harness.client.page(from: 0, limit: 10).entries.count == 2)
            closing.isOpen.update { $0 = true }
        }
        #expect(recording.deliveries.count == 1)
        lock.release()
    }

    @Test("every run of a daemon names its claims differently")
    func owners() {
        #expect(Set((0..<100).map { _ in Daemon.claimOwner() }).count == 100)
    }
}

/// A sink whose deliveries end only when a test says so, whatever is cancelled.
private struct StubbornSink: Sink {
    struct State: Sendable {
        var begun = 0
        var isReleased = false
    }

    static let kind = "stubborn"
    static let options = KeyTable("a stubborn sink", [])
    static let state = Watched(State())

    let maxConcurrent = 1
    let timeLimit = Duration.seconds(3_600)

    init?(from reader: inout MappingReader, context: SinkContext) {}

    func deliver(_ delivery: Delivery) async throws(DeliveryError) -> DeliveryReport {
        Self.state.update { $0.begun += 1 }
        await Task { _ = await Self.state.wait(upTo: .seconds(3_600)) { $0.isReleased } }.value
        return .empty
    }
}

/// A service that stops when a test says so.
private struct Gate: Service {
    let isStopping = Watched(false)
    let isOpen = Watched(false)

    func run() async {
        try? await gracefulShutdown()
        isStopping.update { $0 = true }
        _ = await isOpen.wait(upTo: Bounded.limit) { $0 }
    }
}
