/// What is known about one file that has not settled.
struct FileActivity {
    /// A moment of elapsed time.
    typealias Instant = ContinuousClock.Instant

    /// The last write since it was opened; nil if no writer is known to have it open.
    var writtenAt: Instant?
    /// An event said that it is complete.
    var isComplete = false
    /// When an event said that it is gone. That matters only if a scan finds something missing: temporary files go too.
    var vanishedAt: Instant?
    /// Since when it is gone, empty or no longer a file, as a scan found.
    var lostAt: Instant?
    /// A stamp without an event behind it, and since when it is the same.
    var candidate: (stamp: FileStamp, since: Instant)?
    /// Not to be read before.
    var notBefore: Instant?
    /// Left behind by a batch that did not wait longer; it holds up no other one.
    var isLeftBehind = false

    /// When it counts as settled if nothing more happens; nil: now.
    func release(by policy: SettlePolicy) -> Instant? {
        let waits = [
            writtenAt.map { $0 + policy.gateLimit },
            lostAt.map { $0 + policy.deleteGrace },
            candidate.map { $0.since + (isLeftBehind ? policy.gateLimit : policy.stable) },
            notBefore,
        ]
        return waits.compactMap(\.self).max()
    }

    /// Whether there is nothing to wait for.
    func isSettled(by policy: SettlePolicy, now: Instant) -> Bool {
        release(by: policy).map { $0 <= now } ?? true
    }
}
