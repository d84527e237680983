internal import TminusCore

/// A sink in use, and how much of its room is taken.
struct SinkLane: Sendable {
    /// A lane is one revision of one sink: an edited sink gets a lane of its own, and the former one ends with its last attempt.
    struct ID: Sendable, Hashable {
        var key: SinkKey
        var revision: String
    }

    let sink: any Sink
    let policy: SinkPolicy
    var inFlight = 0
}

/// Which sinks are in use. One slow sink fills its own lane and no other.
struct SinkLanes: Sendable {
    /// How many deliveries may run at once in all lanes together.
    static let limit = 256
    /// Beyond the limit every sink may still run one delivery, up to so many in all: sinks with much room of their own that
    /// hang must not take all room from the others.
    static let firmLimit = 4_096
    /// How many unused sinks are kept made.
    static let idleLimit = 256

    private(set) var lanes: [SinkLane.ID: SinkLane] = [:]
    private(set) var inFlight = 0
    /// The revision in force of each sink with a lane, as far as it is known.
    private var revisions: [SinkKey: String] = [:]
    /// What the rate limits leave, of the sinks that have one. A bucket outlives the lane, and an edit that leaves the limit alone.
    private var buckets: [SinkKey: RateBucket] = [:]

    private var isFull: Bool { inFlight >= Self.limit }

    /// How many more deliveries may be started.
    var room: Int { (isFull ? Self.firmLimit : Self.limit) - inFlight }

    /// How many more each known sink may take. An unknown one may take one, which makes it known.
    ///
    /// Lanes of former revisions do not count: what hangs there must not keep the corrected sink from work.
    ///
    /// `time` is one that no setting of the clock moves.
    func roomBySink(at time: Timestamp) -> [SinkKey: Int] {
        var room: [SinkKey: Int] = buckets.mapValues { min(1, $0.room(at: time)) }
        for (id, lane) in lanes where isInForce(id) {
            let limit = isFull ? 1 : lane.sink.maxConcurrent
            let left = max(0, limit - lane.inFlight)
            room[id.key] = min(left, buckets[id.key]?.room(at: time) ?? left)
        }
        return room
    }

    /// Whether a sink with a rate limit is in use.
    var isAnyRateLimited: Bool { !buckets.isEmpty }

    /// When the next sink may be used again that its rate limit holds up; nil: none is.
    func nextRoom(at time: Timestamp) -> Timestamp? {
        buckets.values.compactMap { $0.next(at: time) }.min()
    }

    /// The longest that one delivery may take, of all that may run.
    var longestTimeLimit: Duration { lanes.values.map(\.sink.timeLimit).max() ?? .zero }

    /// Adds a lane, of the revision in force.
    mutating func open(_ id: SinkLane.ID, _ sink: ConfiguredSink, at time: Timestamp) {
        lanes[id] = SinkLane(sink: sink.sink, policy: sink.policy)
        revisions[id.key] = id.revision
        guard buckets[id.key]?.limit != sink.policy.rateLimit else { return }
        buckets[id.key] = sink.policy.rateLimit.map { RateBucket($0, now: time) }
    }

    /// Takes room for one delivery. What the store handed out names the revision in force.
    mutating func begin(_ id: SinkLane.ID, at time: Timestamp) {
        guard lanes[id] != nil else { return }
        lanes[id]?.inFlight += 1
        buckets[id.key]?.take(at: time)
        inFlight += 1
        revisions[id.key] = id.revision
    }

    /// Gives room back.
    mutating func end(_ id: SinkLane.ID) {
        guard lanes[id] != nil else { return }
        lanes[id]?.inFlight -= 1
        inFlight -= 1
    }

    /// Takes note of the revisions in force.
    mutating func update(_ revisions: [SinkKey: String]) {
        for key in Array(self.revisions.keys) {
            if let revision = revisions[key] { self.revisions[key] = revision }
        }
    }

    /// Removes and returns sinks that nobody uses: former revisions, and any beyond the idle limit.
    mutating func retire(at time: Timestamp) -> [any Sink] {
        let idle = lanes.filter { $0.value.inFlight == 0 }
        let isSurplus = idle.count > Self.idleLimit
        let retired = idle.filter { isSurplus || !isInForce($0.key) }
        guard !retired.isEmpty else { return [] }
        for id in retired.keys { lanes[id] = nil }
        let used = Set(lanes.keys.map(\.key))
        revisions = revisions.filter { used.contains($0.key) }
        // One that holds nobody up is as good as a new one.
        buckets = buckets.filter { used.contains($0.key) || $0.value.next(at: time) != nil }
        return retired.values.map(\.sink)
    }

    private func isInForce(_ id: SinkLane.ID) -> Bool { revisions[id.key] == id.revision }
}
