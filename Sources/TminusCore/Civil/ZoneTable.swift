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

    /// How many changes are at or before the instant: the index of its offset.
    func index(at seconds: Int64) -> Int {
        var low = 0
        var count = changes.count
        return changes.withUnsafeBufferPointer { changes in
            // Halves the range without a branch that the processor could guess wrong.
            while count > 0 {
                let half = (count + 1) / 2
                low = changes[low + half - 1] <= seconds ? low + half : low
                count -= half
            }
            return low
        }
    }
}
