import Logging
import Testing
import TminusTestKit

@testable import TminusCore
@testable import TminusDaemon

@Suite("Sinks that fail, hang or change")
struct SinkTroubleTests {
    let recording = Recording()

    @Test("a transient failure is retried when the policy says, with the same id")
    func transient() async throws {
        recording.answer { $0.attempt < 3 ? .fail(.transient("busy")) : .deliver }
        let harness = DaemonHarness()
        try await harness.run { _ in
            harness.load([.timer()], [recording.sink()])
            // The whole bound is waited here: 1 s after the first attempt, 2 s after the second.
            for (attempt, second) in [60.0, 61, 63].enumerated() {
                try await harness.sleeps(until: at(second))
                #expect(recording.deliveries.count == attempt)
                harness.clock.advance(by: harness.clock.now.duration(to: at(second)))
            }
            try await harness.settled(1)
        }
        #expect(recording.shorts == ["t expiry 1", "t expiry 2", "t expiry 3"])
        #expect(Set(recording.deliveries.map(\.id)).count == 1)
        #expect(harness.log.count(.warning) == 2)
    }

    @Test("a retry that comes due while a commit is made is not missed")
    func dueMeanwhile() async throws {
        recording.answer { $0.attempt == 1 ? .fail(.transient("busy")) : .deliver }
        let harness = DaemonHarness()
        harness.store.afterCommit { [clock = harness.clock, memory = harness.store.memory] _ in
            let waits = memory.deliveries.contains { $0.state == .pending && $0.nextAttempt > clock.now }
            if waits { clock.advance(by: .seconds(1)) }
        }
        try await harness.run { _ in
            harness.load([.timer()], [recording.sink()])
            try await harness.sleeps(until: at(60))
            harness.clock.advance(by: .seconds(60))
            try await harness.settled(1)
        }
        #expect(recording.shorts == ["t expiry 1", "t expiry 2"])
    }

    @Test("a permanent failure ends the delivery with its reason")
    func permanent() async throws {
        recording.answer { _ in .fail(.permanent("gone")) }
        let harness = DaemonHarness()
        try await harness.run { _ in
            harness.load([.timer()], [recording.sink()])
            try await harness.sleeps(until: at(60))
            harness.clock.advance(by: .seconds(60))
            try await harness.settled(1)
        }
        #expect(harness.store.memory.deliveries.map(\.deathReason) == ["gone"])
        #expect(recording.shorts == ["t expiry 1"])
        #expect(harness.log.count(.error) == 1)
    }

    @Test("a sink that hangs delays no other")
    func hangs() async throws {
        let hanging = Recording { _ in .hold }
        let harness = DaemonHarness()
        try await harness.run { _ in
            harness.load(
                (0..<20).map { .timer("t\($0)", to: ["hanging", "s"]) },
                [hanging.sink("hanging", maxConcurrent: 2), recording.sink(maxConcurrent: 1)])
            try await harness.sleeps(until: at(60))
            harness.clock.advance(by: .seconds(60))
            try await recording.waitForEnds(20, upTo: Bounded.limit)
            #expect(hanging.ended == 0)
            hanging.answer { _ in .deliver }
            hanging.release()
            try await harness.settled(40)
        }
        #expect(hanging.deliveries.count == 20)
    }

    @Test("sinks that hang with a high limit of their own leave room for every other sink")
    func hogs() async throws {
        let hanging = Recording { _ in .hold }
        let harness = DaemonHarness()
        try await harness.run { _ in
            // Together they want more than may run.
            let count = DispatchMachine.limit / 2 + 100
            let hogs = ["a", "b"].map { hanging.sink($0, maxConcurrent: count) }
            harness.load((0..<count).map { .timer("t\($0)", .seconds(10), to: ["a", "b"]) }, hogs)
            try await harness.sleeps(until: at(10))
            harness.clock.advance(by: .seconds(10))
            try await hanging.waitForDeliveries(DispatchMachine.limit, upTo: Bounded.limit)
            harness.load(
                [.timer("x", .seconds(5)), .timer("y", .seconds(5))], hogs + [recording.sink(maxConcurrent: 3)])
            try await harness.sleeps(until: at(15))
            harness.clock.advance(by: .seconds(5))
            try await recording.waitForEnds(2, upTo: Bounded.limit)
            #expect(hanging.ended == 0)
            hanging.answer { _ in .deliver }
            hanging.release()
            try await harness.settled(2 * count + 2)
        }
    }

