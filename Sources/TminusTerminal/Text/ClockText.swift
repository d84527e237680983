internal import TminusCore

/// Durations in digits.
package enum ClockText {
    /// A duration in whole days, hours, minutes and seconds.
    package struct Parts: Sendable, Hashable {
        /// 0 or more.
        package var days: Int
        /// 0 to 23.
        package var hours: Int
        /// 0 to 59.
        package var minutes: Int
        /// 0 to 59.
        package var seconds: Int

        /// Splits a number of seconds; a negative number counts as zero.
        package init(seconds total: Int) {
            let total = max(0, total)
            (days, hours, minutes, seconds) = (total / 86_400, total / 3_600 % 24, total / 60 % 60, total % 60)
        }
    }

    /// Splits a remaining time, rounded up to a second, so the parts reach zero exactly at the end.
    package static func left(_ time: Duration) -> Parts {
        let (seconds, rest) = time.components
        return Parts(seconds: Int(clamping: rest > 0 ? seconds + 1 : seconds))
    }

    /// Splits an elapsed time, rounded down to a second.
    package static func passed(_ time: Duration) -> Parts { Parts(seconds: Int(clamping: time.components.seconds)) }

    /// Formats as `3d 04:05:06`, `1:05:06` or `5:06`.
    package static func digits(_ parts: Parts) -> String {
        if parts.days > 0 { return "\(parts.days)d \(two(parts.hours)):\(two(parts.minutes)):\(two(parts.seconds))" }
        if parts.hours > 0 { return "\(parts.hours):\(two(parts.minutes)):\(two(parts.seconds))" }
        return "\(parts.minutes):\(two(parts.seconds))"
    }

    /// Formats a lap to the millisecond: `1:05.250`.
    package static func lap(_ time: Duration) -> String {
        let thousandths = String(max(0, time.nanoseconds) / 1_000_000 % 1_000)
        return digits(passed(time)) + "." + String(repeating: "0", count: 3 - thousandths.count) + thousandths
    }

    /// Formats a number with at least two digits.
    package static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
