import Testing
import TminusCore

@testable import TminusDaemon

@Suite("Scheduler run")
struct SchedulerRunTests {
    @Test("a clock set between two steps of one burst ends no timer early")
    func clockSetInBurst() {
        var run = SchedulerRun(StoreSnapshot(), at: ClockReading(now: at(0), setBy: .zero))
        let many = (0..<1_500).map { Definition.timer("due\($0)", .seconds(60)) }
        run.add([.definitions(DefinitionSet(many + [.timer("later", .seconds(90))], sinks: [])), .due])
        var fired: [String] = []
        func step(_ now: Double, setBy: Duration = .zero) -> SchedulerRun.Step? {
            let step = run.step(at: ClockReading(now: at(now), setBy: setBy))
            fired += run.unwritten?.advance.firings.map(\.definition.rawValue) ?? []
            run.written()
            return step
        }
        _ = step(0)
        #expect(fired.isEmpty)
        _ = step(60)
        #expect(fired.count == 1_000)
        #expect(step(3_660, setBy: .seconds(3_600))?.clockStep == .seconds(3_600))
        while step(3_660, setBy: .seconds(3_600)) != nil {}
        #expect(fired.count == 1_500)
        #expect(!fired.contains("later"))
        #expect(run.wakeAt == at(3_690))
    }

    @Test("the first definitions are taken up in parts, and only then is said what is gone")
    func parts() {
        let start = ClockReading(now: at(0), setBy: .zero)
        let all = DefinitionSet((0..<5).map { .timer("t\($0)", .seconds(60)) }, sinks: [])
        var former = SchedulerRun(StoreSnapshot(), at: start)
        former.add([.definitions(DefinitionSet([.timer("gone", .seconds(60)), .timer("t0", .seconds(60))], sinks: []))])
        _ = former.step(at: start)
        let stored = StoreSnapshot(schedules: former.unwritten?.advance.schedules ?? [])

        var run = SchedulerRun(stored, at: start, part: 2)
        run.add([.definitions(all)])
        var written: [[ScheduleState]] = []
        while run.step(at: start) != nil {
            written.append(run.unwritten?.advance.schedules ?? [])
            run.written()
        }
        #expect(written.count == 3)
        #expect(written.dropLast().allSatisfy { $0.count <= 2 && $0.allSatisfy { $0.removed == nil } })
        #expect(written.last?.filter { $0.removed != nil }.map(\.id) == [.test("gone")])
        let names = written.flatMap { $0.map(\.id.rawValue) }
        #expect(names.count == Set(names).count)
        // Of "t0", which goes on from what was stored, there need be nothing to write.
        #expect(Set(names).union(["t0"]) == ["t0", "t1", "t2", "t3", "t4", "gone"])

        // Only the first ones: later all but a few are what they were.
        run.add([.definitions(all)])
        #expect(run.step(at: start) != nil)
        run.written()
        #expect(run.step(at: start) == nil)
    }

    @Test("a sleep is dealt with before what came due in it")
    func sleep() {
        let start = ClockReading(now: at(0), setBy: .zero)
        var run = SchedulerRun(StoreSnapshot(), at: start)
        var awake = Definition.timer("awake", .seconds(60))
        awake.schedule = .timer(Timer(duration: .seconds(60), clock: .awake))
        run.add([.definitions(DefinitionSet([awake, .timer("elapsed", .seconds(60))], sinks: []))])
        _ = run.step(at: start)
        run.written()
        let later = ClockReading(now: at(3_610), setBy: .zero, slept: .seconds(3_600))
        run.add([.due])
        #expect(run.step(at: later)?.sleep == .seconds(3_600))
        #expect(run.unwritten?.advance.firings.map(\.definition.rawValue) == ["elapsed"])
        #expect(run.wakeAt == nil)
        run.written()
        #expect(run.wakeAt == at(3_660))
    }

    @Test("what a step yielded is kept until it is written")
    func unwritten() {
        let start = ClockReading(now: at(0), setBy: .zero)
        var run = SchedulerRun(StoreSnapshot(), at: start)
        run.add([.definitions(DefinitionSet([.timer()], sinks: []))])
        #expect(run.step(at: start) != nil)
        #expect(run.unwritten?.advance.schedules.count == 1)
        let isNew = run.trouble.failed(TroubledStore.trouble, at: start)
        #expect(isNew)
        #expect(run.wakeAt == at(1))
        run.written()
        #expect(run.wakeAt == at(60))
    }

    @Test("the waits for a store double up to half a minute, and end when the clock is set")
    func waits() {
        var trouble = StoreTrouble()
        var now = at(0)
        var waits: [Duration] = []
        for _ in 0..<7 {
            _ = trouble.failed(TroubledStore.trouble, at: ClockReading(now: now, setBy: .zero))
            let until = trouble.until ?? now
            waits.append(now.duration(to: until))
            #expect(trouble.isWaiting(at: ClockReading(now: until.advanced(by: .nanoseconds(-1)), setBy: .zero)))
            #expect(!trouble.isWaiting(at: ClockReading(now: now, setBy: .seconds(1))))
            #expect(!trouble.isWaiting(at: ClockReading(now: until, setBy: .zero)))
            now = until
        }
        #expect(waits == [1, 2, 4, 8, 16, 30, 30].map { .seconds($0) })
        let first = trouble.ended()
        let again = trouble.ended()
        #expect(first && !again && trouble.until == nil)
    }
}
