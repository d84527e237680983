internal import Glibc
internal import Synchronization
package import TminusCore

/// The wall clock of the machine. Its alarms cost nothing until they go off (timerfd_create(2)).
package final class TimerFDClock: WallClock {
    /// The wall time, for callers that need it once.
    package static var now: Timestamp { look().now }

    private let steps: Mutex<ClockSteps>
    private let thread: ServiceThread

    /// A clock whose ``reading`` counts steps from now on, and whose alarms go off on `thread`.
    package init(on thread: ServiceThread) {
        self.thread = thread
        steps = Mutex(ClockSteps(Self.look()))
    }

    package var reading: ClockReading {
        steps.withLock { $0.reading(Self.look()) }
    }

    package var recentReading: ClockReading {
        let sinceBoot = Self.read(CLOCK_BOOTTIME)
        return steps.withLock { $0.recent(sinceBoot) ?? $0.reading(Self.look()) }
    }

    package func makeAlarm() -> any Alarm { TimerFDAlarm(on: thread) }

    package func makeAlarm(_ ring: @escaping @Sendable () -> Void) -> any Alarm { TimerFDAlarm(on: thread, ring) }

    /// Reads three clocks as close together as possible.
    static func look() -> ClockSteps.Look {
        var best = ClockSteps.Look(now: .distantPast, sinceBoot: 0, awake: 0, width: .max)
        // Tries again if the thread was preempted between the readings.
        for _ in 0..<4 where best.width > 50_000 {
            let before = read(CLOCK_BOOTTIME)
            let now = read(CLOCK_REALTIME)
            let awake = read(CLOCK_MONOTONIC)
            let after = read(CLOCK_BOOTTIME)
            let width = after - before
            guard width < best.width else { continue }
            best = ClockSteps.Look(
                now: Timestamp(nanoseconds: now), sinceBoot: before + width / 2, awake: awake, width: width)
        }
        return best
    }

    private static func read(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        // Cannot fail for these clocks and a valid address.
        clock_gettime(clock, &time)
        // A clock that is wrong by centuries stands still at the end of what an instant can say, in the year 2262.
        guard time.tv_sec < Int.max / 1_000_000_000 else { return .max }
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
