internal import BitCollections
internal import HeapModule

/// Finds the next due slot: a timing wheel, and in front of it a sorted list of the entries that are due.
///
/// Arming a slot again or cancelling it leaves its former entry in place; that entry is stale. Stale entries are
/// dropped when they are reached, and when arming would otherwise need more memory. Entries due at the same instant are
/// sorted by slot.
package struct SlotTimeline: Sendable {
    /// Creates an empty timeline.
    package init() { self.init(after: 0) }

    /// Creates an empty timeline that numbers armings from `armings` on.
    init(after armings: UInt32) { self.armings = SlotArmings(after: armings) }

    /// The number of stale entries that is always tolerated.
    private static let outdatedFloor = 1_024

    private var wheel = TimelineWheel()
    /// Entries taken from the wheel, earliest last.
    private var front = ContiguousArray<TimelineEntry>()
    /// Entries armed for an instant before the base of the wheel, or not after the entries in front; usually none.
    private var early = Heap<TimelineEntry>()
    /// While `front` or `early` is not empty, every entry in the wheel has a greater key than this.
    private var readyKey: UInt64 = 0
    /// The earliest entry of the wheel; nil if unknown.
    private var earliest: TimelineEntry?
    private var armings: SlotArmings
    /// Shared exactly while the memory of the wheel and of the armings is shared. One uniqueness check instead of two:
    /// each check takes a tenth of the time of arming.
    private var owner = Owner()

    private final class Owner: Sendable {}

    /// The number of armed slots.
    package var count: Int { armings.count }

    /// The number of entries, including stale ones.
    var entryCount: Int { wheel.count + front.count + early.count }

    /// The size of all buffers in bytes.
    package var bytes: Int {
        wheel.bytes + (front.capacity + early.count) * MemoryLayout<TimelineEntry>.stride + armings.bytes
    }

    /// Makes room for `slots` slots, if their number is known in advance.
    package mutating func reserve(_ slots: Int) {
        own()
        armings.reserve(slots)
    }

    /// Arms a slot, replacing its former instant. Slots count from 0; the memory grows with the highest slot.
    package mutating func arm(_ slot: UInt32, at due: Timestamp) {
        own()
        compact()
        // This arming creates the first stale entry.
        if armings.isArmedAnew(slot), entryCount == count { armings.settle() }
        if earliest?.slot == slot { earliest = nil }
        var arming = armings.arm(slot)
        if arming == 0 {
            renumber()
            arming = armings.arm(slot)
        }
        let entry = TimelineEntry(key: TimelineEntry.key(due), slot: slot, arming: arming)
        if entry.key < wheel.base || entry.key <= readyKey {
            early.insert(entry)
        } else {
            wheel.insert(entry)
            if let known = earliest, entry < known { earliest = entry }
        }
    }

    /// Disarms a slot.
    package mutating func cancel(_ slot: UInt32) {
        guard armings.isArmed(slot) else { return }
        own()
        disarm(slot)
        if count == 0 { removeAll() }
    }

    /// The earliest armed instant.
    package mutating func first() -> Timestamp? {
        if let later { return later.due }
        own()
        return (ready() ?? earliestOfWheel())?.due
    }

    /// Disarms and returns the earliest slot if it is due by `now`.
    package mutating func popFirst(upTo now: Timestamp) -> (slot: UInt32, due: Timestamp)? {
        let limit = TimelineEntry.key(now)
        if limit < wheel.base, limit + 1 < wheel.base {
            own()
            rewind(to: limit)
        }
        if let later, later.key > limit { return nil }
        own()
        while true {
            if let entry = ready() {
                guard entry.key <= limit else { return nil }
                if front.last == entry { front.removeLast() } else { early.removeMin() }
                disarm(entry.slot)
                return (entry.slot, entry.due)
            }
            guard refill(upTo: limit) else { return nil }
        }
    }

    /// The earliest entry, if it is known and in the wheel. Reading it changes nothing, so shared memory is not copied.
    private var later: TimelineEntry? { front.isEmpty && early.isEmpty ? earliest : nil }

    /// Makes all memory unique. Every mutating function calls it first.
    @inline(__always)
    private mutating func own() {
        if !isKnownUniquelyReferenced(&owner) { detach() }
    }

    private mutating func detach() {
        wheel.detach()
        armings.detach()
        // Last, because other owners may change the shared memory after this.
        owner = Owner()
    }
}

// MARK: - Due entries

extension SlotTimeline {
    /// The earliest entry of `front` and `early`.
    private mutating func ready() -> TimelineEntry? {
        while let last = front.last, !armings.isCurrent(last) { front.removeLast() }
        while let min = early.min, !armings.isCurrent(min) { early.removeMin() }
        switch (front.last, early.min) {
        case (nil, nil):
            readyKey = 0
            return nil
        case (let last?, let min?): return Swift.min(min, last)
        case (let last, let min): return last ?? min
        }
    }

