internal import CTimerFD
internal import Glibc
internal import Synchronization
package import TminusCore

/// An alarm over a timer of the kernel that also rings when the wall clock is set (`TFD_TIMER_CANCEL_ON_SET`).
///
/// It rings on the thread of the services. If the process has no descriptor left for it, ``rings`` ends at once.
package final class TimerFDAlarm: Alarm {
    /// Where a timer that has nothing to wait for is armed, in 2200: only an armed timer notices that the clock was set.
    private static let far = Timestamp(seconds: 7_258_118_400)

    package let rings: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation
    private let ring: @Sendable () -> Void
    private let thread: ServiceThread
    private let timer: KernelTimer
    /// By what the thread knows it; nil: it never rings.
    private let key: UInt64?

    /// `ring`: what is called when it rings, on `thread`; nil: ``rings`` has an element.
    init(on thread: ServiceThread, _ ring: (@Sendable () -> Void)? = nil) {
        let (rings, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        self.rings = rings
        self.continuation = continuation
        let ring = ring ?? { continuation.yield() }
        self.ring = ring
        self.thread = thread
        let timer = KernelTimer()
        self.timer = timer
        key = timer.watch(on: thread) {
            timer.quieten()
            ring()
        }
        guard key != nil else {
            timer.close()
            continuation.finish()
            return
        }
        set(nil)
    }

    deinit { cancel() }

    package func set(_ deadline: Timestamp?) {
        // Zero would disarm the timer; an instant before the epoch is past, as is its first nanosecond.
        if !timer.arm(at: max(1, (deadline ?? Self.far).nanoseconds)) { ring() }
    }

    package func cancel() {
        continuation.finish()
        timer.close { descriptor in
            if let key { thread.unwatch(descriptor, key) }
        }
    }
}

/// A timer of the kernel for one instant of the wall clock (timerfd_create(2)).
private final class KernelTimer: Sendable {
    private struct State {
        /// Negative after the end: the number may be another file's by then.
        var descriptor: CInt
        /// For when it is armed, in nanoseconds since 1970; nil: it is not, or has rung since.
        var instant: Int64?
    }

    private let state: Mutex<State>

    init() {
        state = Mutex(
            State(descriptor: timerfd_create(CLOCK_REALTIME, CInt(TFD_NONBLOCK) | CInt(TFD_CLOEXEC))))
    }

    /// Calls `handler` on the thread when it rings; nil if it cannot be.
    func watch(on thread: ServiceThread, _ handler: @escaping @Sendable () -> Void) -> UInt64? {
        let descriptor = state.withLock { $0.descriptor }
        return descriptor < 0 ? nil : thread.watch(descriptor, handler)
    }

    /// Arms it in place of any earlier setting; false if the clock was set just now, which is a ring.
    func arm(at instant: Int64) -> Bool {
        state.withLock { state in
            // Armed for that already, and not rung: the ring is still to come.
            guard state.descriptor >= 0, state.instant != instant else { return true }
            var setting = itimerspec()
            setting.it_value.tv_sec = Int(instant / 1_000_000_000)
            setting.it_value.tv_nsec = Int(instant % 1_000_000_000)
            let flags = CInt(TFD_TIMER_ABSTIME) | CInt(TFD_TIMER_CANCEL_ON_SET)
            state.instant = instant
            // A clock set just before makes the call fail with ECANCELED, though the timer is armed (timerfd_create(2), NOTES).
            return timerfd_settime(state.descriptor, flags, &setting, nil) == 0
        }
    }

    /// Takes note of a ring.
    func quieten() {
        state.withLock { state in
            guard state.descriptor >= 0 else { return }
            // Expired (the read gives a count) or the clock was set (it fails with ECANCELED): both are reasons to look at the
            // clock. The read makes the descriptor quiet.
            var count: UInt64 = 0
            _ = read(state.descriptor, &count, MemoryLayout<UInt64>.size)
            state.instant = nil
        }
    }

    /// Ends it, once; `before` is called with the descriptor before that is closed.
    func close(_ before: (CInt) -> Void = { _ in }) {
        state.withLock { state in
            guard state.descriptor >= 0 else { return }
            before(state.descriptor)
            Glibc.close(state.descriptor)
            state.descriptor = -1
        }
    }
}
