import Testing
import TminusCore
import TminusTestKit

@Suite("manual clock")
struct ManualClockTests {
    private let clock = ManualClock(now: Timestamp(seconds: 100))

    @Test("an alarm rings when its deadline is reached, not before, and once")
    func due() async throws {
        let alarm = clock.makeAlarm()
        alarm.set(Timestamp(seconds: 110))
        clock.advance(by: .seconds(9))
        #expect(clock.nextDeadline == Timestamp(seconds: 110))
        clock.advance(by: .seconds(1))
        #expect(clock.nextDeadline == nil)
        clock.advance(by: .seconds(100))
        alarm.cancel()
        #expect(await rings(of: alarm) == [.due])
    }

    @Test("an alarm that is set to the past rings at once; one that is set anew or unset does not ring at the old time")
    func reset() async throws {
        let alarm = clock.makeAlarm()
        alarm.set(Timestamp(seconds: 105))
        alarm.set(nil)
        clock.advance(by: .seconds(10))
        alarm.set(Timestamp(seconds: 50))
        alarm.cancel()
        #expect(await rings(of: alarm) == [.due])
    }

    @Test("every alarm hears of a step, in both directions, and rings if that made it due")
    func step() async throws {
        let (near, far) = (clock.makeAlarm(), clock.makeAlarm())
        near.set(Timestamp(seconds: 200))
        far.set(Timestamp(seconds: 10_000))
        clock.set(to: Timestamp(seconds: 300))
        clock.set(to: Timestamp(seconds: 50))
        near.cancel()
        far.cancel()
        #expect(await rings(of: near) == [.stepped(by: .seconds(200)), .due, .stepped(by: .seconds(-250))])
        #expect(await rings(of: far) == [.stepped(by: .seconds(200)), .stepped(by: .seconds(-250))])
    }

    @Test("a test can wait until a loop has set its alarm")
    func waiting() async throws {
        let alarm = clock.makeAlarm()
        async let isSet = clock.waitForDeadline(Timestamp(seconds: 500))
        alarm.set(Timestamp(seconds: 500))
        #expect(await isSet)
        #expect(await clock.waitForDeadline(nil, upTo: .milliseconds(1)) == false)
    }

    private func rings(of alarm: any Alarm) async -> [Ring] {
        await alarm.rings.reduce(into: []) { $0.append($1) }
    }
}
