internal import Glibc

/// The monotonic clock of the machine, by which the service manager orders events (CLOCK_MONOTONIC in clock_gettime(2)).
package enum MonotonicTime {
    /// The present time in microseconds.
    package static var microseconds: Int64 {
        var time = timespec()
        // Cannot fail for this clock and a valid address.
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
    }
}
