import Glibc

/// Waits for hints, requests and a deadline, by poll(2).
struct HintWaiter {
    /// Notifications that come closer together than this are taken together: a storm of them costs 200 wake-ups a
    /// second.
    private static let pause: Duration = .milliseconds(5)

    private let wake: Int32

    /// A waiter that a readable `wake` ends.
    init(wake: Int32) {
        self.wake = wake
    }

    /// Returns when there is something to do. Returns false if `hints` is no longer usable.
    ///
    /// - Parameters:
    ///   - isBusy: whether notifications have just come, so that more are likely.
    mutating func wait(for hints: Int32?, until deadline: ContinuousClock.Instant?, isBusy: Bool) -> Bool {
        var timeout = deadline.map { ContinuousClock.now.duration(to: $0) }
        if isBusy { timeout = min(timeout ?? Self.pause, Self.pause) }
        var descriptors = [pollfd(fd: wake, events: Int16(POLLIN), revents: 0)]
        if let hints, !isBusy { descriptors.append(pollfd(fd: hints, events: Int16(POLLIN), revents: 0)) }
        let count = poll(&descriptors, nfds_t(descriptors.count), Self.milliseconds(timeout))
        guard count > 0, descriptors.count == 2 else { return true }
        return Int32(descriptors[1].revents) & (POLLERR | POLLNVAL) == 0
    }

    /// Rounded up: a wait that ends before its deadline would spin.
    private static func milliseconds(_ timeout: Duration?) -> Int32 {
        guard let timeout else { return -1 }
        if timeout <= .zero { return 0 }
        let (seconds, attoseconds) = timeout.components
        return seconds > 3_600
            ? 3_600_000 : Int32(seconds * 1_000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }
}
