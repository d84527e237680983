internal import TminusCore

/// A sink in use, and how much of its room is taken.
struct SinkLane: Sendable {
    /// A lane is one revision of one sink: an edited sink gets a lane of its own, and the former one ends with its last attempt.
    struct ID: Sendable, Hashable {
        var key: SinkKey
        var revision: String
    }

    let sink: any Sink
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

    private var isFull: Bool { inFlight >= Self.limit }

    /// How many more deliveries may be started.
    var room: Int { (isFull ? Self.firmLimit : Self.limit) - inFlight }

    /// How many more each known sink may take. An unknown one may take one, which makes it known.
    ///
    /// Lanes of former revisions do not count: what hangs there must not keep the corrected sink from work.
    var roomBySink: [SinkKey: Int] {
        var room: [SinkKey: Int] = [:]
        for (id, lane) in lanes where isInForce(id) {
            let limit = isFull ? 1 : lane.sink.maxConcurrent
            room[id.key] = max(0, limit - lane.inFlight)
        }
        return room
    }

    /// Adds a lane, of the revision in force.
    mutating func open(_ id: SinkLane.ID, _ sink: any Sink) {
        lanes[id] = SinkLane(sink: sink)
        revisions[id.key] = id.revision
    }

    /// Takes room for one delivery. What the store handed out names the revision in force.
    mutating func begin(_ id: SinkLane.ID) {
        guard lanes[id] != nil else { return }
        lanes[id]?.inFlight += 1
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
    mutating func retire() -> [any Sink] {
        let idle = lanes.filter { $0.value.inFlight == 0 }
        let isSurplus = idle.count > Self.idleLimit
        let retired = idle.filter { isSurplus || !isInForce($0.key) }
        guard !retired.isEmpty else { return [] }
        for id in retired.keys { lanes[id] = nil }
        let used = Set(lanes.keys.map(\.key))
        revisions = revisions.filter { used.contains($0.key) }
        return retired.values.map(\.sink)
    }

    private func isInForce(_ id: SinkLane.ID) -> Bool { revisions[id.key] == id.revision }
}
