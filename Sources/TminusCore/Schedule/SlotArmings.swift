/// The armed slots, and which entry of a slot is the current one.
///
/// With millions of slots, each look-up is a cache miss, so there are two tables. Three bits per slot identify most
/// stale entries. A number per slot identifies the others: those of slots that were armed more than once since the
/// timeline last had no stale entry. The numbers take most of the memory; if no slot needs one, they are not touched,
/// which saves a third of the cost of arming 10 million slots again.
struct SlotArmings: Sendable {
    private var memory = Memory(slots: 0)
    /// The number of the last arming.
    private var last: UInt32
    /// The number of the last arming when there was no stale entry (``settle()``).
    private var settled: UInt32

    /// The number of armed slots.
    private(set) var count = 0

    /// Starts with no armed slot, numbering armings from `last` on.
    init(after last: UInt32 = 0) { (self.last, settled) = (last, last) }

    /// The size of both tables in bytes.
    var bytes: Int { memory.slots * MemoryLayout<UInt32>.stride + memory.words * MemoryLayout<SlotBits>.stride }

    /// Whether a slot is armed.
    func isArmed(_ slot: UInt32) -> Bool {
        slot < memory.slots && memory.bits[Int(slot >> 6)].armed & Self.bit(slot) != 0
    }

    /// Whether a slot was armed since the timeline last had no stale entry.
    @inline(__always)
    func isArmedAnew(_ slot: UInt32) -> Bool {
        slot < memory.slots && memory.bits[Int(slot >> 6)].anew & Self.bit(slot) != 0
    }

    /// Whether an entry belongs to the last arming of its slot, and the slot is still armed.
    @inline(__always)
    func isCurrent(_ entry: TimelineEntry) -> Bool {
        let bits = memory.bits[Int(entry.slot >> 6)]
        let armed = bits.armed & Self.bit(entry.slot)
        // Computed without a branch: the result is unpredictable, and a mispredicted branch would cost more than the
        // look-up. `later` has all bits set if the entry is newer than ``settled``.
        let later = 0 &- UInt64(bitPattern: Int64(settled) - Int64(entry.arming)) >> 63
        if armed & bits.often & later != 0 { return memory.numbers[Int(entry.slot)] == entry.arming }
        return armed & (later | ~bits.anew) != 0
    }

    /// A number that makes an entry of an armed slot current. Where the numbers table has none, it follows from the
    /// bits.
    func number(of slot: UInt32) -> UInt32 {
        let bits = memory.bits[Int(slot >> 6)]
        guard bits.often & Self.bit(slot) == 0 else { return memory.numbers[Int(slot)] }
        return bits.anew & Self.bit(slot) == 0 ? settled : last
    }

    /// Arms a slot, whether or not it is armed, and returns the number of this arming. Returns 0, which no entry may
    /// have, when the numbers overflow (``beginAnew()``).
    @inline(__always)
    mutating func arm(_ slot: UInt32) -> UInt32 {
        // Grows by many slots at once, since slots usually come in sequence.
        if Int(slot) >= memory.slots { reserve(max(Int(slot) + 1, memory.slots + memory.slots / 2)) }
        let bits = memory.bits + Int(slot >> 6)
        let bit = Self.bit(slot)
        if bits.pointee.armed & bit == 0 {
            count += 1
            bits.pointee.armed |= bit
        }
        last &+= 1
        if bits.pointee.anew & bit == 0 {
            bits.pointee.anew |= bit
        } else {
            bits.pointee.often |= bit
            memory.numbers[Int(slot)] = last
        }
        return last
    }

    /// Disarms a slot that is armed.
    mutating func disarm(_ slot: UInt32) {
        memory.bits[Int(slot >> 6)].armed &= ~Self.bit(slot)
        count -= 1
    }

    /// Records that no entry is stale. Skipped if clearing the bits would take longer than the armings since the last
    /// time.
    mutating func settle() {
        if last &- settled >= memory.words { forgetArmings() }
    }

    private mutating func forgetArmings() {
        settled = last
        for word in 0..<memory.words { (memory.bits[word].anew, memory.bits[word].often) = (0, 0) }
    }

    /// Restarts the numbering, and returns the number that all remaining entries must have from now on.
    mutating func beginAnew() -> UInt32 {
        last = 1
        forgetArmings()
        return last
    }

    /// Makes room for `slots` slots.
    mutating func reserve(_ slots: Int) {
        if slots > memory.slots { memory = Memory(memory, slots: slots) }
    }

    /// Copies the memory. The owner must call this before it changes a copy of this value, and tracks when that is
    /// needed.
    mutating func detach() { memory = Memory(memory, slots: memory.slots) }

    @inline(__always)
    private static func bit(_ slot: UInt32) -> UInt64 { 1 << UInt64(slot & 63) }
}

extension SlotArmings {
    /// The state of 64 slots.
    private struct SlotBits {
        /// The armed slots.
        var armed: UInt64 = 0
        /// The slots armed since the timeline last had no stale entry; their older entries are stale.
        var anew: UInt64 = 0
        /// The slots armed more than once since then; their number identifies the current entry.
        var often: UInt64 = 0
    }

    /// Both tables, as unmanaged memory. `@unchecked Sendable`: only the one value that owns it writes.
    private final class Memory: @unchecked Sendable {
        /// The capacity in slots.
        let slots: Int
        /// The number of the last arming of each slot that was armed more than once.
        let numbers: UnsafeMutablePointer<UInt32>
        /// The bits of each slot.
        let bits: UnsafeMutablePointer<SlotBits>

        var words: Int { (slots + 63) >> 6 }

        init(slots: Int) {
            self.slots = slots
            numbers = .allocate(capacity: slots)
            numbers.initialize(repeating: 0, count: slots)
            bits = .allocate(capacity: (slots + 63) >> 6)
            bits.initialize(repeating: SlotBits(), count: (slots + 63) >> 6)
        }

        /// A copy with room for at least as many slots.
        convenience init(_ other: Memory, slots: Int) {
            self.init(slots: slots)
            numbers.update(from: other.numbers, count: other.slots)
            bits.update(from: other.bits, count: other.words)
        }

        deinit {
            numbers.deallocate()
            bits.deallocate()
        }
    }
}
