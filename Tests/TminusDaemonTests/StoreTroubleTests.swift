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
        let house = House()
        try await house.run { _ in
            house.load([.timer()], [recording.sink()])
            try await house.sleeps(until: at(60))
            house.store.refuse(.advance)
            house.clock.advance(by: .seconds(60))
            // The waits double: 1 s, 2 s, 4 s.
            for (pause, next) in [(1.0, 61.0), (2, 63), (4, 67)] {
                try await house.sleeps(until: at(next))
                #expect(house.board.storeProblems == ["\(StoreUser.schedule.rawValue): memory: no room"])
                house.clock.advance(by: .seconds(pause) - .nanoseconds(1))
                if next == 67 { house.store.work() }
                house.clock.advance(by: .nanoseconds(1))
            }
            try await house.settled(1)
            #expect(house.board.storeProblems.isEmpty)
        }
        #expect(recording.shorts == ["t expiry 1"])
        #expect(recording.deliveries.map(\.due) == [at(60)])
        #expect(house.log.count(.error) == 1)
        #expect(house.log.lines.contains { $0.message == "the schedule can be written again" })
    }

    @Test("edits during the trouble are applied after it, the last one only")
    func editsMeanwhile() async throws {
        let house = House()
        try await house.run { _ in
            house.store.refuse(.advance)
            house.load([.timer()], [recording.sink()])
            try await house.sleeps(until: at(1))
            for number in 0..<50 { house.load([.timer("t\(number)", .seconds(90))], [recording.sink()]) }
            house.store.work()
            house.clock.advance(by: .seconds(1))
            try await house.sleeps(until: at(91))
        }
        let reports = house.log.lines.filter { $0.message == "added" }.compactMap { $0.metadata["definition.id"] }
        #expect(reports == ["t", "t49"])
    }

    @Test("a clock set during the trouble has the store asked again at once")
    func clockSetMeanwhile() async throws {
        let house = House()
        try await house.run { _ in
            house.load([.timer()], [recording.sink()])
            try await house.sleeps(until: at(60))
            house.store.refuse(.advance)
            house.clock.advance(by: .seconds(60))
            try await house.sleeps(until: at(61))
            house.store.work()
            house.clock.set(to: at(-3_600))
            try await house.settled(1)
        }
        #expect(recording.shorts == ["t expiry 1"])
    }

    @Test("an end that cannot be recorded is recorded later, and the delivery is not repeated")
    func settle() async throws {
        let house = House()
        try await house.run { _ in
            house.load([.timer()], [recording.sink()])
            try await house.sleeps(until: at(60))
            house.store.refuse(.settle)
            house.clock.advance(by: .seconds(60))
            try await recording.waitForEnds(1, upTo: .seconds(30))
            try await house.sleeps(until: at(61))
            house.clock.advance(by: .seconds(1))
            try await house.sleeps(until: at(63))
            #expect(house.board.storeProblems == ["\(StoreUser.deliveries.rawValue): memory: no room"])
            house.store.work()
            house.clock.advance(by: .seconds(2))
            try await house.settled(1)
        }
        #expect(recording.shorts == ["t expiry 1"])
        #expect(house.log.count(.error) == 1)
        #expect(house.log.lines.contains { $0.message == "deliveries go on: the store works again" })
    }

    @Test("what cannot be claimed is delivered when it can be", arguments: [TroubledStore.Verb.claim, .nextAttempt])
    func claim(_ verb: TroubledStore.Verb) async throws {
        let house = House()
        try await house.run { _ in
            house.load([.timer()], [recording.sink()])
            try await house.sleeps(until: at(60))
            house.store.refuse(verb)
            house.clock.advance(by: .seconds(60))
            try await house.sleeps(until: at(61))
            house.store.work()
            house.clock.advance(by: .seconds(1))
            try await house.settled(1)
        }
        #expect(recording.shorts == ["t expiry 1"])
        #expect(house.log.count(.error) == 1)
    }

    @Test("what was claimed goes back when the sink cannot be looked up, and is delivered later")
    func sinkLookup() async throws {
        let house = House()
        try await house.run { _ in
            house.load([.timer("a"), .timer("b", to: ["other"])], [recording.sink(), recording.sink("other")])
            try await house.sleeps(until: at(60))
            house.store.refuse(.sink)
            house.clock.advance(by: .seconds(60))
            try await house.sleeps(until: at(61))
            house.store.work()
            house.clock.advance(by: .seconds(1))
            try await house.settled(2)
        }
        #expect(recording.shorts.sorted() == ["a expiry 1", "b expiry 1"])
    }

    @Test("stored schedules that cannot be read are counted in the log and do not prevent the start")
    func unreadableSchedules() async throws {
        let house = House()
        house.store.spoilSchedules(3)
        try await house.run { _ in
            house.load([.timer()], [recording.sink()])
            try await house.sleeps(until: at(60))
        }
        #expect(house.log.lines.filter { $0.level == .error }.map(\.metadata) == [["count": "3"]])
    }
}
