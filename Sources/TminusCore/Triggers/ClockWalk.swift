/// Finds the instants at which the clock of a zone shows given clock times.
///
/// Between two offset changes the clock runs uniformly, so a search goes from one such span to the next. Only the edges
/// of the spans need a decision.
struct ClockWalk: Sendable {
    /// How a skipped clock time is treated.
    enum Gap: Sendable {
        /// It is resolved by the offset before the gap.
        case shift
        /// All times in a gap become one occurrence, at its end.
        case end
        /// It is dropped.
        case drop
    }

    /// The zone.
    var zone: Zone
    /// How a skipped clock time is treated.
    var gap: Gap
    /// Whether a repeated clock time counts twice.
    var isTwice: Bool
    /// The offset of the anchor in seconds, for rules that count elapsed time; else nil.
    var anchorOffset: Int?

    /// The maximum number of steps of one search (about 10 ms); a search that exceeds it finds nothing.
    static let budget = 250_000
    /// The seconds that a ``Timestamp`` can hold.
    static let seconds = -9_223_372_036...9_223_372_036

    /// The first instant at or after `instant` at which the clock shows one of the times, in seconds since the epoch.
    @inline(__always)
    func first(of times: some LocalTimes, from instant: Int) -> Int? {
        var instant = instant
        var budget = Self.budget
        var index = zone.table.index(at: Int64(instant))
        // The result of the last search on the uniform clock: there is nothing from `searched` up to `found`.
        var searched = Int.max
        var found = Int.min
        while true {
            let span = Span(zone.table, index)
            var low = instant + span.offset
            var shifted: Int?
            if span.offset > span.before {
                shifted = inGap(of: times, span, from: instant, budget: &budget)
                if let shifted, gap == .end { return shifted }
            } else if !isTwice {
                low = max(low, span.start + span.before)
            }
            let limit = span.end + span.offset
            if let anchorOffset {
                found =
                    times.first(from: low, before: limit, shift: span.offset - anchorOffset, budget: &budget) ?? .max
            } else if !(searched <= low && low <= found) {
                searched = low
                found = times.first(from: low, before: Self.clockLimit, shift: 0, budget: &budget) ?? .max
            }
            if found < limit { return min(found - span.offset, shifted ?? .max) }
            if let shifted { return shifted }
            guard index < zone.table.changes.count, budget > 0 else { return nil }
            index += 1
            instant = span.end
        }
    }

    /// The `count`th instant from `instant` on; nil if there are fewer. The search may end after `end`.
    func nth(_ count: Int, of times: some LocalTimes, from instant: Int, upTo end: Int = .max) -> Int? {
        var (left, instant, budget, cache) = (count, instant, 16 * Self.budget, [Int: Int]())
        var index = zone.table.index(at: Int64(instant))
        while true {
            let span = Span(zone.table, index)
            guard instant <= end else { return nil }
            var low = instant + span.offset
            if span.offset > span.before {
                switch gap {
                case .drop: break
                case .end:
                    if let end = inGap(of: times, span, from: instant, budget: &budget) {
                        left -= 1
                        if left == 0 { return end }
                        low = end + span.offset + 1
                    }
                case .shift:
                    // One by one while times from both offsets can occur: two clock times can then be the same instant.
                    let end = min(span.start + span.offset - span.before, span.end)
                    while instant < end {
                        guard let found = first(of: times, from: instant), found < end else { break }
                        left -= 1
                        if left == 0 { return found }
                        instant = found + 1
                    }
                    low = max(low, end + span.offset)
                }
            } else if !isTwice {
                low = max(low, span.start + span.before)
            }
            let shift = anchorOffset.map { span.offset - $0 } ?? 0
            let limit = min(span.end - 1, end) + 1 + span.offset
            if low < limit,
                let found = times.nth(
                    &left, from: low, before: limit, shift: shift, budget: &budget, cache: &cache)
            {
                return found - span.offset
            }
            guard index < zone.table.changes.count, budget > 0 else { return nil }
            index += 1
            instant = span.end
        }
    }

    /// The first instant that stands for a clock time in the gap at the start of the span.
    @inline(never)
    private func inGap(of times: some LocalTimes, _ span: Span, from instant: Int, budget: inout Int) -> Int? {
        switch gap {
        case .drop: return nil
        case .end:
            // All of them occur at the first instant of the span.
            guard instant <= span.start else { return nil }
            return times.first(
                from: span.start + span.before, before: span.start + span.offset, shift: 0, budget: &budget
            ).map { _ in span.start }
        case .shift:
            let limit = span.start + span.offset
            guard instant + span.before < limit else { return nil }
            return times.first(from: instant + span.before, before: limit, shift: 0, budget: &budget)
                .map { $0 - span.before }
        }
    }

    /// A clock time after every representable instant.
    private static let clockLimit = seconds.upperBound + 100_000

    /// The time between two offset changes.
    private struct Span {
        var start: Int
        var end: Int
        var offset: Int
        /// The offset before `start`.
        var before: Int

        @inline(__always)
        init(_ table: ZoneTable, _ index: Int) {
            offset = Int(table.offsets[index])
            start = index > 0 ? Int(table.changes[index - 1]) : ClockWalk.seconds.lowerBound
            before = index > 0 ? Int(table.offsets[index - 1]) : offset
            end = index < table.changes.count ? Int(table.changes[index]) : ClockWalk.seconds.upperBound + 1
        }
    }
}
