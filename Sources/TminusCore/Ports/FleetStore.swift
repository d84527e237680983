/// A store that several machines share: one leads, and the others deliver beside it.
package protocol FleetStore: Store {
    /// Yields an element if another machine has written something since the last one, as far as that is known. For one reader.
    var wakes: AsyncStream<Void> { get }

    /// How long a machine is waited for that does not renew its row.
    var lease: Duration { get }

    /// Releases claims of followers that have ended, and returns what the others have done.
    ///
    /// - Parameter last: ``FleetState/last`` of the call before; 0 for the first one. The news that it returned is deleted.
    func look(
        after last: Int64, releasing release: FleetRelease, owner: String, now: Timestamp
    ) async throws(StoreError) -> FleetState
}

/// What the leader learns of its followers.
package struct FleetState: Sendable {
    /// What they have done.
    package var news = FleetNews()
    /// The claims of followers that have ended.
    package var released = ReleasedClaims()
    /// The host and the process of each follower on another machine, sorted.
    package var followers: [String] = []
    /// Whether there is a follower, be it in the leader's own process.
    package var isFollowed = false
    /// The last of the news, for the next call.
    package var last: Int64

    /// No followers, and no news after the given one.
    package init(last: Int64) { self.last = last }
}

/// Which claims a leader releases when it looks after its followers.
package enum FleetRelease: Sendable {
    /// None.
    case nothing
    /// Those of followers that have closed their stores.
    case ofClosed
    /// Also those of followers that have not renewed their rows in time. After an outage of the database none has had the time.
    case ofSilent
}
