/// The memory of a timing wheel: each bucket is a list of chunks, and a chunk holds 31 entries and a link.
///
/// The memory is allocated in slabs. Growing copies no entries and wastes less than a slab, so arming costs little more
/// than writing an entry. `@unchecked Sendable`: one ``TimelineWheel`` owns it, and only writes while it is not shared.
final class TimelineMemory: @unchecked Sendable {
    /// For each bucket, the index of its next free entry. The entries of a chunk have the indices 1 to 31 after a
    /// multiple of 32. So 0 means an empty bucket, and any other multiple of 32 a bucket whose newest chunk is full.
    private let buckets: UnsafeMutablePointer<UInt32>
    /// Behind a pointer, because stored properties of a class are subject to run-time exclusivity checks on each
    /// access.
    private let state: UnsafeMutablePointer<State>

    private struct State {
        var slabs: UnsafeMutablePointer<UnsafeMutablePointer<TimelineEntry>>
        var slabCount = 0
        var slabCapacity = 0
        /// The first index that was never used.
        var used: UInt32 = 0
        /// The first chunk of the free list; 1 if the list is empty.
        var unused: UInt32 = 1
    }

    /// Eight levels with 256 buckets each.
    static let bucketCount = 8 << 8
    /// The usual size of a cache line in bytes.
    private static let lineSize = 64
    private static let entriesOfLine = lineSize / MemoryLayout<TimelineEntry>.stride
    /// The number of entries and links per slab: 64 KiB.
    private static let slabSize = 1 << 12

    /// Creates an empty memory.
    init() {
        buckets = .allocate(capacity: Self.bucketCount)
        buckets.initialize(repeating: 0, count: Self.bucketCount)
        state = .allocate(capacity: 1)
        state.initialize(to: State(slabs: .allocate(capacity: 0)))
    }

    /// Creates a copy.
    convenience init(_ other: TimelineMemory) {
        self.init()
        buckets.update(from: other.buckets, count: Self.bucketCount)
        for index in 0..<other.state.pointee.slabCount {
            addSlab()
            state.pointee.slabs[index].update(from: other.state.pointee.slabs[index], count: Self.slabSize)
        }
        state.pointee.used = other.state.pointee.used
        state.pointee.unused = other.state.pointee.unused
    }

    deinit {
        for index in 0..<state.pointee.slabCount { state.pointee.slabs[index].deallocate() }
        state.pointee.slabs.deallocate()
        state.deallocate()
        buckets.deallocate()
    }

    /// The total size in bytes.
    var bytes: Int {
        Self.bucketCount * MemoryLayout<UInt32>.stride + state.pointee.slabCount * Self.slabSize
            * MemoryLayout<TimelineEntry>.stride
    }

    /// Whether the next chunk needs a new slab.
    var isFull: Bool {
        state.pointee.unused == 1 && Int(state.pointee.used) == state.pointee.slabCount * Self.slabSize
    }

    /// Whether a bucket has no entries.
    func isEmpty(_ bucket: Int) -> Bool { buckets[bucket] == 0 }

    /// Whether a bucket has more than one chunk.
    func isLong(_ bucket: Int) -> Bool {
        let end = buckets[bucket]
        return end != 0 && link(of: end).pointee.key != 0
    }

    /// Adds an entry to a bucket; returns true if the bucket was empty.
    @inline(__always)
    func append(_ entry: TimelineEntry, to bucket: Int) -> Bool {
        let former = buckets[bucket]
        let index = former & 31 == 0 ? makeChunk(after: former) : former
        pointer(index).pointee = entry
        buckets[bucket] = index + 1
        return former == 0
    }

    /// Calls `body` with each entry of a bucket.
    @inline(__always)
    func forEach(in bucket: Int, _ body: (TimelineEntry) -> Void) {
        var end = buckets[bucket]
        while end != 0 {
            let link = link(of: end)
            for offset in 1...Int((end - 1) & 31) { body(link[offset]) }
            end = UInt32(link.pointee.key)
        }
    }

