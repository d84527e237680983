/// The state of a file whose change is not stable.
struct FileActivity {
    /// A moment of elapsed time.
    typealias Instant = ContinuousClock.Instant

    /// The last write since the file was opened; nil if no writer is known.
    var writtenAt: Instant?
    /// Whether an event reported that it is complete.
    var isComplete = false
    /// When an event reported that it is gone; matters only if a scan misses it, because temporary files go too.
    var vanishedAt: Instant?
    /// Since when scans find it missing, empty or not a file.
    var lostAt: Instant?
    /// A stamp that no event explains, and since when it is unchanged.
    var candidate: (stamp: FileStamp, since: Instant)?
    /// The earliest time to read it.
    var notBefore: Instant?
    /// Whether a batch ended without it; it delays no other batch.
    var isLeftBehind = false

    /// When it counts as stable if nothing more happens; nil: now.
    func release(by policy: DebouncePolicy) -> Instant? {
        let waits = [
            writtenAt.map { $0 + policy.gateLimit },
            lostAt.map { $0 + policy.deleteGrace },
            candidate.map { $0.since + (isLeftBehind ? policy.gateLimit : policy.stable) },
            notBefore,
        ]
        return waits.compactMap(\.self).max()
    }

    /// Whether there is no change to wait for.
    func isStable(by policy: DebouncePolicy, now: Instant) -> Bool {
        release(by: policy).map { $0 <= now } ?? true
    }
}
