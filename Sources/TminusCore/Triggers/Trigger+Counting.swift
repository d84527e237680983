/// Counts occurrences without visiting each of them.
extension Trigger {
    /// The occurrences from one occurrence through an instant, except for the last `kept`: the last of them and their
    /// number. Nil if there are none, or the rule cannot count them.
    func run(
        from occurrence: Timestamp, through end: Timestamp, leaving kept: Int = 0
    ) -> (last: Timestamp, count: Int)? {
        switch self {
        case .at(let instants, _):
            let (first, after) = (instants.count(upTo: occurrence.previous), instants.count(upTo: end) - kept)
            return after > first ? (instants[after - 1], after - first) : nil
        case .every(let trigger): return trigger.run(from: occurrence, through: end, leaving: kept)
        case .cron, .recurrence: return nil
        }
    }

    /// The occurrence with that number, counted from 1, after an instant; nil if it is later than `end` or there is
    /// none. The cost depends on the days up to `end`.
    ///
    /// Occurrences that `except` removes are counted for rules other than `at`, so the answer is a lower bound.
    package func occurrence(_ number: Int, after instant: Timestamp, upTo end: Timestamp) -> Timestamp? {
        guard number > 0 else { return nil }
        let found: Timestamp?
        switch self {
        case .at(let instants, _):
            let index = instants.count(upTo: instant) + number - 1
            found = index < instants.count ? instants[index] : nil
        case .every(let trigger): found = trigger.occurrence(number, after: instant, upTo: end)
        case .cron(let trigger): found = trigger.occurrence(number, after: instant, upTo: end)
        case .recurrence(let trigger): found = trigger.occurrence(number, after: instant, upTo: end)
        }
        return found.flatMap { $0 <= end ? $0 : nil }
    }
}

extension [Timestamp] {
    /// The number of elements of this ascending array that are not later than an instant.
    func count(upTo instant: Timestamp) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if self[middle] <= instant { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
