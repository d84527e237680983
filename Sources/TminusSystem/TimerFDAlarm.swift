internal import CTimerFD
internal import Dispatch
internal import Glibc
package import TminusCore

/// An alarm over a timer of the kernel that also rings when the wall clock is set (`TFD_TIMER_CANCEL_ON_SET`).
///
/// If the process has no descriptor left for it, ``rings`` ends at once.
package final class TimerFDAlarm: Alarm {
    /// Where a timer that has nothing to wait for is armed, in 2200: only an armed timer notices that the clock was set.
    private static let far = Timestamp(seconds: 7_258_118_400)

    package let rings: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation
    private let ring: @Sendable () -> Void
    private let descriptor: Int32
    /// Unsafe only for the compiler: a dispatch source may be used from any thread, its type does not say so.
    nonisolated(unsafe) private let source: any DispatchSourceRead

    /// `ring`: what is called when it rings; nil: ``rings`` has an element.
    init(_ ring: (@Sendable () -> Void)? = nil) {
        let (rings, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        self.rings = rings
        self.continuation = continuation
        let ring = ring ?? { continuation.yield() }
        self.ring = ring
        let descriptor = timerfd_create(CLOCK_REALTIME, Int32(TFD_NONBLOCK) | Int32(TFD_CLOEXEC))
        self.descriptor = descriptor
        source = DispatchSource.makeReadSource(
            fileDescriptor: max(0, descriptor), queue: DispatchQueue(label: "tminus.alarm", qos: .userInitiated))
        guard descriptor >= 0 else {
            continuation.finish()
            return
        }
        source.setEventHandler {
            // Expired (the read gives a count) or the clock was set (it fails with ECANCELED): both are reasons to look at the
            // clock. The read makes the descriptor quiet.
            var count: UInt64 = 0
            _ = read(descriptor, &count, MemoryLayout<UInt64>.size)
            ring()
        }
        // Only here is nobody left who could use the descriptor, or a new file that got its number.
        source.setCancelHandler { close(descriptor) }
        source.activate()
        set(nil)
    }

    deinit { cancel() }

    package func set(_ deadline: Timestamp?) {
        guard descriptor >= 0, !source.isCancelled else { return }
        // Zero would disarm the timer; an instant before the epoch is past, as is its first nanosecond.
        let nanoseconds = max(1, (deadline ?? Self.far).nanoseconds)
        var setting = itimerspec()
        setting.it_value.tv_sec = Int(nanoseconds / 1_000_000_000)
        setting.it_value.tv_nsec = Int(nanoseconds % 1_000_000_000)
        let flags = Int32(TFD_TIMER_ABSTIME) | Int32(TFD_TIMER_CANCEL_ON_SET)
        // A clock set just before makes the call fail with ECANCELED, though the timer is armed (timerfd_create(2), NOTES).
        if timerfd_settime(descriptor, flags, &setting, nil) < 0 { ring() }
    }

    package func cancel() {
        continuation.finish()
        if descriptor >= 0 { source.cancel() }
    }
}
