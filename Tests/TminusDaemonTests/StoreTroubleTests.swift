import Logging
import Testing
import TminusCore
import TminusTestKit

@testable import TminusDaemon

@Suite("A store that refuses")
struct StoreTroubleTests {
    let recording = Recording()

    @Test("while the schedule cannot be written nothing fires, and nothing is lost; it is said once")
    func advance() async throws {
        let harness = DaemonHarness()
        try await harness.run { _ in
            harness.load([.timer()], [recording.sink()])
            try await harness.sleeps(until: at(60))
            harness.store.refuse(.advance)
            harness.clock.advance(by: .seconds(60))
            // The waits double: 1 s, 2 s, 4 s.
            for (pause, next) in [(1.0, 61.0), (2, 63), (4, 67)] {
                try await harness.sleeps(until: at(next))
                #expect(harness.board.storeProblems == ["\(StoreUser.schedule.rawValue): memory: no room"])
                harness.clock.advance(by: .seconds(pause) - .nanoseconds(1))
                if next == 67 { harness.store.work() }
                harness.clock.advance(by: .nanoseconds(1))
            }
            try await harness.settled(1)
            #expect(harness.board.storeProblems.isEmpty)
        }
        #expect(recording.shorts == ["t expiry 1"])
        #expect(recording.deliveries.map(\.due) == [at(60)])
        #expect(harness.log.count(.error) == 1)
        #expect(harness.log.lines.contains { $0.message == "the schedule can be written again" })
    }

    @Test("edits during the trouble are applied after it, the last one only")
    func editsMeanwhile() async throws {
        let harness = DaemonHarness()
        try await harness.run { _ in
            harness.store.refuse(.advance)
            harness.load([.timer()], [recording.sink()])
            try await harness.sleeps(until: at(1))
            for number in 0..<50 { harness.load([.timer("t\(number)", .seconds(90))], [recording.sink()]) }
            harness.store.work()
            harness.clock.advance(by: .seconds(1))
            try await harness.sleeps(until: at(91))
        }
        let reports = harness.log.lines.filter { $0.message == "added" }.compactMap { $0.metadata["definition.id"] }
        #expect(reports == ["t", "t49"])
    }

    @Test("a clock set during the trouble has the store asked again at once")
    func clockSetMeanwhile() async throws {
        let harness = DaemonHarness()
        try await harness.run { _ in
            harness.load([.timer()], [recording.sink()])
            try await harness.sleeps(until: at(60))
            harness.store.refuse(.advance)
            harness.clock.advance(by: .seconds(60))
            try await harness.sleeps(until: at(61))
            harness.store.work()
            harness.clock.set(to: at(-3_600))
            try await harness.settled(1)
        }
        #expect(recording.shorts == ["t expiry 1"])
    }

    @Test("an end that cannot be recorded is recorded later, and the delivery is not repeated")
    func settle() async throws {
        let harness = DaemonHarness()
        try await harness.run { _ in
            harness.load([.timer()], [recording.sink()])
            try await harness.sleeps(until: at(60))
            harness.store.refuse(.settle)
            harness.clock.advance(by: .seconds(60))
            try await recording.waitForEnds(1, upTo: .seconds(30))
            try await harness.sleeps(until: at(61))
            harness.clock.advance(by: .seconds(1))
            try await harness.sleeps(until: at(63))
            #expect(harness.board.storeProblems == ["\(StoreUser.deliveries.rawValue): memory: no room"])
            harness.store.work()
            harness.clock.advance(by: .seconds(2))
            try await harness.settled(1)
        }
        #expect(recording.shorts == ["t expiry 1"])
        #expect(harness.log.count(.error) == 1)
        #expect(harness.log.lines.contains { $0.message == "deliveries go on: the store works again" })
    }

    @Test("what cannot be claimed is delivered when it can be", arguments: [TroubledStore.Verb.claim, .nextAttempt])
    func claim(_ verb: TroubledStore.Verb) async throws {
        let harness = DaemonHarness()
        try await harness.run { _ in
            harness.load([.timer()], [recording.sink()])
            try await harness.sleeps(until: at(60))
            harness.store.refuse(verb)
            harness.clock.advance(by: .seconds(60))
            try await harness.sleeps(until: at(61))
            harness.store.work()
            harness.clock.advance(by: .seconds(1))
            try await harness.settled(1)
        }
        #expect(recording.shorts == ["t expiry 1"])
        #expect(harness.log.count(.error) == 1)
    }

    @Test("what was claimed goes back when the sink cannot be looked up, and is delivered later")
    func sinkLookup() async throws {
        let harness = DaemonHarness()
        try await harness.run { _ in
            harness.load([.timer("a"), .timer("b", to: ["other"])], [recording.sink(), recording.sink("other")])
            try await harness.sleeps(until: at(60))
            harness.store.refuse(.sink)
            harness.clock.advance(by: .seconds(60))
            try await harness.sleeps(until: at(61))
            harness.store.work()
            harness.clock.advance(by: .seconds(1))
            try await harness.settled(2)
        }
        #expect(recording.shorts.sorted() == ["a expiry 1", "b expiry 1"])
    }

    @Test("stored schedules that cannot be read are counted in the log and do not prevent the start")
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
