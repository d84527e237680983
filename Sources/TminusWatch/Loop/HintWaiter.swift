import Glibc

/// Waits for hints, requests and a deadline, by poll(2).
struct HintWaiter {
    /// The pause in which notifications are collected, so that a storm of them costs at most 200 wake-ups a second.
    private static let pause: Duration = .milliseconds(5)

    private let wake: Int32

    /// A waiter that returns as soon as `wake` is readable.
    init(wake: Int32) {
        self.wake = wake
    }

    /// Returns when there is work. Returns false if `hints` is no longer usable.
    ///
    /// - Parameters:
    ///   - isBusy: whether notifications came just before, so that more are likely.
    mutating func wait(for hints: Int32?, until deadline: ContinuousClock.Instant?, isBusy: Bool) -> Bool {
        var timeout = deadline.map { ContinuousClock.now.duration(to: $0) }
        if isBusy { timeout = min(timeout ?? Self.pause, Self.pause) }
        var descriptors = [pollfd(fd: wake, events: Int16(POLLIN), revents: 0)]
        if let hints, !isBusy { descriptors.append(pollfd(fd: hints, events: Int16(POLLIN), revents: 0)) }
        let count = poll(&descriptors, nfds_t(descriptors.count), Self.milliseconds(timeout))
        guard count > 0, descriptors.count == 2 else { return true }
        return Int32(descriptors[1].revents) & (POLLERR | POLLNVAL) == 0
    }

    /// Rounded up, because a wait that ends before its deadline would spin.
    private static func milliseconds(_ timeout: Duration?) -> Int32 {
        guard let timeout else { return -1 }
        if timeout <= .zero { return 0 }
        let (seconds, attoseconds) = timeout.components
        return seconds > 3_600
            ? 3_600_000 : Int32(seconds * 1_000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }
}
