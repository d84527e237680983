import Testing
import TminusCore
import TminusTestKit

@testable import TminusDaemon

/// What is claimed before there is room for it, and what becomes of it.
@Suite("Claiming ahead")
struct ClaimingAheadTests {
    private let recording = Recording()

    /// Delivers one, so that the sink counts as quick, and then has `count` come due, none of which ends.
    private func hold(_ count: Int, _ harness: DaemonHarness, _ sink: SinkSpec) async throws {
        harness.load([.timer("first")] + (0..<count).map { .timer("t\($0)", .seconds(70)) }, [sink])
        try await harness.advance(to: 60)
        try await harness.settled(1)
        recording.answer { _ in .hold }
        try await harness.advance(to: 70)
        try await harness.stored("claimed") { $0.count { $0.state == .claimed } == count }
    }

    @Test("a quick sink claims more than it runs, and runs no more than its limit")
    func ahead() async throws {
        let harness = DaemonHarness()
        try await harness.run { _ in
            try await hold(5, harness, recording.sink(maxConcurrent: 2))
            try await recording.waitForDeliveries(3, upTo: Bounded.limit)
            recording.answer { _ in .deliver }
            recording.release()
            try await harness.settled(6)
        }
        #expect(recording.mostRunning == 2)
        #expect(recording.deliveries.count == 6)
        #expect(recording.deliveries.allSatisfy { $0.attempt == 1 })
    }

    @Test("a waiting delivery goes back without an attempt when the daemon stops")
    func stopped() async throws {
        var briefly = DaemonHarness()
        briefly.stopLimit = .milliseconds(1)
        let harness = briefly
        try await harness.run { _ in
            try await hold(5, harness, recording.sink(maxConcurrent: 2))
            try await recording.waitForDeliveries(3, upTo: Bounded.limit)
        }
        let records = try await harness.records().dropFirst()
        #expect(records.allSatisfy { $0.state == .pending })
        #expect(records.map(\.attempts).sorted() == [0, 0, 0, 1, 1])
        #expect(recording.deliveries.count == 3)
    }

    @Test("a waiting delivery goes back when its sink is edited, and goes to the edited sink")
    func edited() async throws {
        let harness = DaemonHarness()
        let other = Recording()
        try await harness.run { _ in
            try await hold(5, harness, recording.sink(maxConcurrent: 2))
            try await recording.waitForDeliveries(3, upTo: Bounded.limit)
            harness.load((0..<5).map { .timer("t\($0)", .seconds(70)) }, [other.sink(maxConcurrent: 1)])
            try await other.waitForEnds(3, upTo: Bounded.limit)
            recording.release()
            try await harness.settled(6)
        }
        #expect(recording.deliveries.count == 3)
        #expect(other.deliveries.count == 3)
        #expect(other.deliveries.allSatisfy { $0.attempt == 1 })
    }

    @Test("a waiting delivery goes back when no attempt of its sink ends for a second")
    func slowed() async throws {
        let harness = DaemonHarness()
        try await harness.run { _ in
            try await hold(5, harness, recording.sink(maxConcurrent: 2))
            try await recording.waitForDeliveries(3, upTo: Bounded.limit)
            try await harness.advance(to: 71)
            // The last attempt ended 11 s ago.
            try await harness.stored("given back") { $0.count { $0.state == .pending } == 3 }
            recording.answer { _ in .deliver }
            recording.release()
            try await harness.settled(6)
        }
        #expect(recording.deliveries.allSatisfy { $0.attempt == 1 })
    }

    /// Has `busy` occupy a quick sink from second 65 on, and what is due at 70 wait behind it.
    private func line(_ harness: DaemonHarness, behind definition: Definition) async throws {
        harness.load([.timer("first"), .timer("busy", .seconds(65)), definition], [recording.sink(maxConcurrent: 1)])
        try await harness.advance(to: 60)
        try await harness.settled(1)
        recording.answer { _ in .hold }
        try await harness.advance(to: 65)
        try await harness.advance(to: 70)
        try await harness.stored("claimed ahead") { $0.count == 3 && $0[2].state == .claimed }
    }

    @Test("a waiting delivery that a later occurrence replaces is not sent")
    func replaced() async throws {
        let harness = DaemonHarness()
        try await harness.run { _ in
            var repeated = Definition.event("again", at: [at(70), at(70.5)])
            repeated.overlap = .replace
            try await line(harness, behind: repeated)
            try await harness.advance(to: 70.5)
            try await harness.stored("replaced") { $0.count == 4 && $0[2].state == .skipped }
            recording.answer { _ in .deliver }
            recording.release()
            try await harness.settled(4)
        }
        #expect(recording.deliveries.map(\.due) == [at(60), at(65), at(70.5)])
    }

    @Test("a waiting delivery that expires is not sent")
    func expired() async throws {
        let harness = DaemonHarness()
        try await harness.run { _ in
            try await line(harness, behind: .timer("late", .seconds(70.5), remind: [.milliseconds(500)]))
            try await harness.advance(to: 70.5)
            recording.answer { _ in .deliver }
            recording.release()
            try await harness.settled(4)
        }
        #expect(recording.shorts == ["first expiry 1", "busy expiry 1", "late expiry 1"])
        #expect(harness.store.memory.deliveries[2].state == .expired)
    }

    @Test("a waiting delivery that a person discards is not sent")
    func discarded() async throws {
        let harness = DaemonHarness()
        try await harness.run { _ in
            try await line(harness, behind: .timer("late", .seconds(70)))
            let id = harness.store.memory.deliveries[2].id
            let discarded = try await harness.store.discard(DeliveryFilter(ids: [id]), now: harness.clock.now)
            #expect(discarded.deliveries == [id])
            harness.engine.send(.discarded(discarded))
            recording.answer { _ in .deliver }
            recording.release()
            try await harness.settled(3)
        }
        #expect(recording.shorts == ["first expiry 1", "busy expiry 1"])
        #expect(harness.store.memory.deliveries[2].state == .discarded)
    }
}
