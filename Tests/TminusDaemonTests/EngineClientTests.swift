import Testing
import TminusCore
import TminusTestKit

@testable import TminusDaemon

@Suite("Engine client")
struct EngineClientTests {
    private static let tea = DefinitionID("tea")!

    private static func request(_ control: Control, _ id: DefinitionID = tea) -> ControlRequest {
        ControlRequest(id: id, control: control, by: "ada", note: "phone")
    }

    @Test("a control is stored before it is answered, and the next process resumes from there")
    func durable() async throws {
        let store = TroubledStore()
        let harness = DaemonHarness(store: store)
        try await harness.run { running in
            harness.load([.timer("tea", .seconds(600))], [Recording().sink()])
            try await harness.sleeps(until: at(600))
            harness.clock.advance(by: .seconds(100))
            let entry = try await harness.client.perform(Self.request(.pause))
            #expect(entry.state.phase == .paused)
            #expect(entry.definition.id == Self.tea)
            #expect(try await store.memory.snapshot().schedules == [entry.state])
            try await harness.sleeps(until: nil)
        }
        let later = DaemonHarness(owner: "later", store: store, now: at(5_000))
        try await later.run { _ in
            later.load([.timer("tea", .seconds(600)).renamed("Tea")], [Recording().sink()])
            let entry = try await later.client.perform(Self.request(.resume))
            #expect(entry.state.deadline == at(5_500))
            try await later.sleeps(until: at(5_500))
        }
    }

