import Testing
import TminusCore
import TminusTestKit

@testable import TminusDaemon

/// What is claimed before there is room for it, and what becomes of it.
@Suite("Claiming ahead")
struct ClaimingAheadTests {
    private let recording = Recording()

    /// Lets one delivery through, which makes the sink a quick one, and then has `count` come due of which none ends.
    private func hold(
        _ count: Int, _ harness: DaemonHarness, _ sink: SinkSpec, overlap: Overlap? = nil, more: [Definition] = []
    ) async throws {
        let waiting = (0..<count).map { number in
            var definition = Definition.timer("t\(number)", .seconds(70))
            definition.overlap = overlap
            return definition
        }
        harness.load([.timer("first")] + waiting + more, [sink])
        try await harness.sleeps(until: at(60))
        harness.clock.advance(by: .seconds(60))
        try await harness.settled(1)
        recording.answer { _ in .hold }
        try await harness.sleeps(until: at(70))
        harness.clock.advance(by: .seconds(10))
        try await harness.stored("claimed") { $0.count { $0.state.name == .claimed } == count }
    }

    @Test("a quick sink has more claimed than it runs, and runs no more than it may")
    func ahead() async throws {
        let harness = DaemonHarness()
        try await harness.run { _ in
            try await hold(5, harness, recording.sink(maxConcurrent: 2))
            try await recording.waitForDeliveries(3, upTo: .seconds(30))
            recording.answer { _ in .deliver }
            recording.release()
            try await harness.settled(6)
        }
        #expect(recording.mostRunning == 2)
        #expect(recording.deliveries.count == 6)
        #expect(recording.deliveries.allSatisfy { $0.attempt == 1 })
    }

    @Test("what was claimed ahead and did not begin is given back by a daemon that stops, untried")
    func stopped() async throws {
        var briefly = DaemonHarness()
        briefly.stopLimit = .milliseconds(1)
        let harness = briefly
        try await harness.run { _ in
            try await hold(5, harness, recording.sink(maxConcurrent: 2))
            try await recording.waitForDeliveries(3, upTo: .seconds(30))
        }
        let states = harness.store.memory.deliveries.dropFirst()
        #expect(states.allSatisfy { $0.state == .pending })
        #expect(states.map(\.attempt).sorted() == [0, 0, 0, 1, 1])
        #expect(recording.deliveries.count == 3)
    }

    @Test("what was claimed ahead goes to the sink as it is after an edit")
    func edited() async throws {
        let harness = DaemonHarness()
        let other = Recording()
        try await harness.run { _ in
            try await hold(5, harness, recording.sink(maxConcurrent: 2))
            try await recording.waitForDeliveries(3, upTo: .seconds(30))
            harness.scheduler.send(
                .definitions(
                    DefinitionSet((0..<5).map { .timer("t\($0)", .seconds(70)) }, sinks: [other.sink(maxConcurrent: 1)])
                ))
            try await other.waitForEnds(3, upTo: .seconds(30))
            recording.release()
            try await harness.settled(6)
        }
        #expect(recording.deliveries.count == 3)
        #expect(other.deliveries.count == 3)
        #expect(other.deliveries.allSatisfy { $0.attempt == 1 })
    }

    @Test("where none ends for a second, what waits is given back, and goes out when there is room")
    func slowed() async throws {
        let harness = DaemonHarness()
        try await harness.run { _ in
            try await hold(5, harness, recording.sink(maxConcurrent: 2))
            try await recording.waitForDeliveries(3, upTo: .seconds(30))
            try await harness.sleeps(until: at(71))
            harness.clock.advance(by: .seconds(1))
            // The review sees a lane of which the last end is 11 s ago.
            try await harness.stored("given back") { $0.count { $0.state == .pending } == 3 }
            recording.answer { _ in .deliver }
            recording.release()
            try await harness.settled(6)
        }
        #expect(recording.deliveries.allSatisfy { $0.attempt == 1 })
    }

