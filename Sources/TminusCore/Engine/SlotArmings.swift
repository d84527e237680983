/// Which slots are armed, and by which of their entries.
///
/// Two tables, because a look-up is a cache miss where there are millions: three bits a slot tell most outdated entries, and a number
/// a slot the others, of slots that were armed more than once since nothing was outdated. Where that is none, the numbers, most of the
/// memory, are not touched: among 10 million that saves a third of what arming again costs.
struct SlotArmings: Sendable {
    private var memory = Memory(slots: 0)
    /// The number of the last arming.
    private var last: UInt32
    /// The number of the last arming when there was no outdated entry (``settle()``).
    private var settled: UInt32

    /// How many slots are armed.
    private(set) var count = 0

    /// With nothing armed, as if so many armings had been.
    init(after last: UInt32 = 0) { (self.last, settled) = (last, last) }

    /// The bytes of both tables.
    var bytes: Int { memory.slots * MemoryLayout<UInt32>.stride + memory.words * MemoryLayout<BitSet64>.stride }

    /// Whether a slot is armed.
    func isArmed(_ slot: UInt32) -> Bool {
        slot < memory.slots && memory.bits[Int(slot >> 6)].armed & Self.bit(slot) != 0
    }

    /// Whether a slot was armed since nothing was outdated.
    @inline(__always)
    func isArmedAnew(_ slot: UInt32) -> Bool {
        slot < memory.slots && memory.bits[Int(slot >> 6)].anew & Self.bit(slot) != 0
    }

    /// Whether an entry is that of the last arming of its slot, and not disarmed since.
    @inline(__always)
    func isCurrent(_ entry: TimelineEntry) -> Bool {
        let bits = memory.bits[Int(entry.slot >> 6)]
        let armed = bits.armed & Self.bit(entry.slot)
        // Which entries are current is as good as random, and a branch would cost more than the look-up; so this is computed: all bits
        // if the entry is from after nothing was outdated.
        let later = 0 &- UInt64(bitPattern: Int64(settled) - Int64(entry.arming)) >> 63
        if armed & bits.often & later != 0 { return memory.numbers[Int(entry.slot)] == entry.arming }
        return armed & (later | ~bits.anew) != 0
    }

    /// A number with which an entry of an armed slot is current: the order of the numbers tells what their table does not.
    func number(of slot: UInt32) -> UInt32 {
        let bits = memory.bits[Int(slot >> 6)]
        guard bits.often & Self.bit(slot) == 0 else { return memory.numbers[Int(slot)] }
        return bits.anew & Self.bit(slot) == 0 ? settled : last
    }

    /// Arms a slot that is armed or not, and gives the number of this arming: 0, which no entry may have, once the numbers are used up
    /// (``beginAnew()``).
    @inline(__always)
    mutating func arm(_ slot: UInt32) -> UInt32 {
        // Many slots at once, as they come one after the other.
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

    /// Takes note that no entry is outdated; not where that would take longer than all armings since the last time.
    mutating func settle() {
        if last &- settled >= memory.words { forgetArmings() }
    }

    private mutating func forgetArmings() {
        settled = last
        for word in 0..<memory.words { (memory.bits[word].anew, memory.bits[word].often) = (0, 0) }
    }

    /// Begins the numbers anew, behind the one that all entries that are left have from now on, which it gives.
    mutating func beginAnew() -> UInt32 {
        last = 1
        forgetArmings()
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
    /// What is known of 64 slots.
    private struct BitSet64 {
        /// Which are armed.
        var armed: UInt64 = 0
        /// Which were armed since nothing was outdated: entries from before are.
        var anew: UInt64 = 0
        /// Which were armed more than once since: their number tells which of the entries since is the last.
        var often: UInt64 = 0
    }

    /// Both tables, as plain memory. Only the one value that owns it writes.
    private final class Memory: @unchecked Sendable {
        /// For how many slots there is room.
        let slots: Int
        /// The number of the last arming of each slot that was armed often.
        let numbers: UnsafeMutablePointer<UInt32>
        /// The bits of each slot.
        let bits: UnsafeMutablePointer<BitSet64>

        var words: Int { (slots + 63) >> 6 }

        init(slots: Int) {
            self.slots = slots
            numbers = .allocate(capacity: slots)
            numbers.initialize(repeating: 0, count: slots)
            bits = .allocate(capacity: (slots + 63) >> 6)
            bits.initialize(repeating: BitSet64(), count: (slots + 63) >> 6)
        }

        /// The same content in other memory, for at least as many slots.
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
