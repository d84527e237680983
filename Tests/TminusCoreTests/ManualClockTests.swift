import Testing
import TminusCore
import TminusTestKit

@Suite("The manual clock")
struct ManualClockTests {
    let start = Timestamp(seconds: 1_000)

    @Test("an alarm rings once when its deadline is reached, and not before")
    func due() async {
        let clock = ManualClock(now: start)
        let alarm = clock.makeAlarm()
        alarm.set(start.advanced(by: .seconds(10)))
        clock.advance(by: .seconds(9))
        #expect(clock.nextDeadline == start.advanced(by: .seconds(10)))
        clock.advance(by: .seconds(1))
        clock.advance(by: .seconds(5))
        alarm.cancel()
        #expect(await rings(alarm) == 1)
        #expect(clock.nextDeadline == nil)
    }

    @Test("a later deadline replaces an earlier one, and nil removes it")
    func replaced() async {
        let clock = ManualClock(now: start)
        let alarm = clock.makeAlarm()
        alarm.set(start.advanced(by: .seconds(1)))
        alarm.set(nil)
        clock.advance(by: .seconds(5))
        alarm.cancel()
        #expect(await rings(alarm) == 0)
    }

    @Test("setting the clock rings every alarm and reports the step")
    func step() async {
        let clock = ManualClock(now: start)
        let alarms = [clock.makeAlarm(), clock.makeAlarm()]
        clock.set(to: start.advanced(by: .seconds(60)))
        clock.advance(by: .seconds(1))
        clock.set(to: start)
        #expect(clock.reading == ClockReading(now: start, setBy: .seconds(-1)))
        for alarm in alarms {
            alarm.cancel()
            #expect(await rings(alarm) == 2)
        }
    }

    private func rings(_ alarm: any Alarm) async -> Int {
        var count = 0
        for await _ in alarm.rings { count += 1 }
        return count
    }
}
