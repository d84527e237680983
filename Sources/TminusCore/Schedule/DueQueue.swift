/// What is due when: ids by number in a ``SlotQueue``.
package struct DueQueue: Sendable {
    private var queue = SlotQueue()
    /// Ids by number; nil: not in use.
    private var ids = ContiguousArray<DefinitionID?>()
    private var freeSlots: [UInt32] = []

    /// An empty queue.
    package init() {}

    /// The earliest instant of all.
    package mutating func next() -> Timestamp? { queue.next() }

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
        queue.arm(slot, at: nil)
        ids[Int(slot)] = nil
        freeSlots.append(slot)
    }

    /// Puts the one instant of a definition in place of its former one; nil for none.
    package mutating func arm(_ slot: UInt32, at due: Timestamp?) { queue.arm(slot, at: due) }

    /// What is due next, up to `now`, which may be armed for another instant since; stays until it is removed.
    ///
    /// What is due at one instant comes in the order of the ids, so that a reader can predict it.
    package mutating func first(upTo now: Timestamp) -> (id: DefinitionID, at: Timestamp)? {
        guard let first = queue.first(upTo: now, id: { [ids] in ids[Int($0)] }), let id = ids[Int(first.slot)] else {
            return nil
        }
        return (id, first.at)
    }

    /// Removes what ``first(upTo:)`` gave.
    package mutating func removeFirst() { queue.removeFirst() }
}
