/// The due instants of definitions: a ``SlotQueue`` with the ids of its slots.
package struct DueQueue: Sendable {
    private var queue = SlotQueue()
    /// The id of each slot; nil for a free slot.
    private var ids = ContiguousArray<DefinitionID?>()
    private var freeSlots: [UInt32] = []

    /// An empty queue.
    package init() {}

    /// The earliest armed instant.
    package mutating func next() -> Timestamp? { queue.next() }

    /// Assigns a slot to a definition.
    package mutating func slot(for id: DefinitionID) -> UInt32 {
        if let slot = freeSlots.popLast() {
            ids[Int(slot)] = id
            return slot
        }
        ids.append(id)
        return UInt32(ids.count - 1)
    }

    /// Frees a slot and disarms it.
    package mutating func free(_ slot: UInt32) {
        queue.arm(slot, at: nil)
        ids[Int(slot)] = nil
        freeSlots.append(slot)
    }

    /// Arms a slot for an instant, replacing the former one; nil disarms it.
    package mutating func arm(_ slot: UInt32, at due: Timestamp?) { queue.arm(slot, at: due) }

    /// The next entry due by `now`; it stays in the queue until ``removeFirst()``. Its slot may have been armed for
    /// another instant since.
    ///
    /// Entries due at the same instant are sorted by id, so that the order is predictable.
    package mutating func first(upTo now: Timestamp) -> (id: DefinitionID, at: Timestamp)? {
        guard let first = queue.first(upTo: now, id: { [ids] in ids[Int($0)] }), let id = ids[Int(first.slot)] else {
            return nil
        }
        return (id, first.at)
    }

    /// Removes the entry that ``first(upTo:)`` returned.
    package mutating func removeFirst() { queue.removeFirst() }
}
