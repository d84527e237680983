/// The offset changes of a zone for every instant that a ``Timestamp`` can hold, in flat arrays.
struct ZoneTable: Sendable, Hashable {
    /// The instants of the changes, in seconds since the epoch, ascending.
    private(set) var changes: ContiguousArray<Int64> = []
    /// Seconds east of UTC: first the offset before all changes, then one offset per change.
    private(set) var offsets: ContiguousArray<Int32>
    /// The smallest of the offsets.
    private(set) var smallest: Int32
    /// The largest of the offsets.
    private(set) var largest: Int32

    /// A search index: the number of changes before each span of 2^25 s (about a year) since the start of the horizon.
    /// Empty if there are few changes.
    private var starts: ContiguousArray<Int32> = []
    private static let bucketShift: Int64 = 25
    private static let bucketCount = Int((horizon.upperBound - horizon.lowerBound) >> bucketShift) + 1

    /// The valid offsets; more than about a day either way is rejected (RFC 9636 section 3.2).
    static let validOffsets = -89_999...93_599
    /// The seconds that a `Timestamp` can hold, plus some days on both sides.
    static let horizon = (Int64.min / 1_000_000_000 - 1_000_000)...(Int64.max / 1_000_000_000 + 1_000_000)
    /// The years of the horizon.
    static let years = 1677...2262

    /// A zone with one offset.
    init(offset: Int32) {
        offsets = [offset]
        smallest = offset
        largest = offset
    }

    /// Adds a change that is later than all others. A change without effect or outside the horizon is dropped.
    mutating func append(_ instant: Int64, offset: Int32) {
        guard instant <= Self.horizon.upperBound else { return }
        if instant < Self.horizon.lowerBound {
            self = ZoneTable(offset: offset)
            return
        }
        guard offset != offsets.last else { return }
        changes.append(instant)
        offsets.append(offset)
        smallest = min(smallest, offset)
        largest = max(largest, offset)
    }

    /// Builds the search index of ``index(at:)``; called after the last change.
    mutating func seal() {
        guard changes.count > 4 else { return }
        var index = 0
        starts.reserveCapacity(Self.bucketCount + 1)
        for bucket in 0...Self.bucketCount {
            let begin = Self.horizon.lowerBound + Int64(bucket) << Self.bucketShift
            while index < changes.count, changes[index] < begin { index += 1 }
            starts.append(Int32(index))
        }
    }

    /// The number of changes at or before the instant, which is the index of its offset.
    func index(at seconds: Int64) -> Int {
        var low = 0
        var high = changes.count
        if !starts.isEmpty {
            let bucket = Int((seconds.clamped(to: Self.horizon) - Self.horizon.lowerBound) >> Self.bucketShift)
            low = Int(starts[bucket])
            high = Int(starts[bucket + 1])
        }
        while low < high {
            let middle = (low + high) / 2
            if changes[middle] <= seconds { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
