/// One arming of a slot: 16 bytes, no references.
struct TimelineEntry: Sendable, Comparable {
    /// The due instant in an order that is unsigned: the earliest ``Timestamp`` is 0.
    var key: UInt64
    /// What is armed.
    var slot: UInt32
    /// Which arming this is; another one of the slot makes it outdated.
    var arming: UInt32

    /// The due instant.
    var due: Timestamp { Timestamp(nanoseconds: Int64(bitPattern: key ^ 1 << 63)) }

    /// The key of an instant.
    static func key(_ due: Timestamp) -> UInt64 { UInt64(bitPattern: due.nanoseconds) ^ 1 << 63 }

    static func < (left: Self, right: Self) -> Bool {
        left.key == right.key ? left.slot < right.slot : left.key < right.key
    }
}
