import Logging
import Testing
import TminusCore
import TminusTestKit

@testable import TminusDaemon

@Suite("A store that refuses")
struct StoreTroubleTests {
    let recording = Recording()
    private let problem =
        "the store cannot be written, nothing fires, and deliveries and edits wait until it can: memory: no room"

    @Test("while the store refuses nothing fires and nothing is lost, and it is logged once")
    func firings() async throws {
        let harness = DaemonHarness()
        try await harness.run { _ in
            harness.load([.timer()], [recording.sink()])
            try await harness.sleeps(until: at(60))
            harness.store.refuse(.firings)
            harness.clock.advance(by: .seconds(60))
            // The waits double: 1 s, 2 s, 4 s.
            for (pause, next) in [(1.0, 61.0), (2, 63), (4, 67)] {
                try await harness.sleeps(until: at(next))
                #expect(harness.board.storeProblems == [problem])
                harness.clock.advance(by: .seconds(pause) - .nanoseconds(1))
                if next == 67 { harness.store.work() }
                harness.clock.advance(by: .nanoseconds(1))
            }
            try await harness.settled(1)
            try await harness.log.wait(for: "the store can be written again")
            #expect(harness.board.storeProblems.isEmpty)
        }
        #expect(recording.shorts == ["t expiry 1"])
        #expect(recording.deliveries.map(\.due) == [at(60)])
        #expect(harness.log.count(.error) == 1)
        #expect(harness.store.commits(.firings) == 4)
    }

    @Test("an occurrence that the store refused is sent late, and the newest one is not skipped because of it")
    func overlap() async throws {
        let harness = DaemonHarness()
        var event = Definition.event(at: [at(10), at(20), at(30)])
        event.overlap = .skip
        let definition = event
        try await harness.run { _ in
            harness.load([definition], [recording.sink()])
            try await harness.sleeps(until: at(10))
            harness.store.refuse(.firings)
            harness.clock.advance(by: .seconds(10))
            try await harness.sleeps(until: at(11))
            harness.store.work()
            harness.clock.advance(by: .seconds(20))
            try await harness.settled(2)
        }
        #expect(recording.deliveries.map(\.due) == [at(10), at(30)])
        let history = try await harness.store.history(of: definition.id, before: at(1_000), limit: 10)
        #expect(history.filter { $0.end == .missed(.superseded) }.map(\.due) == [at(20)])
    }

    @Test("of the edits while the store refuses only the last is applied")
    func editsMeanwhile() async throws {
        let harness = DaemonHarness()
        try await harness.run { _ in
            harness.store.refuse(.any)
            harness.load([.timer()], [recording.sink()])
            try await harness.sleeps(until: at(1))
            for number in 0..<50 {
                harness.load([.timer("t\(number)", .seconds(90))], [recording.sink()])
                // The answer comes after the edit was taken.
                _ = await harness.client.page(from: 0, limit: 10)
            }
            harness.store.work()
            harness.clock.advance(by: .seconds(1))
            // It began when it was read, not when the store took it.
            try await harness.sleeps(until: at(90))
        }
        let reports = harness.log.lines.filter { $0.message == "added" }.compactMap { $0.metadata["definition.id"] }
        #expect(reports == ["t", "t49"])
    }

    @Test("a clock that is set has the store asked again at once")
    func clockSetMeanwhile() async throws {
        let harness = DaemonHarness()
        try await harness.run { _ in
            harness.load([.timer()], [recording.sink()])
            try await harness.sleeps(until: at(60))
            harness.store.refuse(.any)
            harness.clock.advance(by: .seconds(60))
            try await harness.sleeps(until: at(61))
            harness.store.work()
            harness.clock.set(to: at(-3_600))
            try await harness.settled(1)
        }
        #expect(recording.shorts == ["t expiry 1"])
    }

    @Test("the end of an attempt that could not be recorded is recorded later, and the delivery is not repeated")
    func settlements() async throws {
        let harness = DaemonHarness()
        try await harness.run { _ in
            harness.load([.timer()], [recording.sink()])
            try await harness.sleeps(until: at(60))
            harness.store.refuse(.settlements)
            harness.clock.advance(by: .seconds(60))
            try await recording.waitForEnds(1, upTo: Bounded.limit)
            try await harness.advance(to: 61)
            try await harness.sleeps(until: at(63))
            #expect(harness.board.storeProblems == [problem])
            harness.store.work()
            harness.clock.advance(by: .seconds(2))
            try await harness.settled(1)
        }
        #expect(recording.shorts == ["t expiry 1"])
        #expect(harness.log.count(.error) == 1)
        #expect(harness.log.lines.contains { $0.message == "the store can be written again" })
    }

    @Test("a delivery that could not be claimed is claimed later")
    func claims() async throws {
        let harness = DaemonHarness()
        let store = harness.store
        // Written, and the first of them claimed, before the store refuses.
        store.afterCommit { if !$0.firings.isEmpty { store.refuse(.claims) } }
        try await harness.run { _ in
            harness.load([.timer("a"), .timer("b")], [recording.sink()])
            try await harness.advance(to: 60)
            try await recording.waitForEnds(1, upTo: Bounded.limit)
            try await harness.sleeps(until: at(61))
            #expect(recording.deliveries.count == 1)
            store.work()
            harness.clock.advance(by: .seconds(1))
            try await harness.settled(2)
        }
        #expect(recording.deliveries.count == 2)
        #expect(harness.log.count(.error) == 1)
    }

    @Test("claimed deliveries go out while the store refuses")
    func claimedAhead() async throws {
        let harness = DaemonHarness()
        try await harness.run { _ in
            harness.load(
                [.timer("first")] + (0..<5).map { .timer("t\($0)", .seconds(70)) }, [recording.sink(maxConcurrent: 1)])
            try await harness.advance(to: 60)
            try await harness.settled(1)
            try await harness.sleeps(until: at(70))
            harness.store.refuse(.settlements)
            harness.clock.advance(by: .seconds(10))
            try await recording.waitForEnds(6, upTo: Bounded.limit)
            #expect(harness.store.memory.deliveries.count { $0.state == .claimed } == 5)
            harness.store.work()
            try await harness.advance(to: 71)
            try await harness.settled(6)
        }
        #expect(recording.deliveries.count == 6)
    }

    @Test("the number of unreadable schedules is logged, and the engine starts")
    func unreadableSchedules() async throws {
        let harness = DaemonHarness()
        harness.store.spoilSchedules(3)
        try await harness.run { _ in
            harness.load([.timer()], [recording.sink()])
            try await harness.sleeps(until: at(60))
        }
        #expect(harness.log.lines.filter { $0.level == .error }.map(\.metadata) == [["count": "3"]])
    }
}
