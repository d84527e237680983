internal import HeapModule

/// Which definition is due next: a heap of instants in which outdated entries stay until they surface.
///
/// Re-arming pushes a second entry; the caller knows an outdated one because the definition is no longer armed for that
/// instant. `compact` bounds what outdated entries may cost.
struct Timeline: Sendable {
    struct Entry: Sendable, Comparable {
        var due: Timestamp
        var id: DefinitionID

        // Ties are broken by id, so that what is due at one instant comes in an order that a reader can predict.
        static func < (left: Self, right: Self) -> Bool {
            left.due == right.due ? left.id < right.id : left.due < right.due
        }
    }

    private var heap = Heap<Entry>()

    /// The earliest entry, which may be outdated.
    var first: Entry? { heap.min }

    /// How many entries there are, outdated ones among them.
    var count: Int { heap.count }

    /// Adds an entry.
    mutating func push(_ id: DefinitionID, at due: Timestamp) {
        heap.insert(Entry(due: due, id: id))
    }

    /// Removes the earliest entry.
    mutating func popFirst() -> Entry? {
        heap.popMin()
    }

    /// Drops what `isCurrent` does not confirm.
    mutating func compact(keeping isCurrent: (Entry) -> Bool) {
        heap = Heap(heap.unordered.filter(isCurrent))
    }
}
