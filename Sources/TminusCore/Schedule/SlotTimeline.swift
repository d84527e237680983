internal import BitCollections
internal import HeapModule

/// Which slot is due next: a wheel, in front of it what is due now in order.
///
/// Arming again and cancelling leave the former entry where it is; it is outdated because its slot has been armed since. They
/// are dropped on the way, and where arming would otherwise take more memory. What is due at one instant comes in the order of the slots.
package struct SlotTimeline: Sendable {
    /// With nothing armed.
    package init() { self.init(after: 0) }

    /// With nothing armed, as if so many armings had been.
    init(after armings: UInt32) { self.armings = SlotArmings(after: armings) }

    /// So many outdated entries are nothing to care about.
    private static let outdatedFloor = 1_024

    private var wheel = TimelineWheel()
    /// Taken from the wheel, the earliest last.
    private var front = ContiguousArray<TimelineEntry>()
    /// Armed for an instant before the base of the wheel, or up to what is in front: usually none.
    private var early = Heap<TimelineEntry>()
    /// Everything in the wheel is due later, as long as there is something in front or early.
    private var readyKey: UInt64 = 0
    /// The earliest entry of the wheel, if that is known.
    private var earliest: TimelineEntry?
    private var armings: SlotArmings
    /// Shared as long as the memory of the wheel and of the armings is: to look at one is to look at both, and looking at each is
    /// a tenth of what arming costs.
    private var owner = Owner()

    private final class Owner: Sendable {}

    /// How many slots are armed.
    package var count: Int { armings.count }

    /// How many entries there are, outdated ones among them.
    var entryCount: Int { wheel.count + front.count + early.count }

    /// The bytes of all buffers.
    package var bytes: Int {
        wheel.bytes + (front.capacity + early.count) * MemoryLayout<TimelineEntry>.stride + armings.bytes
    }

    /// Makes room for so many slots, where it is known how many come.
    package mutating func reserve(_ slots: Int) {
        own()
        armings.reserve(slots)
    }

    /// Arms a slot, in place of what it was armed for. Slots are numbers from 0; memory is used up to the highest.
    package mutating func arm(_ slot: UInt32, at due: Timestamp) {
        own()
        compact()
        // The first outdated one is to come.
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

    /// The earliest instant for which a slot is armed.
    package mutating func first() -> Timestamp? {
        if let later { return later.due }
        own()
        return (ready() ?? earliestOfWheel())?.due
    }

    /// Disarms the earliest slot if it is due.
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

    /// The earliest entry, if it is known and in the wheel: to ask for it changes nothing, and copies nothing that is shared.
    private var later: TimelineEntry? { front.isEmpty && early.isEmpty ? earliest : nil }

    /// Makes all memory this value's own. First in everything that changes any of it.
    @inline(__always)
    private mutating func own() {
        if !isKnownUniquelyReferenced(&owner) { detach() }
    }

    private mutating func detach() {
        wheel.detach()
        armings.detach()
        // Last: whoever else has the memory may change it from here on.
        owner = Owner()
    }
}

// MARK: - What is due now

extension SlotTimeline {
    /// The earliest of what is in front and early.
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

    /// Takes what is due from the lowest bucket, or spreads it; false if nothing is due.
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
        // That may have removed outdated buckets.
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

    /// Sorts what is in front, all of it due at one instant: by a bit for each slot where that is less than to compare them. The
    /// first of many waits for it.
    private mutating func sortSlots() {
        guard front.count > 64, let last = front.lazy.map(\.slot).max(), last < front.count << 6 else {
            return front.sort(by: >)
        }
        let key = front[0].key
        var slots = BitSet(reservingCapacity: Int(last) + 1)
        for entry in front { slots.insert(Int(entry.slot)) }
        // Each slot is there once, because one entry of it is current.
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
            // No entry has that number: nothing was left of the bucket.
            if least.arming != 0 {
                earliest = least
                return least
            }
        }
        return nil
    }

    /// The clock has gone back: what was due is not.
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
    /// Drops all entries, which are outdated.
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

    /// Drops outdated entries where they would take memory that is not there yet.
    @inline(__always)
    private mutating func compact() {
        if wheel.isFull, entryCount > count + count / 2 + Self.outdatedFloor { dropOutdated() }
    }

    /// Drops outdated entries and gives the others one number, so that the numbers can begin anew: no entry has one that is to come.
    /// Once in four thousand million armings.
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
