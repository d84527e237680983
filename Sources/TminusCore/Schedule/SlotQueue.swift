/// The due instants of slots: a ``SlotTimeline``, and a sorted list of the slots that have come due.
///
/// The owner of the queue knows the id of each slot.
struct SlotQueue: Sendable {
    /// A slot at an instant.
    struct Due: Sendable {
        /// The instant.
        var at: Timestamp
        /// The number.
        var slot: UInt32
    }

    private var timeline = SlotTimeline()
    /// Taken from the timeline, earliest first. Not an `ArraySlice`: appending to one costs more than taking an entry
    /// from the timeline.
    private var ready: [Due] = []
    /// The number of elements removed from the front of `ready`.
    private var removed = 0

    /// The earliest instant, due or not.
    mutating func next() -> Timestamp? {
        guard let first = earliest?.at else { return timeline.first() }
        return min(first, timeline.first() ?? .distantFuture)
    }

    /// The number of due slots that wait to be taken.
    var waiting: Int { ready.count - removed }

    /// The earliest due slot.
    private var earliest: Due? { removed < ready.count ? ready[removed] : nil }

    /// The size of the timeline in bytes.
    var bytes: Int { timeline.bytes }

    /// Makes room for `count` slots.
    mutating func reserve(_ count: Int) { timeline.reserve(count) }

    /// Arms a slot for an instant, replacing the former one; nil disarms it.
    mutating func arm(_ slot: UInt32, at due: Timestamp?) {
        if let due { timeline.arm(slot, at: due) } else { timeline.cancel(slot) }
    }

    /// The result of ``first(upTo:isInOrder:id:)`` if it needs no id: the first sorted slot, if no armed slot can
    /// precede it. With many slots due at one instant, this covers all but the first. Nil means to ask again with the
    /// ids.
    mutating func firstWaiting(upTo now: Timestamp) -> Due? {
        guard let first = earliest, first.at <= now, timeline.first() ?? .distantFuture > first.at else {
            return nil
        }
        return first
    }

    /// The next slot due by `now`; it stays in the queue until ``removeFirst()``. It may have been armed for another
    /// instant since.
    ///
    /// Slots due at the same instant are sorted by id, so that the order is predictable.
    ///
    /// - Parameter isInOrder: Whether slot numbers are in the order of the ids. Then sorting reads no ids, which would
    ///   cost a cache miss each.
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

    /// Removes the slot that ``first(upTo:isInOrder:id:)`` or ``firstWaiting(upTo:)`` returned.
    mutating func removeFirst() {
        removed += 1
        if removed == ready.count { (ready, removed) = ([], 0) }
    }

    /// Removes due slots from the front until `isCurrent` confirms one.
    mutating func dropOutdated(_ isCurrent: (UInt32, Timestamp) -> Bool) {
        while let first = earliest, !isCurrent(first.slot, first.at) { removeFirst() }
    }

    private mutating func collect(upTo now: Timestamp, isInOrder: Bool, id: (UInt32) -> DefinitionID?) {
        ready.removeFirst(removed)
        removed = 0
        while let (slot, due) = timeline.popFirst(upTo: now) { ready.append(Due(at: due, slot: slot)) }
        if isInOrder { return ready.sort { ($0.at, $0.slot) < ($1.at, $1.slot) } }
        // Nearly sorted already: definitions that arrive together get their slots in the order of the ids.
        ready.sort { left, right in
            guard left.at == right.at, let one = id(left.slot), let other = id(right.slot) else {
                return left.at < right.at
            }
            return one < other
        }
    }
}
