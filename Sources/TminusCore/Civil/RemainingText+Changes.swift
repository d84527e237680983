extension RemainingText {
    private static let second: Int64 = 1_000_000_000
    /// Longer times count as this one, so that rounding to the nearest day cannot overflow.
    private static let longest = Int64.max - 86_400 * second

    /// How long the words for a remaining time, in nanoseconds, stay the same while it runs down; always positive.
    package static func steadyTime(runningDown left: Int64) -> Duration {
        let half = second / 2
        // The words are the same just before and just after zero.
        if left.magnitude < half.magnitude { return .nanoseconds(left + half) }
        let length = min(Int64(clamping: left.magnitude), longest)
        return .nanoseconds(left < 0 ? upperEnd(of: length) - length : length - lowerEnd(of: length) + 1)
    }

    /// How long the words for a growing time, in nanoseconds and not negative, stay the same; always positive.
    package static func steadyTime(growing length: Int64) -> Duration {
        let length = min(length, longest)
        return .nanoseconds(upperEnd(of: length) - length)
    }

    /// The range of lengths that share a unit, and the length of that unit; nil if one text covers the whole range.
    private static func range(of length: Int64) -> (low: Int64, high: Int64, unit: Int64?) {
        switch length {
        case ..<(59 * second + second / 2): (0, 59 * second + second / 2, second)
        case ...(3_600 * second): (59 * second + second / 2, 3_600 * second + 1, 60 * second)
        case ...(5_400 * second): (3_600 * second + 1, 5_400 * second + 1, nil)
        case ...(172_800 * second): (5_400 * second + 1, 172_800 * second + 1, 3_600 * second)
        default: (172_800 * second + 1, .max, 86_400 * second)
        }
    }

    /// The shortest length with the same words as `length`.
    private static func lowerEnd(of length: Int64) -> Int64 {
        let (low, _, unit) = range(of: length)
        guard let unit else { return low }
        return max(low, (length + unit / 2) / unit * unit - unit / 2)
    }

    /// The shortest length with the next words after those of `length`.
    private static func upperEnd(of length: Int64) -> Int64 {
        let (_, high, unit) = range(of: length)
        guard let unit else { return high }
        let (end, overflow) = ((length + unit / 2) / unit * unit).addingReportingOverflow(unit / 2)
        return overflow ? high : min(high, end)
    }
}