    @Test("a sink runs no more attempts at once than its limit")
    func maxConcurrent() async throws {
        recording.answer { _ in .hold }
        let harness = DaemonHarness()
        try await harness.run { _ in
            harness.load((0..<12).map { .timer("t\($0)") }, [recording.sink(maxConcurrent: 3)])
            try await harness.sleeps(until: at(60))
            harness.clock.advance(by: .seconds(60))
            try await recording.waitForDeliveries(3, upTo: Bounded.limit)
            recording.answer { _ in .deliver }
            recording.release()
            try await harness.settled(12)
        }
        #expect(recording.mostRunning == 3)
        #expect(recording.deliveries.count == 12)
    }

    @Test("an edited sink takes what waits although its former revision hangs")
    func corrected() async throws {
        let hanging = Recording { _ in .hold }
        let harness = DaemonHarness()
        try await harness.run { _ in
            let timers = (0..<3).map { Definition.timer("t\($0)") }
            harness.load(timers, [hanging.sink(maxConcurrent: 1)])
            try await harness.sleeps(until: at(60))
            harness.clock.advance(by: .seconds(60))
            try await hanging.waitForDeliveries(1, upTo: Bounded.limit)
            harness.load(timers, [recording.sink(maxConcurrent: 1)])
            try await recording.waitForEnds(2, upTo: Bounded.limit)
            #expect(hanging.ended == 0)
            hanging.release()
            try await harness.settled(3)
        }
        #expect(hanging.deliveries.count == 1)
        #expect(recording.deliveries.count == 2)
        #expect(hanging.shutdowns == 1)
        #expect(recording.shutdowns == 1)
    }

    @Test(
        "a delivery to a sink that was removed waits for it, and is dead a day later if it does not come back",
        arguments: [true, false])
    func removed(comesBack: Bool) async throws {
        recording.answer { _ in .fail(.transient("busy")) }
        let (harness, corrected) = (DaemonHarness(), Recording())
        try await harness.run { _ in
            let others = [corrected.sink("other")]
            harness.load([.timer()], [recording.sink()] + others)
            try await harness.advance(to: 60)
            try await harness.stored("one that waits for a retry") { $0.first?.state == .pending }
            harness.load([], others)
            // It is answered after the edit is taken in.
            _ = await harness.client.page(from: 0, limit: 10)
            try await harness.advance(to: 61)
            // The retry is due, and from now on only the janitor wakes the engine.
            let janitor = Task {
                try await Janitor(
                    store: harness.store, clock: harness.clock, engine: harness.engine, schedule: harness.client,
                    definitions: LoaderClient(Mailbox<LoaderInput>()), owner: harness.owner, logger: harness.log.logger
                ).run()
            }
            defer { janitor.cancel() }
            for hour in 1...23 {
                try await harness.advance(to: 61 + 3_600 * Double(hour))
                #expect(try await harness.records().map(\.waitsForSink) == [true])
            }
            if comesBack {
                harness.load([], [corrected.sink()] + others)
            } else {
                try await harness.advance(to: 61 + 3_600 * 24)
            }
            try await harness.settled(1)
        }
        #expect(recording.shorts == ["t expiry 1"])
        #expect(corrected.shorts == (comesBack ? ["t expiry 2"] : []))
        let reason = "the sink 's' is not in the files any more"
        #expect(harness.store.memory.deliveries.map(\.deathReason) == [comesBack ? nil : reason])
    }

    @Test("deliveries to a sink that cannot be made fail with the reason, and no others")
    func cannotBeMade() async throws {
        let harness = DaemonHarness()
        try await harness.run { _ in
            let unknown = SinkSpec(name: "x", kind: "nonsense", options: Node(.mapping([])), directory: "/")
            harness.load(
                (0..<5).map { .timer("t\($0)", to: ["x", "s", "never-declared"]) }, [unknown, recording.sink()])
            try await harness.sleeps(until: at(60))
            harness.clock.advance(by: .seconds(60))
            try await harness.settled(15)
        }
        #expect(recording.deliveries.count == 5)
        let reasons = harness.store.memory.deliveries.compactMap(\.deathReason)
        #expect(reasons.count == 10)
        #expect(
            Set(reasons) == [
                "this program cannot make the sink 'x'",
                "the sink 'never-declared' is not in the files any more",
            ])
    }
}
