internal import TminusCore

/// A sink in use, and how much of its room is taken.
struct SinkLane: Sendable {
    /// A lane is one revision of one sink: an edited sink gets a lane of its own, and the former one ends with its last attempt.
    struct ID: Sendable, Hashable {
        var key: SinkKey
        var revision: String

        /// Nearly always there is one revision.
        func hash(into hasher: inout Hasher) { hasher.combine(key) }
    }

    /// A lane has as much ahead as it ends in about this time: nothing, if one attempt takes longer.
    static let aheadTime = Duration.milliseconds(50)
    /// How often the room of a lane it may have ahead, and how many deliveries in all.
    static let aheadFactor = 1_024
    static let aheadLimit = 8_192

    let made: MadeSink
    /// How many deliveries are claimed for it and not over.
    var inHand = 0
    /// How often its room it may have ahead: as many attempts like the last follow each other in ``aheadTime``.
    private(set) var pace = 0
    /// When its last attempt ended, by a clock that nobody sets.
    var lastEnd: Timestamp?
    /// How many attempts have ended of which the store does not know.
    fileprivate(set) var unrecorded = 0

    /// How many may run at the same time.
    var limit: Int { made.maxConcurrent }
    /// How many of those in hand run, if nothing else holds them up.
    var inFlight: Int { min(inHand, limit) }
    /// How many it may have beyond those that run: as much as keeps it busy while the store is asked.
    var ahead: Int { min(pace * limit, Self.aheadLimit) }

    /// A lane of that sink, with nothing in it.
    init(_ made: MadeSink) { self.made = made }

    /// Takes note that so many attempts have ended, of which the last took so long.
    mutating func ended(_ count: Int, after took: Duration, at time: Timestamp) {
        pace = Int(min(Int64(Self.aheadFactor), Self.aheadTime.nanoseconds / max(1, took.nanoseconds)))
        lastEnd = time
        unrecorded += count
    }

    /// Takes note that none ends.
    mutating func slow() { pace = 0 }
}

/// Which sinks are in use. One slow sink fills its own lane and no other.
struct SinkLanes: Sendable {
    /// How many unused sinks are kept made.
    static let idleLimit = 256

    private(set) var lanes: [SinkLane.ID: SinkLane] = [:]
    /// How many run, if no lane is held up.
    private(set) var inFlight = 0
    /// How many are claimed and not over.
    private(set) var inHand = 0
    /// The revision in force of each sink with a lane, as far as it is known.
    private var revisions: [SinkKey: String] = [:]
    /// What the rate limits leave, of the sinks that have one. A bucket outlives the lane, and an edit that leaves the limit alone.
    private var buckets: [SinkKey: RateBucket] = [:]

    private var isFull: Bool { inFlight >= AttemptLines.limit }

    /// How many more deliveries may be claimed.
    var room: Int {
        let ahead = lanes.reduce(0) { sum, lane in
            sum + max(0, self.ahead(lane.key, lane.value) - waiting(lane.value))
        }
        return (isFull ? AttemptLines.firmLimit : AttemptLines.limit) - inFlight + ahead
    }

    /// Whether more is claimed than may run.
    var isAnyWaiting: Bool { inHand > inFlight }

    /// How many more each known sink may take, those ahead of its room included. An unknown one may take one, which makes it known.
    ///
    /// Lanes of former revisions do not count: what hangs there must not keep the corrected sink from work.
    ///
    /// `time` is one that no setting of the clock moves.
    func roomBySink(at time: Timestamp) -> [SinkKey: Int] {
        var room: [SinkKey: Int] = buckets.mapValues { min(1, $0.room(at: time)) }
        for (id, lane) in lanes where isInForce(id) {
            let left = max(0, (isFull ? 1 : lane.limit) + ahead(id, lane) - lane.inHand)
            room[id.key] = min(left, buckets[id.key]?.room(at: time) ?? left)
        }
        return room
    }

    /// How many more each known sink may take of what is written now: as ``roomBySink(at:)``, but none for sinks that are known to
    /// have a rate limit, whose turn is known only when they are asked for.
    func roomToOffer(at time: Timestamp) -> [SinkKey: Int] {
        var room = roomBySink(at: time)
        for key in buckets.keys { room[key] = 0 }
        return room
    }

    private func waiting(_ lane: SinkLane) -> Int { lane.inHand - lane.inFlight }

    private func ahead(_ id: SinkLane.ID, _ lane: SinkLane) -> Int {
        isInForce(id) && buckets[id.key] == nil ? lane.ahead : 0
    }

    /// Whether the rate limit of a sink, if it is known to have one, lets a delivery begin. What was claimed for a sink before it was
    /// known may be more than that.
    func isInTurn(_ sink: SinkKey, at time: Timestamp) -> Bool { buckets[sink].map { $0.room(at: time) > 0 } ?? true }

