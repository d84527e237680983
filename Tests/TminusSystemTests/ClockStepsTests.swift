import Testing
import TminusCore

@testable import TminusSystem

@Suite("Steps of the wall clock")
struct ClockStepsTests {
    private func look(wall: Int64, boot: Int64, width: Int64 = 100) -> ClockSteps.Look {
        ClockSteps.Look(now: Timestamp(nanoseconds: wall), sinceBoot: boot, awake: boot, width: width)
    }

    @Test("time in suspend is counted, and is no step")
    func sleep() {
        var steps = ClockSteps(look(wall: 0, boot: 0))
        let look = ClockSteps.Look(
            now: Timestamp(nanoseconds: 36_000_000_000_000), sinceBoot: 36_000_000_000_000, awake: 1_000,
            width: 100)
        let reading = steps.reading(look)
        #expect(reading.setBy == .zero)
        #expect(reading.slept == .nanoseconds(35_999_999_999_000))
    }

    @Test("time that passes on both clocks is no step, also time in suspend")
    func passing() {
        var steps = ClockSteps(look(wall: 1_000, boot: 0))
        let reading = steps.reading(look(wall: 86_400_000_001_000, boot: 86_400_000_000_000))
        #expect(reading == ClockReading(now: Timestamp(nanoseconds: 86_400_000_001_000), setBy: .zero))
    }

    @Test("steps add up, forwards and back")
    func steps() {
        var steps = ClockSteps(look(wall: 0, boot: 0))
        #expect(steps.reading(look(wall: 3_600_000_000_000, boot: 0)).setBy == .seconds(3_600))
        #expect(steps.reading(look(wall: 3_600_000_000_005, boot: 5)).setBy == .seconds(3_600))
        #expect(steps.reading(look(wall: 0, boot: 10)).setBy == .nanoseconds(-10))
    }

    @Test("what comes of reading two clocks one after the other is no step, however often")
    func noise() {
        var steps = ClockSteps(look(wall: 0, boot: 0))
        for round in 1...100 {
            let noise = Int64(round % 2) * 900_000
            #expect(steps.reading(look(wall: Int64(round) + noise, boot: Int64(round))).setBy == .zero)
        }
    }

    @Test("a clock that is set a little again and again is noticed")
    func creeping() {
        var steps = ClockSteps(look(wall: 0, boot: 0))
        var last = Duration.zero
        for round in 1...10 { last = steps.reading(look(wall: Int64(round) * 500_000, boot: 0)).setBy }
        #expect(last == .milliseconds(5))
    }

    @Test("a look tells the time for a while, if it was quick; a clock that is set is noticed at the next one")
    func recent() {
        var steps = ClockSteps(look(wall: 1_000_000, boot: 500))
        _ = steps.reading(look(wall: 4_000_000, boot: 1_000))
        let step = Duration.nanoseconds(3_000_000 - 500)
        #expect(
            steps.recent(1_700) == ClockReading(now: Timestamp(nanoseconds: 4_000_700), setBy: step, slept: .zero))
        #expect(steps.recent(1_000 + ClockSteps.recentTime) == nil)
        #expect(steps.recent(999) == nil)
        _ = steps.reading(look(wall: 4_002_000, boot: 3_000, width: ClockSteps.narrowWidth))
        #expect(steps.recent(3_001) == nil)
    }

    @Test("the machine's clock goes on between two looks")
    func goesOn() throws {
        let thread = try ServiceThread()
        defer { thread.end() }
        let clock = TimerFDClock(on: thread)
        var last = clock.recentReading
        for _ in 0..<10_000 {
            let next = clock.recentReading
            // By no more than two readings of a look may be apart.
            #expect(next.now >= last.now.advanced(by: .nanoseconds(-ClockSteps.narrowWidth)))
            last = next
        }
        #expect(last.now.duration(to: clock.now) < .seconds(1))
    }

    @Test("the machine's clock shows no step while nobody sets it")
    func steady() throws {
        let thread = try ServiceThread()
        defer { thread.end() }
        let clock = TimerFDClock(on: thread)
        for _ in 0..<1_000 { #expect(clock.reading.setBy == .zero) }
    }
}
