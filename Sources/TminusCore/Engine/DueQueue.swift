/// What is due when: definitions by number in a ``SlotTimeline``, and what has come due in the order in which it is taken.
package struct DueQueue: Sendable {
    /// One definition at one instant.
    struct Due: Sendable {
        /// The instant.
        var at: Timestamp
        /// The definition's number.
        var slot: UInt32
    }

    private var timeline = SlotTimeline()
    /// Ids by number; nil: not in use.
    private var ids = ContiguousArray<DefinitionID?>()
    private var freeSlots: [UInt32] = []
    /// Taken from the timeline, the earliest first.
    private var ready: ArraySlice<Due> = []

    /// An empty queue.
    package init() {}

    /// The earliest instant of all.
    package mutating func next() -> Timestamp? {
        guard let first = ready.first?.at else { return timeline.first() }
        return min(first, timeline.first() ?? .distantFuture)
    }

    /// The bytes of the timeline.
    var bytes: Int { timeline.bytes }

    /// A number for a definition.
    package mutating func slot(for id: DefinitionID) -> UInt32 {
        if let slot = freeSlots.popLast() {
            ids[Int(slot)] = id
            return slot
        }
        ids.append(id)
        return UInt32(ids.count - 1)
    }

    /// Gives a number back; nothing of it is due any more.
    package mutating func free(_ slot: UInt32) {
        timeline.cancel(slot)
        ids[Int(slot)] = nil
        freeSlots.append(slot)
    }

    /// Puts the one instant of a definition in place of its former one; nil for none.
    package mutating func arm(_ slot: UInt32, at due: Timestamp?) {
        if let due { timeline.arm(slot, at: due) } else { timeline.cancel(slot) }
    }

    /// What is due next, up to `now`, which may be armed for another instant since; stays until it is removed.
    ///
    /// What is due at one instant comes in the order of the ids, so that a reader can predict it.
    package mutating func first(upTo now: Timestamp) -> (id: DefinitionID, at: Timestamp)? {
        while true {
            if let next = timeline.first(), next <= min(now, ready.first?.at ?? .distantFuture) { collect(upTo: now) }
            guard let first = ready.first, first.at <= now else { return nil }
            if let id = ids[Int(first.slot)] { return (id, first.at) }
            removeFirst()
        }
    }

    /// Removes what ``first(upTo:)`` gave.
    package mutating func removeFirst() {
        ready.removeFirst()
        if ready.isEmpty { ready = [] }
    }

    /// Drops what waits and is not confirmed by `isCurrent`, from the front.
    mutating func dropOutdated(_ isCurrent: (DefinitionID, Timestamp) -> Bool) {
        while let first = ready.first {
            if let id = ids[Int(first.slot)], isCurrent(id, first.at) { return }
            removeFirst()
        }
    }

    private mutating func collect(upTo now: Timestamp) {
        while let (slot, due) = timeline.popFirst(upTo: now) { ready.append(Due(at: due, slot: slot)) }
        // Nearly in order: numbers are given in the order of the ids where many come at once.
        ready.sort { [ids] left, right in
            guard left.at == right.at, let one = ids[Int(left.slot)], let other = ids[Int(right.slot)] else {
                return left.at < right.at
            }
            return one < other
        }
    }
}
