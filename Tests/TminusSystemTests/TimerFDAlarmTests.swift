import Foundation
import Glibc
import Testing
import TminusCore

@testable import TminusSystem

/// Over the machine's real clock; every wait is for a ring, bounded by the time limit.
@Suite("Alarms of the kernel", .timeLimit(.minutes(20)))
final class TimerFDAlarmTests {
    private let thread: ServiceThread
    private let clock: TimerFDClock

    init() throws {
        thread = try ServiceThread()
        clock = TimerFDClock(on: thread)
    }

    deinit { thread.end() }

    @Test("an alarm rings at its deadline and not before")
    func rings() async {
        let alarm = clock.makeAlarm()
        var rings = alarm.rings.makeAsyncIterator()
        for milliseconds in [20, 1, 5, 0] {
            let deadline = clock.now.advanced(by: .milliseconds(milliseconds))
            alarm.set(deadline)
            await rings.next()
            #expect(clock.now >= deadline)
        }
        alarm.cancel()
        await rings.next()
    }

    @Test(
        "a past deadline rings at once",
        arguments: [Timestamp.distantPast, Timestamp(seconds: -1), Timestamp(seconds: 0), Timestamp(seconds: 1)])
    func past(deadline: Timestamp) async {
        let alarm = clock.makeAlarm()
        alarm.set(deadline)
        var rings = alarm.rings.makeAsyncIterator()
        #expect(await rings.next() != nil)
    }

    @Test("a new deadline takes the place of the old one")
    func replaces() async {
        let alarm = clock.makeAlarm()
        alarm.set(.distantFuture)
        alarm.set(nil)
        alarm.set(clock.now.advanced(by: .seconds(3_600)))
        let deadline = clock.now.advanced(by: .milliseconds(30))
        alarm.set(deadline)
        var rings = alarm.rings.makeAsyncIterator()
        await rings.next()
        #expect(clock.now >= deadline)
    }

    @Test("a cancelled alarm rings no more, and can be set without harm")
    func cancelled() async {
        let alarm = clock.makeAlarm()
        alarm.cancel()
        alarm.set(.distantPast)
        alarm.cancel()
        var rings = alarm.rings.makeAsyncIterator()
        #expect(await rings.next() == nil)
    }

    @Test("alarms that are dropped give their descriptors back")
    func descriptors() async {
        // In a process of its own, whose limit is no other test's.
        await #expect(processExitsWith: .success) {
            var limit = rlimit()
            getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { Int($0) }
            limit.rlim_cur = min(limit.rlim_cur, rlim_t(open.max() ?? 0) + 200)
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            let clock = TimerFDClock(on: try ServiceThread())
            for _ in 0..<500 {
                let alarm = clock.makeAlarm()
                alarm.set(.distantPast)
                var rings = alarm.rings.makeAsyncIterator()
                let ring: Void? = await rings.next()
                try #require(ring != nil)
            }
        }
    }

    @Test("an alarm that is set again for the same instant rings for it once more")
    func again() async {
        let deadline = clock.now
        let alarm = clock.makeAlarm()
        var rings = alarm.rings.makeAsyncIterator()
        for _ in 0..<3 {
            alarm.set(deadline)
            let ring: Void? = await rings.next()
            #expect(ring != nil)
        }
    }

    @Test("without descriptors left an alarm rings each second, until it is cancelled")
    func shortage() async {
        await #expect(processExitsWith: .success) {
            let clock = TimerFDClock(on: try ServiceThread())
            var limit = rlimit()
            getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            limit.rlim_cur = 0
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            let alarm = clock.makeAlarm()
            alarm.set(.distantPast)
            var rings = alarm.rings.makeAsyncIterator()
            for _ in 0..<2 {
                let ring: Void? = await rings.next()
                try #require(ring != nil)
            }
            alarm.cancel()
            let last: Void? = await rings.next()
            try #require(last == nil)
        }
    }
}
