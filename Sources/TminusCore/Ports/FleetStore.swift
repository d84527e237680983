/// A store that several machines share: one leads, and the others deliver beside it.
package protocol FleetStore: Store {
    /// Yields an element if another machine has written something since the last one, as far as that is known. For one reader.
    var wakes: AsyncStream<Void> { get }

    /// Yields an element when a leader has ended in order, as far as that is known, or may have. For one reader.
    var leaderEnds: AsyncStream<Void> { get }

    /// How long a machine is waited for that does not renew its row.
    var lease: Duration { get }

    /// The definition files in force, for the leader.
    ///
    /// - Parameter root: The directory whose kept contents count if nobody has published any.
    func publishedFiles(root: String, now: Timestamp) async throws(StoreError) -> PublishedFiles

    /// Writes which definition files come into force. Call it before they do: else the next leader could take older ones for those in force.
    func publish(_ change: PublishedChange, now: Timestamp) async throws(StoreError)

    /// Has a follower say this of itself from its next write on.
    ///
    /// - Parameter files: The digests of its definition files, by path; nil if some could not be read.
    func describe(_ machine: FleetMachine, files: [String: String]?) async

    /// Releases claims of followers that have ended, and returns what the others have done.
    ///
    /// - Parameters:
    ///   - last: ``FleetState/last`` of the call before; 0 for the first one. The news that it returned is deleted.
    ///   - known: The ids of forwarded requests that the leader has begun with; nil if it cannot take any now.
    func look(
        after last: Int64, releasing release: FleetRelease, knowing known: Set<String>?, owner: String, now: Timestamp
    ) async throws(StoreError) -> FleetState

    /// Writes the answer of the leader to a request, if it took that.
    func recordAnswer(_ text: String, to id: String) async throws(StoreError)

    /// Forwards a request to the leader, which takes it within the next seconds or never.
    func forward(_ request: ForwardedRequest) async throws(StoreError)

    /// What became of a request. One that is answered is deleted with ``deleteAnswered(_:)``.
    func state(ofForwarded id: String) async throws(StoreError) -> ForwardedRequest.State

    /// Deletes a request, unless a leader has taken it. Returns whether it did: then nobody carries it out.
    @discardableResult
    func withdraw(_ id: String) async throws(StoreError) -> Bool

    /// Deletes a request that was answered.
    func deleteAnswered(_ id: String) async throws(StoreError)
}

/// A request to the control socket of a follower, which the leader carries out.
package struct ForwardedRequest: Sendable, Hashable {
    /// What became of a request.
    package enum State: Sendable, Hashable {
        /// No leader has taken it.
        case waiting
        /// The leader has taken it and has not answered.
        case taken
        /// The leader that took it has ended, or it was deleted. Nobody knows whether it was carried out, and nobody will do it.
        case lost
        /// The text of the answer.
        case answered(String)
    }

    /// Tells it from all others.
    package let id: String
    /// The text of the request.
    package let text: String

    /// A request with that text.
    package init(id: String, text: String) {
        self.id = id
        self.text = text
    }
}

/// A machine of a fleet, as it describes itself.
package struct FleetMachine: Codable, Sendable, Hashable {
    /// The host and the process.
    package var process: String
    /// The version of its tminus; nil if it has not said.
    package var version: String?
    /// When its daemon started, by its own clock.
    package var started: Timestamp?
    /// Its labels.
    package var labels: Set<MachineLabel>
    /// Identifies its definition files, as the hash in `tminus status` does; nil if it has not said.
    package var hash: String?

    /// A machine that says this of itself.
    package init(
        process: String, version: String? = nil, started: Timestamp? = nil, labels: Set<MachineLabel> = [],
        hash: String? = nil
    ) {
        self.process = process
        self.version = version
        self.started = started
        self.labels = labels
        self.hash = hash
    }
}

/// What the leader learns of its followers.
package struct FleetState: Sendable {
    /// What they have done.
    package var news = FleetNews()
    /// The claims of followers that have ended.
    package var released = ReleasedClaims()
    /// The followers on other machines, sorted by their names.
    package var followers: [FleetMachine] = []
    /// Whether there is a follower, be it in the leader's own process.
    package var isFollowed = false
    /// Requests that this leader has taken and does not know yet, the oldest first.
    package var requests: [ForwardedRequest] = []
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
