/// The memory of a wheel: buckets, each a list of chunks of 31 entries and a link.
///
/// Plain memory in slabs: growing copies nothing and leaves less than a slab unused, so that arming is not much more than
/// writing an entry. One ``TimelineWheel`` owns it; only that one writes, and never while another has it too.
final class TimelineMemory: @unchecked Sendable {
    /// A bucket is the index at which its next entry is written. The entries of a chunk are at the indices from 1 to 31 after
    /// a multiple of 32, so 0 is an empty bucket, and another multiple of 32 one whose newest chunk is full.
    private let buckets: UnsafeMutablePointer<UInt32>
    /// Not stored properties of the class: each access to one would be checked while running.
    private let state: UnsafeMutablePointer<State>

    private struct State {
        var slabs: UnsafeMutablePointer<UnsafeMutablePointer<TimelineEntry>>
        var slabCount = 0
        var slabCapacity = 0
        /// The first index that was never used.
        var used: UInt32 = 0
        /// The first of the chunks that were given back; 1 if there is none.
        var unused: UInt32 = 1
    }

    /// Eight levels of 256.
    static let bucketCount = 8 << 8
    /// The usual size of a cache line.
    private static let lineSize = 64
    private static let entriesOfLine = lineSize / MemoryLayout<TimelineEntry>.stride
    /// How many entries and links a slab has: 64 KiB.
    private static let slabSize = 1 << 12

    /// No entries.
    init() {
        buckets = .allocate(capacity: Self.bucketCount)
        buckets.initialize(repeating: 0, count: Self.bucketCount)
        state = .allocate(capacity: 1)
        state.initialize(to: State(slabs: .allocate(capacity: 0)))
    }

    /// The same content in other memory.
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

    /// The bytes of all of it.
    var bytes: Int {
        Self.bucketCount * MemoryLayout<UInt32>.stride + state.pointee.slabCount * Self.slabSize
            * MemoryLayout<TimelineEntry>.stride
    }

    /// Whether the next chunk would have to be asked for.
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

    /// Adds an entry to a bucket; true if the bucket was empty.
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

    /// Empties a bucket, calling `body` with each entry, which it may append again; gives the number of entries.
    ///
    /// A chunk is given back before its entries are read: what `body` appends is written there, never ahead of what was read, and
    /// takes no other memory.
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

    /// Keeps the entries of a bucket that `isIncluded` confirms; gives the number of the others.
    ///
    /// Each entry is written and then perhaps written over: which are confirmed is as good as random, and a branch on it would
    /// cost more than the rest.
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

    /// The link of the chunk that ends at or after that index: its key is where the list's next chunk ends, 0 if there is none.
    private func link(of end: UInt32) -> UnsafeMutablePointer<TimelineEntry> { pointer((end - 1) & ~31) }

    private func free(_ end: UInt32) {
        let chunk = (end - 1) & ~31
        pointer(chunk).pointee.key = UInt64(state.pointee.unused)
        state.pointee.unused = chunk
    }

    /// A chunk in front of one that is full, or of none; gives the index of its first entry.
    private func makeChunk(after end: UInt32) -> UInt32 {
        let chunk: UInt32
        if state.pointee.unused != 1 {
            chunk = state.pointee.unused
            state.pointee.unused = UInt32(pointer(chunk).pointee.key)
        } else {
            if isFull { addSlab() }
            chunk = state.pointee.used
            state.pointee.used += 32
            // Once in each cache line: the processor fetches all of them at once, where the entries to come would wait for one after
            // the other. That is half of what arming costs. Not in a chunk that was given back: it may still be read.
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
