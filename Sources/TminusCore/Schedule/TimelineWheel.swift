/// Entries from an instant on, the base, in buckets: a hierarchical timing wheel (Varghese and Lauck, 1987) that does not tick.
///
/// A key has eight digits of eight bits. An entry is in the bucket of its highest digit that is not the base's, and of that
/// digit: so everything in a bucket is due before everything in the next one, and the base's own bucket of a level is empty but
/// for the lowest. Moving the base into a bucket spreads it over the levels below; each entry goes down seven times at the most,
/// and bucket by bucket through memory that is read in order.
struct TimelineWheel: Sendable {
    /// No entry is due before it.
    private(set) var base: UInt64 = 0
    /// How many entries there are.
    private(set) var count = 0

    private var memory = TimelineMemory()
    /// A bit for each bucket that is not empty, and one for each word of those bits.
    private var occupied = InlineArray<32, UInt64>(repeating: 0)
    private var occupiedWords: UInt32 = 0

    /// The bytes of its memory.
    var bytes: Int { memory.bytes }

    /// Whether one more entry may take more memory.
    var isFull: Bool { memory.isFull }

    /// Adds an entry that is not due before the base.
    @inline(__always)
    mutating func insert(_ entry: TimelineEntry) {
        count += 1
        place(entry)
    }

    /// The bucket of which everything is due before what is in the others; nil if there is nothing.
    var lowest: Int? {
        guard occupiedWords != 0 else { return nil }
        let word = occupiedWords.trailingZeroBitCount
        return word << 6 | occupied[word].trailingZeroBitCount
    }

    /// Whether a bucket is better sorted than spread: it has few entries, or all have one and the same key.
    func isSimple(_ index: Int) -> Bool { Self.isOfOneKey(index) || !memory.isLong(index) }

    /// Whether everything in the bucket has one and the same key, whatever there is.
    static func isOfOneKey(_ index: Int) -> Bool { index < 1 << 8 }

    /// The least key that the bucket could hold.
    func lowerBound(of index: Int) -> UInt64 {
        let shift = UInt64(index >> 8) << 3
        return (base >> shift & ~0xff | UInt64(index & 0xff)) << shift
    }

    /// Empties a bucket, calling `body` with each entry.
    mutating func empty(_ index: Int, _ body: (TimelineEntry) -> Void) {
        unmark(index)
        count -= memory.empty(index, body)
    }

    /// Moves the base into the lowest bucket, where no entry may be due before it, and spreads that bucket.
    mutating func descend(into index: Int, base: UInt64) {
        self.base = base
        spread(index)
    }

    /// Moves the base; into the lowest bucket, which is empty then, or anywhere if all are.
    mutating func move(to base: UInt64) { self.base = base }

    /// Moves the base back.
    mutating func rewind(to base: UInt64) {
        let level = Self.level(of: self.base ^ base)
        self.base = base
        for index in 0..<level << 8 where !memory.isEmpty(index) { spread(index) }
    }

    /// Keeps the entries of a bucket that `isIncluded` confirms.
    mutating func filter(_ index: Int, _ isIncluded: (TimelineEntry) -> Bool) {
        count -= memory.filter(index, isIncluded)
        if memory.isEmpty(index) { unmark(index) }
    }

    /// Keeps the entries that `isIncluded` confirms.
    mutating func filter(_ isIncluded: (TimelineEntry) -> Bool) {
        for index in 0..<TimelineMemory.bucketCount where !memory.isEmpty(index) { filter(index, isIncluded) }
    }

    /// Drops all entries and their memory.
    mutating func removeAll() {
        let base = base
        self = Self()
        self.base = base
    }

    /// Makes the memory this wheel's own. Needed before a copy of a wheel is changed: who has it knows when that is.
    mutating func detach() { memory = TimelineMemory(memory) }

    private mutating func spread(_ index: Int) {
        unmark(index)
        _ = memory.empty(index) { entry in place(entry) }
    }

    @inline(__always)
    private mutating func place(_ entry: TimelineEntry) {
        let level = Self.level(of: entry.key ^ base)
        let index = level << 8 | Int(entry.key >> UInt64(level << 3) & 0xff)
        guard memory.append(entry, to: index) else { return }
        occupied[index >> 6] |= 1 << UInt64(index & 63)
        occupiedWords |= 1 << UInt32(index >> 6)
    }

    private static func level(of difference: UInt64) -> Int { (63 - (difference | 1).leadingZeroBitCount) >> 3 }

    private mutating func unmark(_ index: Int) {
        occupied[index >> 6] &= ~(1 << UInt64(index & 63))
        if occupied[index >> 6] == 0 { occupiedWords &= ~(1 << UInt32(index >> 6)) }
    }
}
