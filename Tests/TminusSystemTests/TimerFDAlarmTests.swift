import Testing
import TminusCore

@testable import TminusSystem

/// Over the machine's real clock; every wait is for a ring, bounded by the time limit.
@Suite(.timeLimit(.minutes(1)))
struct TimerFDAlarmTests {
    let clock = TimerFDClock()

    @Test("an alarm rings at its deadline and not before")
    func rings() async {
        let alarm = clock.makeAlarm()
        for milliseconds in [20, 1, 5, 0] {
            let deadline = clock.now.advanced(by: .milliseconds(milliseconds))
            alarm.set(deadline)
            for await ring in alarm.rings {
                #expect(ring == .due)
                #expect(clock.now >= deadline)
                break
            }
        }
        alarm.cancel()
    }

    @Test(
        "a past deadline rings at once",
        arguments: [Timestamp.distantPast, Timestamp(seconds: -1), Timestamp(seconds: 0), Timestamp(seconds: 1)])
    func past(deadline: Timestamp) async {
        let alarm = clock.makeAlarm()
        alarm.set(deadline)
        for await ring in alarm.rings {
            #expect(ring == .due)
            break
        }
    }

    @Test("a new deadline takes the place of the old one")
    func replaces() async {
        let alarm = clock.makeAlarm()
        var count = 0
        alarm.set(clock.now.advanced(by: .milliseconds(5)))
        alarm.set(.distantFuture)
        alarm.set(nil)
        let deadline = clock.now.advanced(by: .milliseconds(60))
        alarm.set(deadline)
        for await ring in alarm.rings {
            #expect(ring == .due)
            #expect(clock.now >= deadline)
            count += 1
            alarm.cancel()
        }
        #expect(count == 1)
    }

    @Test("a deadline that came and was replaced before anyone read it is not heard")
    func takenBack() async {
        let queue = RingQueue()
        queue.put(isDue: true, step: nil)
        queue.takeBackDue()
        queue.put(isDue: false, step: .seconds(3))
        queue.put(isDue: true, step: .seconds(-1))
        #expect(await queue.next() == .stepped(by: .seconds(2)))
        #expect(await queue.next() == .due)
        queue.finish()
        #expect(await queue.next() == nil)
    }

    @Test("a reader that waits hears what comes, then the end")
    func waiting() async {
        let alarm = clock.makeAlarm()
        await withTaskGroup(of: [Ring].self) { group in
            group.addTask {
                var heard: [Ring] = []
                for await ring in alarm.rings {
                    heard.append(ring)
                    alarm.cancel()
                }
                return heard
            }
            alarm.set(clock.now.advanced(by: .milliseconds(10)))
            #expect(await group.next() == [.due])
        }
        alarm.set(.distantPast)
        for await ring in alarm.rings { Issue.record("\(ring) after the end") }
    }

    @Test("a cancelled reader stops waiting")
    func cancelledReader() async {
        let alarm = clock.makeAlarm()
        await withTaskGroup(of: Void.self) { group in
            group.addTask { for await _ in alarm.rings {} }
            group.cancelAll()
        }
        // The alarm is still there for the next reader.
        alarm.set(.distantPast)
        for await ring in alarm.rings {
            #expect(ring == .due)
            break
        }
    }

    @Test("alarms that are dropped give their descriptors back")
    func descriptors() async {
        for _ in 0..<3_000 {
            let alarm = clock.makeAlarm()
            alarm.set(.distantPast)
            for await ring in alarm.rings {
                #expect(ring == .due)
                break
            }
        }
    }

    @Test("two looks at the clocks differ by less than the smallest step")
    func steady() {
        let first = TimerFDClock.look()
        for _ in 0..<1_000 {
            #expect((TimerFDClock.look().offset - first.offset).magnitude < UInt64(AlarmPlan.smallestStep))
        }
    }
}
