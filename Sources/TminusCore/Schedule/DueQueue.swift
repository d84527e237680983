internal import HeapModule

/// The keys that are armed, each for one instant: the earliest first, and at one instant in the order of the keys.
///
/// Arming a key again, or disarming it, leaves its former entry in the heap. That entry is stale, because its instant
/// is not the one for which the key is armed. Stale entries are dropped when they are reached, and all at once when
/// they outnumber the others.
package struct DueQueue<Key: Hashable & Comparable & Sendable>: Sendable {
    private struct Entry: Comparable, Sendable {
        var due: Timestamp
        var key: Key

        static func < (left: Self, right: Self) -> Bool {
            left.due == right.due ? left.key < right.key : left.due < right.due
        }
    }

    /// The number of stale entries that is always tolerated.
    private static var staleFloor: Int { 1_000 }

    private var heap = Heap<Entry>()
    /// Entries that were due and were taken from the heap to be sorted; the next one is the last.
    private var sorted: [Entry] = []
    private var armed: [Key: Timestamp] = [:]

    /// Creates an empty queue.
    package init() {}

    /// The number of entries, including stale ones.
    var entryCount: Int { heap.count + sorted.count }

    /// The instant for which a key is armed; nil if it is not armed.
    package subscript(key: Key) -> Timestamp? {
        get { armed[key] }
        set {
            guard newValue != armed[key] else { return }
            armed[key] = newValue
            if let newValue { heap.insert(Entry(due: newValue, key: key)) }
            if entryCount > 2 * armed.count + Self.staleFloor { dropStale() }
        }
    }

    /// The earliest armed instant, due or not.
    package mutating func next() -> Timestamp? {
        while let last = sorted.last, isStale(last) { sorted.removeLast() }
        while let min = heap.min, isStale(min) { heap.removeMin() }
        guard let last = sorted.last, let min = heap.min else { return sorted.last?.due ?? heap.min?.due }
        return Swift.min(last.due, min.due)
    }

    /// Disarms and returns the earliest key if it is due by `now`.
    ///
    /// - Parameter areInOrder: The order of keys that are due at the same instant.
    package mutating func popFirst(upTo now: Timestamp, by areInOrder: (Key, Key) -> Bool = (<)) -> Key? {
        guard let first = next(), first <= now else { return nil }
        if let min = heap.min, min.due <= sorted.last?.due ?? now { sortDue(upTo: now, by: areInOrder) }
        guard let key = sorted.popLast()?.key else { return nil }
        armed[key] = nil
        return key
    }

    private func isStale(_ entry: Entry) -> Bool { armed[entry.key] != entry.due }

    private mutating func sortDue(upTo now: Timestamp, by areInOrder: (Key, Key) -> Bool) {
        while let min = heap.min, min.due <= now { sorted.append(heap.removeMin()) }
        sorted.removeAll(where: isStale)
        sorted.sort { $0.due == $1.due ? areInOrder($1.key, $0.key) : $0.due > $1.due }
    }

    private mutating func dropStale() {
        sorted = []
        heap = Heap(armed.map { Entry(due: $0.value, key: $0.key) })
    }
}
