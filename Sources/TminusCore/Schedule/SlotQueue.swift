/// What is due when: numbers in a ``SlotTimeline``, and what has come due in the order in which it is taken.
///
/// Whoever owns the queue knows which id a number has.
struct SlotQueue: Sendable {
    /// One number at one instant.
    struct Due: Sendable {
        /// The instant.
        var at: Timestamp
        /// The number.
        var slot: UInt32
    }

    private var timeline = SlotTimeline()
    /// Taken from the timeline, the earliest first. Not a slice: to add one to that costs more than to take it from the timeline.
    private var ready: [Due] = []
    /// How many of them have been removed, from the front.
    private var removed = 0

    /// The earliest instant of all.
    mutating func next() -> Timestamp? {
        guard let first = earliest?.at else { return timeline.first() }
        return min(first, timeline.first() ?? .distantFuture)
    }

    /// How many have come due and wait to be taken.
    var waiting: Int { ready.count - removed }

    /// The earliest of those that have come due.
    private var earliest: Due? { removed < ready.count ? ready[removed] : nil }

    /// The bytes of the timeline.
    var bytes: Int { timeline.bytes }

    /// Makes room for so many numbers.
    mutating func reserve(_ count: Int) { timeline.reserve(count) }

    /// Puts the one instant of a number in place of its former one; nil for none.
    mutating func arm(_ slot: UInt32, at due: Timestamp?) {
        if let due { timeline.arm(slot, at: due) } else { timeline.cancel(slot) }
    }

    /// What ``first(upTo:isInOrder:id:)`` would give, as long as that needs no id: what has been put in order and nothing that is armed can come
    /// before. Of many at one instant that is all but the first. Nil: ask for it with the ids.
    mutating func firstWaiting(upTo now: Timestamp) -> Due? {
        guard let first = earliest, first.at <= now, timeline.first() ?? .distantFuture > first.at else {
            return nil
        }
        return first
    }

    /// What is due next, up to `now`, which may be armed for another instant since; stays until it is removed.
    ///
    /// What is due at one instant comes in the order of the ids, so that a reader can predict it.
    ///
    /// - Parameter isInOrder: Whether the numbers have the order of the ids: then no id is looked at to sort them, which would be a
    ///   cache miss for each.
    mutating func first(upTo now: Timestamp, isInOrder: Bool = false, id: (UInt32) -> DefinitionID?) -> Due? {
        if let next = timeline.first(), next <= min(now, earliest?.at ?? .distantFuture) {
            collect(upTo: now, isInOrder: isInOrder, id: id)
        }
        while let first = earliest, first.at <= now {
            if id(first.slot) != nil { return first }
            removeFirst()
        }
        return nil
    }

    /// Removes what ``first(upTo:isInOrder:id:)`` or ``firstWaiting(upTo:)`` gave.
    mutating func removeFirst() {
        removed += 1
        if removed == ready.count { (ready, removed) = ([], 0) }
    }

    /// Drops what waits and is not confirmed by `isCurrent`, from the front.
    mutating func dropOutdated(_ isCurrent: (UInt32, Timestamp) -> Bool) {
        while let first = earliest, !isCurrent(first.slot, first.at) { removeFirst() }
    }

    private mutating func collect(upTo now: Timestamp, isInOrder: Bool, id: (UInt32) -> DefinitionID?) {
        ready.removeFirst(removed)
        removed = 0
        while let (slot, due) = timeline.popFirst(upTo: now) { ready.append(Due(at: due, slot: slot)) }
        if isInOrder { return ready.sort { ($0.at, $0.slot) < ($1.at, $1.slot) } }
        // Nearly in order: numbers are given in the order of the ids where many come at once.
        ready.sort { left, right in
            guard left.at == right.at, let one = id(left.slot), let other = id(right.slot) else {
                return left.at < right.at
            }
            return one < other
        }
    }
}
