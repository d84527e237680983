import TminusCore

/// The pending deliveries of one sink in the order in which they are claimed.
struct DueLine: Sendable {
    /// A delivery in the line. It counts as long as that delivery is pending for that instant.
    struct Turn: Sendable, Comparable {
        var due: Timestamp
        /// What the delivery counts as among all that were written.
        var rank: Int
        /// Its row.
        var delivery: Int

        static func < (left: Self, right: Self) -> Bool { (left.due, left.rank) < (right.due, right.rank) }
    }

    /// Sorted, without duplicates. What no longer counts stays until it is reached.
    private var turns: [Turn] = []
    /// Where the line begins: what is before has been taken.
    private var head = 0

    mutating func insert(_ turn: Turn) {
        if head > 1_024, head * 2 > turns.count {
            turns.removeFirst(head)
            head = 0
        }
        // Nearly always behind all others.
        guard let last = turns.last, head < turns.count, turn <= last else { return turns.append(turn) }
        let index = firstIndex { $0 >= turn }
        if turns[index] != turn { turns.insert(turn, at: index) }
    }

    /// The first that are due, up to `limit`.
    mutating func first(_ limit: Int, upTo now: Timestamp, where counts: (Turn) -> Bool) -> [Turn] {
        while head < turns.count, turns[head].due <= now, !counts(turns[head]) { head += 1 }
        var found: [Turn] = []
        for turn in turns[head...] {
            guard found.count < limit, turn.due <= now else { break }
            if counts(turn) { found.append(turn) }
        }
        return found
    }

    /// Takes all up to one of them out of the line.
    mutating func take(through last: Turn) { head = firstIndex { $0 > last } }

    /// The earliest instant after `instant` at which one is due.
    func next(after instant: Timestamp, where counts: (Turn) -> Bool) -> Timestamp? {
        turns[firstIndex { $0.due > instant }...].first(where: counts)?.due
    }

    /// The first place from which on `isThere` holds.
    private func firstIndex(where isThere: (Turn) -> Bool) -> Int {
        var (low, high) = (head, turns.count)
        while low < high {
            let middle = (low + high) / 2
            if isThere(turns[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
