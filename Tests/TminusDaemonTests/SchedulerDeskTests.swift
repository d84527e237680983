import Testing
import TminusCore
import TminusTestKit

@testable import TminusDaemon

@Suite("What people ask of the scheduler")
struct SchedulerDeskTests {
    private static let tea = DefinitionID("tea")!

    private static func request(_ control: Control, _ id: DefinitionID = tea) -> ControlRequest {
        ControlRequest(id: id, control: control, by: "ada", note: "phone")
    }

    @Test("a control is in the store when it is answered, and the next process goes on from there")
    func durable() async throws {
        let store = TroubledStore()
        let harness = DaemonHarness(store: store)
        try await harness.run { running in
            harness.load([.timer("tea", .seconds(600))], [Recording().sink()])
            try await harness.sleeps(until: at(600))
            harness.clock.advance(by: .seconds(100))
            let entry = try await harness.desk.perform(Self.request(.pause))
            #expect(entry.state.phase == .paused)
            #expect(entry.definition.id == Self.tea)
            #expect(try await store.memory.snapshot().schedules == [entry.state])
            try await harness.sleeps(until: nil)
        }
        let later = DaemonHarness(owner: "later", store: store, now: at(5_000))
        try await later.run { _ in
            later.load([.timer("tea", .seconds(600)).renamed("Tea")], [Recording().sink()])
            let entry = try await later.desk.perform(Self.request(.resume))
            #expect(entry.state.deadline == at(5_500))
            try await later.sleeps(until: at(5_500))
        }
    }