    @Test("a refusal says why, and nothing is written")
    func unfit() async throws {
        let harness = DaemonHarness()
        try await harness.run { _ in
            harness.load([.timer("tea", .seconds(600))], [Recording().sink()])
            try await harness.sleeps(until: at(600))
            harness.clock.advance(by: .seconds(1))
            await #expect(throws: ControlRefusal.unknown) {
                _ = try await harness.client.perform(Self.request(.pause, DefinitionID("ta")!))
            }
            await #expect(
                throws: ControlRefusal.unfit(
                    reason: "a timer has no laps", fitting: [.pause, .stop, .reset, .snooze, .skip, .mute])
            ) { _ = try await harness.client.perform(Self.request(.lap)) }
            #expect(harness.store.commits(.schedules) == 1)
        }
    }

    @Test("a control that cannot be written is refused at once and changes nothing")
    func unwritten() async throws {
        let harness = DaemonHarness()
        try await harness.run { _ in
            harness.load([.timer("tea", .seconds(600))], [Recording().sink()])
            try await harness.sleeps(until: at(600))
            harness.store.refuse(.any)
            await #expect(throws: ControlRefusal.unwritten(reason: "memory: no room")) {
                _ = try await harness.client.perform(Self.request(.pause))
            }
            #expect(await harness.client.entry(Self.tea)?.state.phase == .armed)
            #expect(harness.board.storeProblems == ["the last control could not be written: memory: no room"])
            // What comes due waits, and controls are refused meanwhile.
            harness.clock.advance(by: .seconds(600))
            try await harness.store.waitForCommits(.firings, 1)
            await #expect(throws: ControlRefusal.unwritten(reason: "memory: no room")) {
                _ = try await harness.client.perform(Self.request(.start(adding: nil)))
            }
            harness.store.work()
            harness.clock.advance(by: .seconds(1))
            try await harness.settled(1)
            #expect(try await harness.client.perform(Self.request(.start(adding: nil))).state.deadline == at(1_201))
            #expect(harness.board.storeProblems.isEmpty)
        }
    }

    @Test("a general mute that cannot be written is refused and mutes nothing")
    func unwrittenMute() async throws {
        let harness = DaemonHarness()
        try await harness.run { _ in
            harness.load([.timer("tea", .seconds(600))], [Recording().sink()])
            try await harness.sleeps(until: at(600))
            harness.store.refuse(.any)
            let mute = GeneralControl(.mute(until: at(900)), by: "ada")
            await #expect(throws: ControlRefusal.unwritten(reason: "memory: no room")) {
                _ = try await harness.client.perform(mute)
            }
            #expect(await harness.client.generalMute() == nil)
            #expect(await harness.client.entry(Self.tea)?.state.overrides == Overrides())
            harness.store.work()
            #expect(try await harness.client.perform(mute).map(\.definition.id) == [Self.tea])
            #expect(await harness.client.generalMute()?.until == at(900))
            #expect(try await harness.store.memory.snapshot().mute?.until == at(900))
        }
    }

    @Test("a control sent after a definition finds it")
    func order() async throws {
        let harness = DaemonHarness()
        try await harness.run { _ in
            for number in 0..<50 {
                harness.load([.timer("t\(number)", .seconds(600))], [Recording().sink()])
                _ = try await harness.client.perform(Self.request(.pause, DefinitionID("t\(number)")!))
            }
        }
    }

    private static func firing(_ sinks: String...) -> Firing {
        Firing(
            definition: tea, occurrence: at(0), action: .test(of: .expiry, at: at(0)), due: at(0), payload: .test,
            sinks: sinks.map { SinkKey($0) })
    }

    @Test("a firing is stored before it is answered")
    func fire() async throws {
        let harness = DaemonHarness()
        let recording = Recording { _ in .hold }
        try await harness.run { _ in
            harness.load([.timer("tea", .seconds(600))], [recording.sink()])
            #expect(try await harness.client.fire(Self.firing("s"), waits: false).isEmpty)
            #expect(harness.store.memory.deliveries.map(\.isOpen) == [true])
            try await recording.waitForDeliveries(1, upTo: Bounded.limit)
            recording.release()
        }
    }

    @Test("a client that waits for a firing gets the first outcome of each delivery")
    func fireAndWait() async throws {
        let harness = DaemonHarness()
        let (good, bad) = (Recording(), Recording { _ in .fail(.transient("busy")) })
        let firing = Self.firing("good", "bad")
        try await harness.run { _ in
            harness.load([.timer("tea", .seconds(600))], [good.sink("good"), bad.sink("bad")])
            let outcomes = try await harness.client.fire(firing, waits: true)
            #expect(firing.targets.map { outcomes[$0.delivery] } == [.delivered, .retry(at: at(1), reason: "busy")])
        }
        #expect(good.deliveries.count == 1)
    }

    @Test("a firing that cannot be written is refused and not sent")
    func unwrittenFiring() async throws {
        let harness = DaemonHarness()
        let recording = Recording()
        try await harness.run { _ in
            harness.load([.timer("tea", .seconds(600))], [recording.sink()])
            try await harness.sleeps(until: at(600))
            harness.store.refuse(.firings)
            await #expect(throws: ControlRefusal.unwritten(reason: "memory: no room")) {
                _ = try await harness.client.fire(Self.firing("s"), waits: true)
            }
            harness.store.work()
            #expect(try await harness.client.fire(Self.firing("s"), waits: true).values.map(\.self) == [.delivered])
        }
        #expect(recording.deliveries.count == 1)
    }

    @Test("whoever waits for a firing gets an answer when the engine stops")
    func fireAndStop() async throws {
        var briefly = DaemonHarness()
        briefly.stopLimit = .milliseconds(1)
        let harness = briefly
        let recording = Recording { _ in .hold }
        let answer = Watched<[DeliveryID: Outcome]?>(nil)
        try await harness.run { _ in
            harness.load([.timer("tea", .seconds(600))], [recording.sink()])
            Task.immediate {
                let outcomes = try await harness.client.fire(Self.firing("s"), waits: true)
                answer.update { $0 = outcomes }
            }
            try await recording.waitForDeliveries(1, upTo: Bounded.limit)
        }
        #expect(await answer.wait(upTo: Bounded.limit) { $0 == [:] })
    }

    @Test("changes are published once for each commit, and all entries can be listed")
    func changes() async throws {
        let harness = DaemonHarness()
        try await harness.run { _ in
            var changes = harness.client.changes().makeAsyncIterator()
            harness.load([.timer("tea", .seconds(600)), .timer("soup", .seconds(900))], [Recording().sink()])
            #expect(await changes.next() == [Self.tea, DefinitionID("soup")!])
            _ = try await harness.client.perform(Self.request(.pause))
            // Nothing that anybody could see.
            _ = try await harness.client.perform(Self.request(.pause))
            #expect(await changes.next() == [Self.tea])
            harness.load([.timer("tea", .seconds(600)).renamed("Tea")], [Recording().sink()])
            #expect(await changes.next() == [Self.tea, DefinitionID("soup")!])
            let entries = await harness.client.page(from: 0, limit: 10).entries
            #expect(entries.map(\.definition.name) == ["Tea"])
            #expect(entries.map(\.state.phase) == [.paused])
        }
    }

    @Test("a slow reader is notified of missed changes and does not block others")
    func slowReader() async throws {
        let feed = ChangeFeed()
        let stream = feed.stream()
        for number in 0..<1_000 { feed.publish { [DefinitionID("t\(number)")!] } }
        feed.finish()
        var batches: [Set<DefinitionID>?] = []
        for await batch in stream { batches.append(batch) }
        #expect(batches.count == ChangeFeed.limit)
        #expect(batches.last == .some(nil))
    }

    @Test("a request after the end of the engine is refused")
    func ended() async throws {
        let harness = DaemonHarness()
        try await harness.run { _ in harness.load([.timer("tea", .seconds(600))], [Recording().sink()]) }
        await #expect(throws: ControlRefusal.unwritten(reason: "the daemon is stopping")) {
            _ = try await harness.client.perform(Self.request(.pause))
        }
        #expect(await harness.client.page(from: 0, limit: 10).entries.isEmpty)
        #expect(await harness.client.entry(Self.tea) == nil)
        var changes = harness.client.changes().makeAsyncIterator()
        #expect(await changes.next() == nil)
    }

    @Test("an entry is one reference, so a page copies no definitions")
    func cost() {
        #expect(MemoryLayout<ScheduleEntry>.size == MemoryLayout<AnyObject>.size)
    }
}

extension Definition {
    fileprivate func renamed(_ name: String) -> Definition {
        var copy = self
        copy.name = name
        return copy
    }
}