    /// Empties a bucket and calls `body` with each entry, which `body` may append again. Returns the number of entries.
    ///
    /// Each chunk is freed before its entries are read. What `body` appends reuses that chunk, always behind the
    /// reading position, so no other memory is needed.
    @inline(__always)
    func empty(_ bucket: Int, _ body: (TimelineEntry) -> Void) -> Int {
        var end = buckets[bucket]
        buckets[bucket] = 0
        var count = 0
        while end != 0 {
            let link = link(of: end)
            let filled = Int((end - 1) & 31)
            let next = UInt32(link.pointee.key)
            free(end)
            for offset in 1...filled { body(link[offset]) }
            count += filled
            end = next
        }
        return count
    }

    /// Keeps the entries of a bucket that `isIncluded` confirms. Returns the number of removed entries.
    ///
    /// Each entry is written first and overwritten if it is not kept. The result is unpredictable, so a branch on it
    /// would cost more than the rest.
    @inline(__always)
    func filter(_ bucket: Int, _ isIncluded: (TimelineEntry) -> Bool) -> Int {
        var index: UInt32 = 0
        var removed = 0
        _ = empty(bucket) { entry in
            if index & 31 == 0 { index = makeChunk(after: index) }
            pointer(index).pointee = entry
            let included = isIncluded(entry)
            index += included ? 1 : 0
            removed += included ? 0 : 1
        }
        if index & 31 == 1 {
            let former = UInt32(link(of: index).pointee.key)
            free(index)
            index = former
        }
        buckets[bucket] = index
        return removed
    }

    private func pointer(_ index: UInt32) -> UnsafeMutablePointer<TimelineEntry> {
        state.pointee.slabs[Int(index >> 12)] + Int(index & 4_095)
    }

    /// The link of the chunk with the index before `end`. Its key is the end of the next chunk in the list, or 0.
    private func link(of end: UInt32) -> UnsafeMutablePointer<TimelineEntry> { pointer((end - 1) & ~31) }

    private func free(_ end: UInt32) {
        let chunk = (end - 1) & ~31
        pointer(chunk).pointee.key = UInt64(state.pointee.unused)
        state.pointee.unused = chunk
    }

    /// Adds a chunk before `end`, the end of a full chunk, or 0. Returns the index of its first entry.
    private func makeChunk(after end: UInt32) -> UInt32 {
        let chunk: UInt32
        if state.pointee.unused != 1 {
            chunk = state.pointee.unused
            state.pointee.unused = UInt32(pointer(chunk).pointee.key)
        } else {
            if isFull { addSlab() }
            chunk = state.pointee.used
            state.pointee.used += 32
            // Touches each cache line once. The processor then fetches all lines in parallel; otherwise later writes
            // would wait for one line after the other, which takes half of the time of arming. Not done for a reused
            // chunk, which may still be read.
            let entries = pointer(chunk)
            for entry in stride(from: 0, to: 32, by: Self.entriesOfLine) { entries[entry].key = 0 }
        }
        pointer(chunk).pointee.key = UInt64(end)
        return chunk + 1
    }

    private func addSlab() {
        let count = state.pointee.slabCount
        if count == state.pointee.slabCapacity {
            let capacity = max(4, 2 * count)
            let slabs = UnsafeMutablePointer<UnsafeMutablePointer<TimelineEntry>>.allocate(capacity: capacity)
            slabs.moveInitialize(from: state.pointee.slabs, count: count)
            state.pointee.slabs.deallocate()
            state.pointee.slabs = slabs
            state.pointee.slabCapacity = capacity
        }
        let slab = UnsafeMutableRawPointer.allocate(
            byteCount: Self.slabSize * MemoryLayout<TimelineEntry>.stride, alignment: Self.lineSize
        ).bindMemory(to: TimelineEntry.self, capacity: Self.slabSize)
        (state.pointee.slabs + count).initialize(to: slab)
        state.pointee.slabCount = count + 1
    }
}
