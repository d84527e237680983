import CTimerFD
import Glibc
package import TminusCore

/// The machine's wall clock, with alarms that cost nothing until they ring (timerfd_create(2)).
package struct TimerFDClock: WallClock {
    /// The machine's wall clock.
    package init() {}

    package var now: Timestamp { Self.read(CLOCK_REALTIME) }

    package func makeAlarm() -> any Alarm { TimerFDAlarm() }

    /// What the clocks show, as nearly at one moment as three readings tell.
    static func look() -> AlarmPlan.Look {
        var best = AlarmPlan.Look(now: .distantPast, offset: 0)
        var width = Int64.max
        // A thread that is put aside between two readings tries again.
        for _ in 0..<4 where width > 50_000 {
            let before = read(CLOCK_BOOTTIME).nanoseconds
            let now = read(CLOCK_REALTIME)
            let after = read(CLOCK_BOOTTIME).nanoseconds
            guard after - before < width else { continue }
            width = after - before
            best = AlarmPlan.Look(now: now, offset: now.nanoseconds - (before + width / 2))
        }
        return best
    }

    private static func read(_ clock: clockid_t) -> Timestamp {
        var time = timespec()
        // Cannot fail for these clocks and a valid address.
        clock_gettime(clock, &time)
        return Timestamp(seconds: Int64(time.tv_sec)).advanced(by: .nanoseconds(time.tv_nsec))
    }
}
