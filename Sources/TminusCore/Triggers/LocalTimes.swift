/// Clock times on an even clock: seconds since 1970-01-01 00:00 without any change of offset.
///
/// A rule is worked out on such a clock; ``ClockWalk`` puts the clock of a zone over it.
protocol LocalTimes {
    /// The first clock time at or after `from` and before `limit`; nil also if `budget`, which counts down steps, runs out.
    ///
    /// `shift` moves the anchor of a rule that counts real time, in seconds.
    func first(from: Int, before limit: Int, shift: Int, budget: inout Int) -> Int?

    /// How many there are on a day that has any, from one second of the day to before another.
    func count(on day: Int, from: Int, to: Int, shift: Int, cache: inout [Int: Int]) -> Int

    /// Whether ``count(on:from:to:shift:cache:)`` is cheaper than a walk.
    var isCountedByDays: Bool { get }
}

extension LocalTimes {
    /// The clock time with `left - 1` others before it in the span; else nil, and `left` without those that are in it.
    func nth(
        _ left: inout Int, from: Int, before limit: Int, shift: Int, budget: inout Int, cache: inout [Int: Int]
    ) -> Int? {
        var from = from
        // The day in which the one looked for is.
        var lastDay = Int.min
        while let found = first(from: from, before: limit, shift: shift, budget: &budget) {
            let (day, time) = floorDivision(found, 86_400)
            let end = min(86_400, limit - day * 86_400)
            if isCountedByDays, day != lastDay {
                let count = count(on: day, from: time, to: end, shift: shift, cache: &cache)
                if left > count {
                    left -= count
                    from = day * 86_400 + end
                    continue
                }
                lastDay = day
            }
            left -= 1
            if left == 0 { return found }
            from = found + 1
        }
        return nil
    }
}