    @Test("an answer of a refusal says why, and nothing is written")
    func unfit() async throws {
        let harness = DaemonHarness()
        try await harness.run { _ in
            harness.load([.timer("tea", .seconds(600))], [Recording().sink()])
            try await harness.sleeps(until: at(600))
            harness.clock.advance(by: .seconds(1))
            await #expect(throws: ControlRefusal.unknown) {
                _ = try await harness.desk.perform(Self.request(.pause, DefinitionID("ta")!))
            }
            await #expect(
                throws: ControlRefusal.unfit(
                    reason: "a timer has no laps", fitting: ["pause", "stop", "reset", "snooze", "skip", "mute"])
            ) { _ = try await harness.desk.perform(Self.request(.lap)) }
            #expect(harness.store.calls(.advance) == 1)
        }
    }

    @Test("a control that cannot be written is refused at once and not half done, and nothing waits for it")
    func unwritten() async throws {
        let harness = DaemonHarness()
        try await harness.run { _ in
            harness.load([.timer("tea", .seconds(600))], [Recording().sink()])
            try await harness.sleeps(until: at(600))
            harness.store.refuse(.advance)
            await #expect(throws: ControlRefusal.unwritten(reason: "memory: no room")) {
                _ = try await harness.desk.perform(Self.request(.pause))
            }
            #expect(await harness.desk.entry(Self.tea)?.state.phase == .armed)
            #expect(harness.board.storeProblems == ["what people asked last cannot be written: memory: no room"])
            // What comes due is kept back as ever, and people are told so.
            harness.clock.advance(by: .seconds(600))
            try await harness.store.waitForCalls(.advance, 3)
            await #expect(throws: ControlRefusal.unwritten(reason: "memory: no room")) {
                _ = try await harness.desk.perform(Self.request(.start(adding: nil)))
            }
            harness.store.work()
            harness.clock.advance(by: .seconds(1))
            try await harness.settled(1)
            #expect(try await harness.desk.perform(Self.request(.start(adding: nil))).state.deadline == at(1_201))
            #expect(harness.board.storeProblems.isEmpty)
        }
    }

    @Test("a mute of all that cannot be written is refused, and nothing is muted")
    func unwrittenMute() async throws {
        let harness = DaemonHarness()
        try await harness.run { _ in
            harness.load([.timer("tea", .seconds(600))], [Recording().sink()])
            try await harness.sleeps(until: at(600))
            harness.store.refuse(.advance)
            let mute = GeneralControl(.mute(until: at(900)), by: "ada")
            await #expect(throws: ControlRefusal.unwritten(reason: "memory: no room")) {
                _ = try await harness.desk.perform(mute)
            }
            #expect(await harness.desk.generalMute() == nil)
            #expect(await harness.desk.entry(Self.tea)?.state.overrides == Overrides())
            harness.store.work()
            #expect(try await harness.desk.perform(mute).map(\.definition.id) == [Self.tea])
            #expect(await harness.desk.generalMute()?.until == at(900))
            #expect(try await harness.store.memory.snapshot().mute?.until == at(900))
        }
    }

    @Test("a control that follows a definition finds it")
    func order() async throws {
        let harness = DaemonHarness()
        try await harness.run { _ in
            for number in 0..<50 {
                harness.load([.timer("t\(number)", .seconds(600))], [Recording().sink()])
                _ = try await harness.desk.perform(Self.request(.pause, DefinitionID("t\(number)")!))
            }
        }
    }

    @Test("a control comes before the rest of what is due, and behind what was sent before it")
    func duringCatchUp() async throws {
        let many = (0..<5_000).map { Definition.timer("due\($0)", .seconds(60), to: []) }
        let set = DefinitionSet(many + [.timer("tea", .seconds(600))], sinks: [])
        var run = SchedulerRun(StoreSnapshot(), at: ClockReading(now: at(0), setBy: .zero))
        run.add([.definitions(set)])
        _ = run.step(at: ClockReading(now: at(0), setBy: .zero))
        run.written()
        let later = ClockReading(now: at(60), setBy: .zero)
        run.add([.due])
        _ = run.step(at: later)
        run.written()
        var answered: [Int] = []
        var steps = 0
        let answer = await withCheckedContinuation { reply in
            run.add([.control(EngineClient.Request.Control(request: Self.request(.pause), reply: reply))])
            run.add([.due])
            while run.step(at: later) != nil {
                steps += 1
                if run.unwritten?.answer != nil { answered.append(steps) }
                run.written()
            }
        }
        #expect(try answer.get().state.phase == .paused)
        #expect(answered == [2])
        #expect(steps == 5)
    }

    @Test("what changes is told, once for each step, and all that is in force can be asked for")
    func changes() async throws {
        let harness = DaemonHarness()
        try await harness.run { _ in
            var changes = harness.desk.changes().makeAsyncIterator()
            harness.load([.timer("tea", .seconds(600)), .timer("soup", .seconds(900))], [Recording().sink()])
            #expect(await changes.next() == [Self.tea, DefinitionID("soup")!])
            _ = try await harness.desk.perform(Self.request(.pause))
            // Nothing that anybody could see.
            _ = try await harness.desk.perform(Self.request(.pause))
            #expect(await changes.next() == [Self.tea])
            harness.load([.timer("tea", .seconds(600)).renamed("Tea")], [Recording().sink()])
            #expect(await changes.next() == [Self.tea, DefinitionID("soup")!])
            let entries = await harness.desk.entries()
            #expect(entries.map(\.definition.name) == ["Tea"])
            #expect(entries.map(\.state.phase) == [.paused])
        }
    }

    @Test("a reader that does not read is told that it missed something, and keeps nobody back")
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

    @Test("what is asked when the scheduler has ended is refused")
    func ended() async throws {
        let harness = DaemonHarness()
        try await harness.run { _ in harness.load([.timer("tea", .seconds(600))], [Recording().sink()]) }
        await #expect(throws: ControlRefusal.unwritten(reason: "the daemon is stopping")) {
            _ = try await harness.desk.perform(Self.request(.pause))
        }
        #expect(await harness.desk.entries().isEmpty)
        #expect(await harness.desk.entry(Self.tea) == nil)
        var changes = harness.desk.changes().makeAsyncIterator()
        #expect(await changes.next() == nil)
    }

    @Test("ten thousand entries are a list of references")
    func cost() async throws {
        let many = (0..<10_000).map { Definition.timer("t\($0)", .seconds(600)) }
        var state = ScheduleMachine(StoreSnapshot())
        _ = state.step(.definitions(DefinitionSet(many, sinks: [])), now: at(0))
        let clock = ContinuousClock()
        var entries: [ScheduleEntry] = []
        let best = (0..<20).map { _ in clock.measure { entries = state.all } }.min()!
        #expect(entries.count == 10_000)
        // 2 ms in a release build on an idle machine; this only finds copies of the definitions.
        #expect(best < .milliseconds(50))
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
