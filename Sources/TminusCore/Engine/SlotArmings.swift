/// Which slots are armed, and by which of their entries.
///
/// Two tables, because looking one up is a cache miss where there are millions, and most of what arming again costs: a number a slot
/// tells its armings from each other, and a bit a slot, which is all that cancelling touches, whether it is armed. The numbers count
/// all armings and not those of the slot: arming writes one and reads none, and the processor waits for what is read.
struct SlotArmings: Sendable {
    private var memory = Memory(slots: 0)
    /// The number of the last arming.
    private var last: UInt32

    /// How many slots are armed.
    private(set) var count = 0

    /// With nothing armed, as if so many armings had been.
    init(after last: UInt32 = 0) { self.last = last }

    /// The bytes of both tables.
    var bytes: Int { memory.slots * MemoryLayout<UInt32>.stride + memory.words * MemoryLayout<UInt64>.stride }

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

    /// The number of the last arming of a slot that has been armed.
    func number(of slot: UInt32) -> UInt32 { memory.numbers[Int(slot)] }

    /// Arms a slot that is armed or not, and gives the number of this arming: 0, which no entry may have, once the numbers are used up
    /// (``beginAnew()``).
    @inline(__always)
    mutating func arm(_ slot: UInt32) -> UInt32 {
        // Many slots at once, as they come one after the other.
        if Int(slot) >= memory.slots { reserve(max(Int(slot) + 1, memory.slots + memory.slots / 2)) }
        let word = memory.armed + Int(slot >> 6)
        if word.pointee & Self.bit(slot) == 0 {
            count += 1
            word.pointee |= Self.bit(slot)
        }
        last &+= 1
        memory.numbers[Int(slot)] = last
        return last
    }

    /// Disarms a slot that is armed.
    mutating func disarm(_ slot: UInt32) {
        memory.armed[Int(slot >> 6)] &= ~Self.bit(slot)
        count -= 1
    }

    /// Begins the numbers anew, behind the one that all entries that are left have from now on, which it gives.
    mutating func beginAnew() -> UInt32 {
        last = 1
        memory.numbers.update(repeating: last, count: memory.slots)
        return last
    }

    /// Makes room for so many slots.
    mutating func reserve(_ slots: Int) {
        if slots > memory.slots { memory = Memory(memory, slots: slots) }
    }

    /// Makes the memory this value's own. Needed before a copy is changed: who has it knows when that is.
    mutating func detach() { memory = Memory(memory, slots: memory.slots) }

    @inline(__always)
    private static func bit(_ slot: UInt32) -> UInt64 { 1 << UInt64(slot & 63) }
}

extension SlotArmings {
    /// Both tables, as plain memory. Only the one value that owns it writes.
    private final class Memory: @unchecked Sendable {
        /// For how many slots there is room.
        let slots: Int
        /// The number of the last arming of each slot.
        let numbers: UnsafeMutablePointer<UInt32>
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
