import CTimerFD
import Dispatch
import Glibc
import Synchronization
package import TminusCore

/// An alarm over a timer of the kernel that also tells when the wall clock is set (`TFD_TIMER_CANCEL_ON_SET`).
///
/// If the process has no descriptor left for it, ``rings`` ends at once.
package final class TimerFDAlarm: Alarm {
    private let core = TimerFDAlarmCore()
    /// Unsafe only for the compiler: a dispatch source may be used from any thread, its type does not say so.
    nonisolated(unsafe) private let source: (any DispatchSourceRead)?

    init() {
        guard let descriptor = core.descriptor else {
            source = nil
            return
        }
        let source = DispatchSource.makeReadSource(
            fileDescriptor: descriptor, queue: DispatchQueue(label: "tminus.alarm", qos: .userInitiated))
        let core = core
        source.setEventHandler { core.wake() }
        // Only here is nobody left who could use the descriptor, or a new file that got its number.
        source.setCancelHandler { close(descriptor) }
        source.activate()
        self.source = source
    }

    deinit { cancel() }

    package func set(_ deadline: Timestamp?) { core.set(deadline) }

    /// One task at a time may read it. What has not been read is merged: several steps into their sum, several `due` into one.
    package var rings: AsyncStream<Ring> {
        let queue = core.queue
        return AsyncStream { await queue.next() }
    }

    package func cancel() {
        core.cancel()
        source?.cancel()
    }
}

/// What the alarm shares with its event handler; the handler must not keep the alarm itself alive.
private final class TimerFDAlarmCore: Sendable {
    private struct State {
        var plan: AlarmPlan
        var isCancelled = false
    }

    let descriptor: Int32?
    let queue = RingQueue()
    private let state: Mutex<State>

    init() {
        let created = timerfd_create(CLOCK_REALTIME, Int32(TFD_NONBLOCK) | Int32(TFD_CLOEXEC))
        descriptor = created >= 0 ? created : nil
        state = Mutex(State(plan: AlarmPlan(TimerFDClock.look()), isCancelled: created < 0))
        if created < 0 { queue.finish() } else { set(nil) }
    }

    /// Rings are put into the queue under the lock, so that none of an old deadline can follow the new one.
    func set(_ deadline: Timestamp?) {
        state.withLock { state in
            guard !state.isCancelled else { return }
            queue.takeBackDue()
            let result = state.plan.set(deadline, TimerFDClock.look())
            if let step = result.step { queue.put(isDue: false, step: step) }
            arm(result.wake, &state)
        }
    }

    /// The timer expired (read gives a count), or the clock was set (read fails with `ECANCELED`). Both are only reasons to
    /// look at the clocks, so the read serves to make the descriptor quiet again.
    func wake() {
        state.withLock { state in
            guard !state.isCancelled, let descriptor else { return }
            var count: UInt64 = 0
            _ = read(descriptor, &count, MemoryLayout<UInt64>.size)
            let result = state.plan.look(TimerFDClock.look())
            queue.put(isDue: result.isDue, step: result.step)
            arm(result.wake, &state)
        }
    }

    func cancel() {
        state.withLock { $0.isCancelled = true }
        queue.finish()
    }

    /// Under the lock, so that the timer always shows the plan's latest word.
    private func arm(_ instant: Timestamp, _ state: inout State) {
        guard let descriptor else { return }
        var wake = instant
        // A clock that is set between the look and the arming makes the call fail with `ECANCELED`, though the timer is armed
        // (timerfd_create(2), NOTES): then look again. The bound is for a clock that is set without end.
        for _ in 0..<8 {
            // Zero would disarm the timer. An instant before the epoch is past, as is its first nanosecond.
            let nanoseconds = max(1, wake.nanoseconds)
            var setting = itimerspec()
            setting.it_value.tv_sec = Int(nanoseconds / 1_000_000_000)
            setting.it_value.tv_nsec = Int(nanoseconds % 1_000_000_000)
            let flags = Int32(TFD_TIMER_ABSTIME) | Int32(TFD_TIMER_CANCEL_ON_SET)
            guard timerfd_settime(descriptor, flags, &setting, nil) < 0, errno == ECANCELED else { return }
            let result = state.plan.look(TimerFDClock.look())
            queue.put(isDue: result.isDue, step: result.step)
            wake = result.wake
        }
    }
}
