/// One arming of a slot: 16 bytes without references, so copies need no reference counting.
struct TimelineEntry: Sendable, Comparable {
    /// The due instant as an unsigned integer that keeps the order: the earliest ``Timestamp`` is 0.
    var key: UInt64
    /// The armed slot.
    var slot: UInt32
    /// The number of this arming; a later arming of the slot makes this entry stale.
    var arming: UInt32

    /// The due instant.
    var due: Timestamp { Timestamp(nanoseconds: Int64(bitPattern: key ^ 1 << 63)) }

    /// The key of a due instant.
    static func key(_ due: Timestamp) -> UInt64 { UInt64(bitPattern: due.nanoseconds) ^ 1 << 63 }

    static func < (left: Self, right: Self) -> Bool {
        left.key == right.key ? left.slot < right.slot : left.key < right.key
    }
}
