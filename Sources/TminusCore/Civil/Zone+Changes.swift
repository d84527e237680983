/// A change of a zone's offset.
struct OffsetChange: Sendable, Hashable {
    /// The instant of the change, in seconds since the epoch.
    var instant: Int
    /// Seconds east of UTC before the change.
    var before: Int
    /// Seconds east of UTC after the change.
    var after: Int

    /// The local times that the clock skips, in seconds on a uniform clock; empty if it is set back.
    var skipped: Range<Int> { instant + before..<max(instant + before, instant + after) }

    /// The local times that the clock skips or, if it is set back, shows twice.
    var clocks: Range<LocalDateTime> {
        let (low, high) = (min(before, after), max(before, after))
        return LocalDateTime(
            epochSeconds: instant + low, nanosecond: 0)..<LocalDateTime(
                epochSeconds: instant + high, nanosecond: 0)
    }
}

extension Zone {
    /// The last offset change at or before an instant.
    func lastChange(at instant: Timestamp) -> OffsetChange? {
        change(before: table.index(at: Int64(instant.parts.seconds)))
    }

    /// The first offset change after an instant.
    func nextChange(after instant: Timestamp) -> OffsetChange? {
        change(before: table.index(at: Int64(instant.parts.seconds)) + 1)
    }

    /// The change that starts the offset with this index.
    private func change(before index: Int) -> OffsetChange? {
        guard index > 0, index <= table.changes.count else { return nil }
        return OffsetChange(
            instant: Int(table.changes[index - 1]), before: Int(table.offsets[index - 1]),
            after: Int(table.offsets[index]))
    }
}