    /// Has `busy` take the only place of a quick sink from second 65 on, and what is due at 70 wait behind it.
    private func line(_ harness: DaemonHarness, behind definition: Definition) async throws {
        harness.load([.timer("first"), .timer("busy", .seconds(65)), definition], [recording.sink(maxConcurrent: 1)])
        try await harness.sleeps(until: at(60))
        harness.clock.advance(by: .seconds(60))
        try await harness.settled(1)
        recording.answer { _ in .hold }
        for second in [65.0, 70] {
            try await harness.sleeps(until: at(second))
            harness.clock.advance(by: .seconds(5))
        }
        try await harness.stored("claimed ahead") { $0.count == 3 && $0[2].state.name == .claimed }
    }

    @Test("what waits in line and a later occurrence replaces is not sent")
    func replaced() async throws {
        let harness = DaemonHarness()
        try await harness.run { _ in
            var repeated = Definition.event("again", at: [at(70), at(70.5)])
            repeated.overlap = .replace
            try await line(harness, behind: repeated)
            try await harness.sleeps(until: at(70.5))
            harness.clock.advance(by: .milliseconds(500))
            try await harness.stored("replaced") { $0.count == 4 && $0[2].state.name == .skipped }
            recording.answer { _ in .deliver }
            recording.release()
            try await harness.settled(4)
        }
        #expect(recording.deliveries.map(\.due) == [at(60), at(65), at(70.5)])
    }

    @Test("what expires while it waits in line is not sent")
    func expired() async throws {
        let harness = DaemonHarness()
        try await harness.run { _ in
            try await line(harness, behind: .timer("late", .seconds(70.5), remind: [.milliseconds(500)]))
            try await harness.sleeps(until: at(70.5))
            harness.clock.advance(by: .milliseconds(500))
            recording.answer { _ in .deliver }
            recording.release()
            try await harness.settled(4)
        }
        #expect(recording.shorts == ["first expiry 1", "busy expiry 1", "late expiry 1"])
        #expect(harness.store.memory.deliveries[2].state.name == .expired)
    }

    @Test("what was claimed as it was written is not offered again before the dispatcher counts it")
    func newOffer() throws {
        let offer = ClaimOffer()
        let room = ClaimRequest(owner: "me", limit: 9, room: [SinkKey("s"): 2], otherRoom: 1, until: at(60))
        let claimed = AttemptGroup.sample(["t"], sink: RecordingSink(recording)).attempts.map(\.claimed)
        offer.make(room, at: at(0))
        offer.take(claimed)
        // Made by a dispatcher that has not seen them.
        offer.make(room, at: at(0))
        let request = try #require(offer.request(at: at(0)))
        #expect(request.room == [SinkKey("s"): 1])
        #expect(request.limit == 8)
        // By one that has: its room is without theirs.
        offer.make(room, at: at(0), begun: claimed)
        #expect(offer.request(at: at(0)) == room)
    }

    @Test("of a sink that is not known one delivery is claimed as it is written, and no other until it is known")
    func unknownSink() async throws {
        let offer = ClaimOffer()
        offer.make(ClaimRequest(owner: "me", limit: 9, otherRoom: 1, until: at(60)), at: at(0))
        offer.take(AttemptGroup.sample(["t"], sink: RecordingSink(recording)).attempts.map(\.claimed))
        let request = try #require(offer.request(at: at(1)))
        #expect(request.room == [SinkKey("s"): 0])
        #expect(request.limit == 8)
        #expect(request.until == at(61))
        // The first delivery of a flood is on its way before the rest is looked for.
        let harness = DaemonHarness()
        try await harness.run { _ in
            harness.load([.timer("a"), .timer("b")], [recording.sink()])
            try await harness.sleeps(until: at(60))
            harness.store.refuse(.claim)
            harness.clock.advance(by: .seconds(60))
            try await recording.waitForDeliveries(1, upTo: .seconds(30))
            harness.store.work()
            harness.clock.advance(by: .seconds(1))
            try await harness.settled(2)
        }
    }
}
