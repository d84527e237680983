/// Which slots are armed, and by which of their entries.
///
/// Two tables, because looking one up is a cache miss where there are millions, and most of what arming again costs: two bytes a
/// slot tell its armings from each other, and a bit a slot, which is all that cancelling touches, whether it is armed.
struct SlotArmings: Sendable {
    private var memory = Memory(slots: 0)

    /// How many slots are armed.
    private(set) var count = 0

    /// The bytes of both tables.
    var bytes: Int { memory.slots * MemoryLayout<UInt16>.stride + memory.words * MemoryLayout<UInt64>.stride }

    /// Whether a slot is armed.
    func isArmed(_ slot: UInt32) -> Bool {
        slot < memory.slots && memory.armed[Int(slot >> 6)] & Self.bit(slot) != 0
    }

    /// Whether an entry is that of the last arming of its slot, and not disarmed since.
    @inline(__always)
    func isCurrent(_ entry: TimelineEntry) -> Bool {
        // Which entries are current is as good as random, and a branch would cost more than the look-up; so 1 if both numbers are the
        // same is computed, not compared.
        let isLast = (UInt64(memory.numbers[Int(entry.slot)] ^ entry.arming) &- 1) >> 63
        return memory.armed[Int(entry.slot >> 6)] >> UInt64(entry.slot & 63) & isLast != 0
    }

    /// Arms a slot that is armed or not, and gives the number of this arming: 0, which no entry may have, once the numbers of the
    /// slot are used up.
    @inline(__always)
    mutating func arm(_ slot: UInt32) -> UInt16 {
        // Many slots at once, as they come one after the other.
        own(Int(slot) < memory.slots ? memory.slots : max(Int(slot) + 1, memory.slots + memory.slots / 2))
        let word = memory.armed + Int(slot >> 6)
        count += word.pointee & Self.bit(slot) == 0 ? 1 : 0
        word.pointee |= Self.bit(slot)
        memory.numbers[Int(slot)] &+= 1
        return memory.numbers[Int(slot)]
    }

    /// Disarms a slot that is armed.
    mutating func disarm(_ slot: UInt32) {
        own(memory.slots)
        memory.armed[Int(slot >> 6)] &= ~Self.bit(slot)
        count -= 1
    }

    /// Makes room for so many slots.
    mutating func reserve(_ slots: Int) { own(max(slots, memory.slots)) }

    /// Makes the memory this value's own, for so many slots.
    @inline(__always)
    private mutating func own(_ slots: Int) {
        if slots > memory.slots || !isKnownUniquelyReferenced(&memory) { memory = Memory(memory, slots: slots) }
    }

    @inline(__always)
    private static func bit(_ slot: UInt32) -> UInt64 { 1 << UInt64(slot & 63) }
}

extension SlotArmings {
    /// Both tables: plain memory, so that one look at whether it is shared serves both. Only the one value that owns it writes.
    private final class Memory: @unchecked Sendable {
        /// For how many slots there is room.
        let slots: Int
        /// How often each slot was armed; it begins anew from 0.
        let numbers: UnsafeMutablePointer<UInt16>
        /// A bit for each slot.
        let armed: UnsafeMutablePointer<UInt64>

        var words: Int { (slots + 63) >> 6 }

        init(slots: Int) {
            self.slots = slots
            numbers = .allocate(capacity: slots)
            numbers.initialize(repeating: 0, count: slots)
            armed = .allocate(capacity: (slots + 63) >> 6)
            armed.initialize(repeating: 0, count: (slots + 63) >> 6)
        }

        /// The same content in other memory, for at least as many slots.
        convenience init(_ other: Memory, slots: Int) {
            self.init(slots: slots)
            numbers.update(from: other.numbers, count: other.slots)
            armed.update(from: other.armed, count: other.words)
        }

        deinit {
            numbers.deallocate()
            armed.deallocate()
        }
    }
}