    /// Whether a sink with a rate limit is in use.
    var isAnyRateLimited: Bool { !buckets.isEmpty }

    /// When the next sink may be used again that its rate limit holds up; nil: none is.
    func nextRoom(at time: Timestamp) -> Timestamp? {
        buckets.values.compactMap { $0.next(at: time) }.min()
    }

    /// The longest that one delivery may take, of all that may run.
    var longestTimeLimit: Duration { lanes.values.map(\.made.sink.timeLimit).max() ?? .zero }

    /// Adds a lane, of the revision in force.
    mutating func open(_ id: SinkLane.ID, _ sink: ConfiguredSink, at time: Timestamp) {
        lanes[id] = SinkLane(MadeSink(sink, lane: id))
        revisions[id.key] = id.revision
        guard buckets[id.key]?.limit != sink.policy.rateLimit else { return }
        buckets[id.key] = sink.policy.rateLimit.map { RateBucket($0, now: time) }
    }

    /// Whether any number of deliveries may begin in a lane at once: it is there, and its sink has no rate limit.
    func takesMany(_ id: SinkLane.ID) -> Bool { buckets[id.key] == nil && lanes[id] != nil }

    /// Takes room for deliveries, more than one only if the lane takes many, and returns their sink; nil if there is no such lane.
    /// What the store handed out names the revision in force.
    @discardableResult
    mutating func begin(_ id: SinkLane.ID, _ count: Int = 1, at time: Timestamp) -> MadeSink? {
        guard let place = change(id, { $0.inHand += count }) else { return nil }
        if isAnyRateLimited { buckets[id.key]?.take(at: time) }
        if revisions[id.key] != id.revision { revisions[id.key] = id.revision }
        return lanes.values[place].made
    }

    /// Gives room back, of attempts of which the last took so long; nil: it was not made.
    mutating func end(_ id: SinkLane.ID, _ count: Int = 1, after took: Duration?, at time: Timestamp) {
        change(id) { lane in
            lane.inHand -= count
            if let took { lane.ended(count, after: took, at: time) }
        }
    }

    /// Takes note that the store knows of all ends.
    mutating func recorded() {
        var place = lanes.startIndex
        while place < lanes.endIndex {
            lanes.values[place].unrecorded = 0
            lanes.formIndex(after: &place)
        }
    }

    /// Whether attempts have ended of which the store does not know, and in each of their lanes more are in hand than that.
    var isBusyBeyondEnds: Bool {
        let lanes = lanes.values.filter { $0.unrecorded > 0 }
        return !lanes.isEmpty && lanes.allSatisfy { $0.unrecorded < $0.inHand }
    }

    /// Takes note of lanes in which some wait though none has ended since `time`, or the last one took long: they are not quick any
    /// more. Returns them.
    mutating func slowed(since time: Timestamp) -> Set<SinkLane.ID> {
        let slowed = lanes.filter { _, lane in
            waiting(lane) > 0 && (lane.pace == 0 || lane.lastEnd.map { $0 < time } ?? true)
        }
        for id in slowed.keys { lanes[id]?.slow() }
        return Set(slowed.keys)
    }

    /// Whether deliveries to that lane may go on being begun: it is the revision in force.
    func isInForce(_ id: SinkLane.ID) -> Bool { revisions[id.key] == id.revision }

    @discardableResult
    private mutating func change(
        _ id: SinkLane.ID, _ body: (inout SinkLane) -> Void
    ) -> Dictionary<SinkLane.ID, SinkLane>.Index? {
        guard let place = lanes.index(forKey: id) else { return nil }
        let (running, held) = (lanes.values[place].inFlight, lanes.values[place].inHand)
        body(&lanes.values[place])
        inFlight += lanes.values[place].inFlight - running
        inHand += lanes.values[place].inHand - held
        return place
    }

    /// Takes note of the revisions in force.
    mutating func update(_ revisions: [SinkKey: String]) {
        for key in Array(self.revisions.keys) {
            if let revision = revisions[key] { self.revisions[key] = revision }
        }
    }

    /// Removes and returns sinks that nobody uses: former revisions, and any beyond the idle limit.
    mutating func retire(at time: Timestamp) -> [any Sink] {
        let idle = lanes.filter { $0.value.inHand == 0 }
        let isSurplus = idle.count > Self.idleLimit
        let retired = idle.filter { isSurplus || !isInForce($0.key) }
        guard !retired.isEmpty else { return [] }
        for id in retired.keys { lanes[id] = nil }
        let used = Set(lanes.keys.map(\.key))
        revisions = revisions.filter { used.contains($0.key) }
        // One that holds nobody up is as good as a new one.
        buckets = buckets.filter { used.contains($0.key) || $0.value.next(at: time) != nil }
        return retired.values.map(\.made.sink)
    }
}
