/// Clock times on a uniform clock: seconds since 1970-01-01 00:00 without offset changes.
///
/// A rule is computed on this clock; ``ClockWalk`` maps it to the clock of a zone.
protocol LocalTimes {
    /// The first clock time at or after `from` and before `limit`; nil if there is none or `budget`, a count of steps,
    /// runs out.
    ///
    /// `shift` moves the anchor of a rule that counts elapsed time, in seconds.
    func first(from: Int, before limit: Int, shift: Int, budget: inout Int) -> Int?

    /// The number of times in part of a day that has at least one, from one second of the day up to another.
    func count(on day: Int, from: Int, to: Int, shift: Int, cache: inout [Int: Int]) -> Int

    /// Whether ``count(on:from:to:shift:cache:)`` is cheaper than a walk.
    var isCountedByDays: Bool { get }
}

extension LocalTimes {
    /// The `left`th clock time in the span. If there are fewer, returns nil and subtracts their number from `left`.
    func nth(
        _ left: inout Int, from: Int, before limit: Int, shift: Int, budget: inout Int, cache: inout [Int: Int]
    ) -> Int? {
        var from = from
        // The day that contains the result.
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
