/// A hierarchical timing wheel (Varghese and Lauck, 1987) without ticks: entries from a base instant on, in buckets.
///
/// A key has eight digits of eight bits. The highest digit that differs from the base selects the level of an entry,
/// and the value of that digit its bucket. So all entries of a bucket are due before those of the next bucket, and
/// above the lowest level the bucket of the base is empty. Moving the base into a bucket spreads its entries over the
/// levels below. Each entry moves down seven times at most, and memory is read sequentially.
struct TimelineWheel: Sendable {
    /// The base; no entry is due before it.
    private(set) var base: UInt64 = 0
    /// The number of entries.
    private(set) var count = 0

    private var memory = TimelineMemory()
    /// A bit for each non-empty bucket, and a bit for each word that has one.
    private var occupied = InlineArray<32, UInt64>(repeating: 0)
    private var occupiedWords: UInt32 = 0

    /// The size of the memory in bytes.
    var bytes: Int { memory.bytes }

    /// Whether the next entry may allocate memory.
    var isFull: Bool { memory.isFull }

    /// Adds an entry that is due at or after the base.
    @inline(__always)
    mutating func insert(_ entry: TimelineEntry) {
        count += 1
        place(entry)
    }

    /// The bucket whose entries are due first; nil if the wheel is empty.
    var lowest: Int? {
        guard occupiedWords != 0 else { return nil }
        let word = occupiedWords.trailingZeroBitCount
        return word << 6 | occupied[word].trailingZeroBitCount
    }

    /// Whether sorting a bucket is cheaper than spreading it: it has few entries, or they share one key.
    func isSimple(_ index: Int) -> Bool { Self.isOfOneKey(index) || !memory.isLong(index) }

    /// Whether all possible entries of the bucket have the same key.
    static func isOfOneKey(_ index: Int) -> Bool { index < 1 << 8 }

    /// The least key that the bucket can hold.
    func lowerBound(of index: Int) -> UInt64 {
        let shift = UInt64(index >> 8) << 3
        return (base >> shift & ~0xff | UInt64(index & 0xff)) << shift
    }

    /// Empties a bucket, calling `body` with each entry.
    mutating func empty(_ index: Int, _ body: (TimelineEntry) -> Void) {
        unmark(index)
        count -= memory.empty(index, body)
    }

    /// Moves the base into the lowest bucket and spreads that bucket. None of its entries may be due before the new
    /// base.
    mutating func descend(into index: Int, base: UInt64) {
        self.base = base
        spread(index)
    }

    /// Moves the base into the lowest bucket, which must be empty, or anywhere if the wheel is empty.
    mutating func move(to base: UInt64) { self.base = base }

    /// Moves the base back, after the clock was set back.
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

    /// Drops all entries and frees their memory.
    mutating func removeAll() {
        let base = base
        self = Self()
        self.base = base
    }

    /// Copies the memory. The owner must call this before it changes a copy of this wheel, and tracks when that is
    /// needed.
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
