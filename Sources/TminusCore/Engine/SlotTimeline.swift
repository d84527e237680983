internal import HeapModule

/// Which slot is due next: a wheel, in front of it what is due now in order.
///
/// Arming again and cancelling leave the former entry where it is; it is outdated because its slot has been armed since. They
/// are dropped on the way, and where arming would otherwise take more memory. What is due at one instant comes in the order of the slots.
package struct SlotTimeline: Sendable {
    /// With nothing armed.
    package init() {}

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
    /// How often each slot was armed or disarmed, odd while it is armed; it begins anew from 0. Two bytes, because looking one up
    /// is a cache miss, which is most of what arming again costs.
    private var armings = ContiguousArray<UInt16>()

    /// How many slots are armed.
    package private(set) var count = 0

    /// How many entries there are, outdated ones among them.
    var entryCount: Int { wheel.count + front.count + early.count }

    /// The bytes of all buffers.
    package var bytes: Int {

        wheel.bytes + (front.capacity + early.count) * MemoryLayout<TimelineEntry>.stride
            + armings.capacity * MemoryLayout<UInt16>.stride
    }

    /// Arms a slot, in place of what it was armed for. Slots are numbers from 0; memory is used up to the highest.
    package mutating func arm(_ slot: UInt32, at due: Timestamp) {
        let index = Int(slot)
        if index >= armings.count { addSlots(upTo: index) }
        if armings[index] & 1 == 1 {
            disarm(slot)
            compact()
        }
        armings[index] += 1
        count += 1
        let entry = TimelineEntry(key: TimelineEntry.key(due), slot: slot, arming: armings[index])
        if entry.key < wheel.base || entry.key <= readyKey {
            early.insert(entry)
        } else {
            wheel.insert(entry)
            if let known = earliest, entry < known { earliest = entry }
        }
    }

    /// Disarms a slot.
    package mutating func cancel(_ slot: UInt32) {
        let index = Int(slot)
        guard index < armings.count, armings[index] & 1 == 1 else { return }
        disarm(slot)
        if count == 0 { removeAll() }
    }

    /// The earliest instant for which a slot is armed.
    package mutating func first() -> Timestamp? {
        (ready() ?? earliestOfWheel())?.due
    }

    /// Disarms the earliest slot if it is due.
    package mutating func popFirst(upTo now: Timestamp) -> (slot: UInt32, due: Timestamp)? {
        let limit = TimelineEntry.key(now)
        if limit < wheel.base, limit + 1 < wheel.base { rewind(to: limit) }
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
}

// MARK: - What is due now

extension SlotTimeline {
    private func isCurrent(_ entry: TimelineEntry) -> Bool { armings[Int(entry.slot)] == entry.arming }

    /// The earliest of what is in front and early.
    private mutating func ready() -> TimelineEntry? {
        while let last = front.last, !isCurrent(last) { front.removeLast() }
        while let min = early.min, !isCurrent(min) { early.removeMin() }
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
            guard armings[Int(entry.slot)] == entry.arming else { return }
            if entry.key <= limit { front.append(entry) } else { later.append(entry) }
        }
        if !later.isEmpty {
            wheel.move(to: limit + 1)
            for entry in later { wheel.insert(entry) }
        }
        front.sort(by: >)
        readyKey = front.first?.key ?? 0
    }

    private mutating func earliestOfWheel() -> TimelineEntry? {
        if let earliest { return earliest }
        while let lowest = wheel.lowest {
            var least = TimelineEntry(key: .max, slot: .max, arming: 0)
            wheel.filter(lowest) { [armings] entry in
                guard armings[Int(entry.slot)] == entry.arming else { return false }
                if entry < least { least = entry }
                return true
            }
            // Otherwise nothing was left of the bucket.
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
        for entry in entries where isCurrent(entry) {
            if entry.key <= limit { early.insert(entry) } else { wheel.insert(entry) }
        }
    }
}

// MARK: - Slots

extension SlotTimeline {
    private mutating func addSlots(upTo index: Int) {
        // Many at once, as slots come one after the other.
        let count = max(index + 1, armings.capacity, armings.count + armings.count / 2)
        armings.append(contentsOf: repeatElement(0, count: count - armings.count))
    }

    /// Drops all entries, which are outdated.
    private mutating func removeAll() {
        wheel.removeAll()
        front = []
        early = []
        readyKey = 0
    }

    private mutating func disarm(_ slot: UInt32) {
        armings[Int(slot)] &+= 1
        count -= 1
        if earliest?.slot == slot { earliest = nil }
        // The numbers of the slot begin anew: none of its former entries may be left.
        if armings[Int(slot)] == 0 { dropOutdated() }
    }

    /// Drops outdated entries where they would take memory that is not there yet.
    private mutating func compact() {
        if entryCount > count + count / 2 + Self.outdatedFloor, wheel.isFull { dropOutdated() }
    }

    private mutating func dropOutdated() {
        wheel.filter { [armings] entry in armings[Int(entry.slot)] == entry.arming }
        front.removeAll { [armings] entry in armings[Int(entry.slot)] != entry.arming }
        early = Heap(early.unordered.filter(isCurrent))
    }
}