    /// Takes the due entries of the lowest bucket, or spreads that bucket. Returns false if nothing is due.
    private mutating func refill(upTo limit: UInt64) -> Bool {
        if let earliest, earliest.key > limit { return false }
        guard let lowest = wheel.lowest else {
            wheel.move(to: limit == .max ? limit : limit + 1)
            return false
        }
        guard wheel.lowerBound(of: lowest) <= limit else { return false }
        if wheel.isSimple(lowest) {
            take(lowest, upTo: limit)
            return true
        }
        guard let first = earliestOfWheel(), first.key <= limit else { return false }
        // The search may have removed stale buckets.
        if wheel.lowest == lowest { wheel.descend(into: lowest, base: first.key) }
        return true
    }

    private mutating func take(_ bucket: Int, upTo limit: UInt64) {
        earliest = nil
        var later = ContiguousArray<TimelineEntry>()
        wheel.empty(bucket) { [armings] entry in
            guard armings.isCurrent(entry) else { return }
            if entry.key <= limit { front.append(entry) } else { later.append(entry) }
        }
        if !later.isEmpty {
            wheel.move(to: limit + 1)
            for entry in later { wheel.insert(entry) }
        }
        if TimelineWheel.isOfOneKey(bucket) { sortSlots() } else { front.sort(by: >) }
        readyKey = front.first?.key ?? 0
    }

    /// Sorts the entries in front, which are all due at the same instant. Uses a bit set if that is cheaper than
    /// comparisons, since the first of many entries has to wait for the sort.
    private mutating func sortSlots() {
        guard front.count > 64, let last = front.lazy.map(\.slot).max(), last < front.count << 6 else {
            return front.sort(by: >)
        }
        let key = front[0].key
        var slots = BitSet(reservingCapacity: Int(last) + 1)
        for entry in front { slots.insert(Int(entry.slot)) }
        // Each slot occurs once, because only one of its entries is current.
        var place = front.count
        for slot in slots {
            place -= 1
            front[place] = TimelineEntry(key: key, slot: UInt32(slot), arming: armings.number(of: UInt32(slot)))
        }
    }

    private mutating func earliestOfWheel() -> TimelineEntry? {
        if let earliest { return earliest }
        while let lowest = wheel.lowest {
            var least = TimelineEntry(key: .max, slot: .max, arming: 0)
            wheel.filter(lowest) { [armings] entry in
                guard armings.isCurrent(entry) else { return false }
                if entry < least { least = entry }
                return true
            }
            // No entry has arming 0; the bucket had stale entries only.
            if least.arming != 0 {
                earliest = least
                return least
            }
        }
        return nil
    }

    /// Handles a clock that was set back: entries that were due are no longer due.
    private mutating func rewind(to limit: UInt64) {
        wheel.rewind(to: limit + 1)
        earliest = nil
        let entries = front + early.unordered
        front = []
        early = []
        readyKey = 0
        for entry in entries where armings.isCurrent(entry) {
            if entry.key <= limit { early.insert(entry) } else { wheel.insert(entry) }
        }
    }
}

// MARK: - Outdated entries

extension SlotTimeline {
    /// Drops all entries; all of them are stale.
    private mutating func removeAll() {
        wheel.removeAll()
        front = []
        early = []
        readyKey = 0
    }

    private mutating func disarm(_ slot: UInt32) {
        armings.disarm(slot)
        if earliest?.slot == slot { earliest = nil }
    }

    /// Drops stale entries if they would make the wheel grow.
    @inline(__always)
    private mutating func compact() {
        if wheel.isFull, entryCount > count + count / 2 + Self.outdatedFloor { dropOutdated() }
    }

    /// Drops stale entries and gives all others one number, so that the numbering can restart without collisions.
    /// Happens once in 2^32 armings.
    private mutating func renumber() {
        dropOutdated()
        let number = armings.beginAnew()
        func renumbered(_ entry: TimelineEntry) -> TimelineEntry {
            TimelineEntry(key: entry.key, slot: entry.slot, arming: number)
        }
        var entries = ContiguousArray<TimelineEntry>()
        wheel.filter { entry in
            entries.append(renumbered(entry))
            return false
        }
        for entry in entries { wheel.insert(entry) }
        front = ContiguousArray(front.map(renumbered))
        early = Heap(early.unordered.map(renumbered))
        earliest = earliest.map(renumbered)
    }

    private mutating func dropOutdated() {
        wheel.filter { [armings] entry in armings.isCurrent(entry) }
        front.removeAll { [armings] in !armings.isCurrent($0) }
        early = Heap(early.unordered.filter(armings.isCurrent))
        armings.settle()
    }
}
