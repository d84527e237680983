internal import CPlatform
internal import Glibc
internal import Synchronization
package import TminusCore

/// An alarm by a kernel timer that also goes off when the wall clock is set (`TFD_TIMER_CANCEL_ON_SET`).
///
/// It goes off on the thread of the services. If the process has no descriptor left for it, it goes off each second instead.
package final class TimerFDAlarm: Alarm {
    /// The instant of a timer that has no deadline, in 2200: only an armed timer notices that the clock was set.
    private static let far = Timestamp(seconds: 7_258_118_400)

    package let rings: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation
    private let ring: @Sendable () -> Void
    private let thread: ServiceThread
    private let timer: KernelTimer
    /// The key of the timer on the thread; nil: the metronome goes off instead.
    private let key: UInt64?
    private let metronome = Metronome()

    /// An alarm that calls `ring` on `thread`; if `ring` is nil, it adds an element to ``rings``.
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
        if key != nil {
            set(nil)
        } else {
            timer.close()
            if !metronome.start(ring) { continuation.finish() }
        }
    }

    deinit { cancel() }

    package func set(_ deadline: Timestamp?) {
        // Zero would disarm the timer. Instants before the epoch have passed, as has its first nanosecond.
        if !timer.arm(at: max(1, (deadline ?? Self.far).nanoseconds)) { ring() }
    }

    package func cancel() {
        continuation.finish()
        metronome.end()
        timer.close { descriptor in
            if let key { thread.unwatch(descriptor, key) }
        }
    }
}

/// A kernel timer for one instant of the wall clock (timerfd_create(2)).
private final class KernelTimer: Sendable {
    private struct State {
        /// Negative after ``close(_:)``: the number may belong to another file by then.
        var descriptor: CInt
        /// The instant that it is armed for, in nanoseconds since 1970; nil: not armed, or gone off since.
        var instant: Int64?
    }

    private let state: Mutex<State>

    init() {
        state = Mutex(
            State(descriptor: tminus_wall_timer()))
    }

    /// Calls `handler` on the thread when the timer goes off. Returns the key; nil if the system refuses.
    func watch(on thread: ServiceThread, _ handler: @escaping @Sendable () -> Void) -> UInt64? {
        let descriptor = state.withLock { $0.descriptor }
        return descriptor < 0 ? nil : thread.watch(descriptor, handler)
    }

    /// Arms the timer and replaces any earlier setting. Returns false if the clock was set just now, which counts as
    /// going off.
    func arm(at instant: Int64) -> Bool {
        state.withLock { state in
            // It is already armed for that instant.
            guard state.descriptor >= 0, state.instant != instant else { return true }
            state.instant = instant
            // If the clock was set just before, the call fails with ECANCELED, though the timer is armed
            // (timerfd_create(2), NOTES).
            return tminus_wall_timer_set(state.descriptor, instant) == 0
        }
    }

    /// Records that the timer has gone off.
    func quieten() {
        state.withLock { state in
            guard state.descriptor >= 0 else { return }
            // It expired (the read returns a count), or the clock was set (the read fails with ECANCELED): both are
            // reasons to read the clock. The read makes the descriptor unreadable again.
            var count: UInt64 = 0
            _ = read(state.descriptor, &count, MemoryLayout<UInt64>.size)
            state.instant = nil
        }
    }

    /// Closes the timer, once. `before` is called with the descriptor before it is closed.
    func close(_ before: (CInt) -> Void = { _ in }) {
        state.withLock { state in
            guard state.descriptor >= 0 else { return }
            before(state.descriptor)
            Glibc.close(state.descriptor)
            state.descriptor = -1
        }
    }
}

/// Goes off each second without a descriptor, on a thread of its own: a process that is short of them delivers late, but
/// it delivers.
private final class Metronome: Sendable {
    private let isOver = Mutex(false)

    /// Goes off until ``end()``. Returns false if there is no thread for it.
    func start(_ ring: @escaping @Sendable () -> Void) -> Bool {
        let code = DetachedThread.start(named: "alarm") {
            while true {
                sleep(1)
                if self.isOver.withLock({ $0 }) { return }
                ring()
            }
        }
        return code == 0
    }

    func end() { isOver.withLock { $0 = true } }
}
