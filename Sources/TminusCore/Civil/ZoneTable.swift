/// The changes of a zone's offset from UTC over all instants that a ``Timestamp`` can hold, in flat arrays.
struct ZoneTable: Sendable, Hashable {
    /// When the offset changes, in seconds since the epoch, ascending.
    private(set) var changes: ContiguousArray<Int64> = []
    /// Seconds east of UTC: the first before all changes, the others from a change on.
    private(set) var offsets: ContiguousArray<Int32>
    /// The smallest of the offsets.
    private(set) var smallest: Int32
    /// The largest of the offsets.
    private(set) var largest: Int32

    /// The number of changes before each span of 2^25 s (about a year) since the horizon's beginning, so that a search has
    /// only a few to look at; empty where there are few anyway.
    private var starts: ContiguousArray<Int32> = []
    private static let bucketShift: Int64 = 25
    private static let bucketCount = Int((horizon.upperBound - horizon.lowerBound) >> bucketShift) + 1

    /// The offsets that a zone may have: more than a day either way is no zone (RFC 9636 section 3.2).
    static let validOffsets = -89_999...93_599
    /// The seconds that a `Timestamp` can hold, and some days.
    static let horizon = (Int64.min / 1_000_000_000 - 1_000_000)...(Int64.max / 1_000_000_000 + 1_000_000)
    /// The years of the horizon.
    static let years = 1677...2262

    /// A zone with one offset.
    init(offset: Int32) {
        offsets = [offset]
        smallest = offset
        largest = offset
    }

    /// Adds a change later than all others. One that changes nothing, or that lies outside the horizon, is not kept.
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

    /// Builds what makes ``index(at:)`` quick; called when all changes are in.
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

    /// How many changes are at or before the instant: the index of its offset.
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
