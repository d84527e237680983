/// A change of a zone's offset.
struct OffsetChange: Sendable, Hashable {
    /// When, in seconds since the epoch.
    var instant: Int
    /// Seconds east of UTC until then.
    var before: Int
    /// Seconds east of UTC from then on.
    var after: Int

    /// What the clock skips, on the even clock; empty if it is set back.
    var skipped: Range<Int> { instant + before..<max(instant + before, instant + after) }

    /// What the clock skips or, if it is set back, shows twice.
    var clocks: Range<LocalDateTime> {
        let (low, high) = (min(before, after), max(before, after))
        return LocalDateTime(
            epochSeconds: instant + low, nanosecond: 0)..<LocalDateTime(
                epochSeconds: instant + high, nanosecond: 0)
    }
}

extension Zone {
    /// The last change of the offset at or before an instant.
    func lastChange(at instant: Timestamp) -> OffsetChange? {
        change(before: table.index(at: Int64(instant.parts.seconds)))
    }

    /// The first change of the offset after an instant.
    func nextChange(after instant: Timestamp) -> OffsetChange? {
        change(before: table.index(at: Int64(instant.parts.seconds)) + 1)
    }

    /// The change with which the offset of that index begins.
    private func change(before index: Int) -> OffsetChange? {
        guard index > 0, index <= table.changes.count else { return nil }
        return OffsetChange(
            instant: Int(table.changes[index - 1]), before: Int(table.offsets[index - 1]),
            after: Int(table.offsets[index]))
    }
}
