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
    /// How many unused sinks are kept made.
    static let idleLimit = 256

    private(set) var lanes: [SinkLane.ID: SinkLane] = [:]
    private(set) var inFlight = 0

    /// How many more deliveries may be started.
    var room: Int { Self.limit - inFlight }

    /// How many more each known sink may take. An unknown one may take one, which makes it known.
    var roomBySink: [SinkKey: Int] {
        var room: [SinkKey: Int] = [:]
        for (id, lane) in lanes {
            room[id.key] = max(0, (room[id.key] ?? lane.sink.maxConcurrent) - lane.inFlight)
        }
        return room
    }

    /// Adds a lane.
    mutating func open(_ id: SinkLane.ID, _ sink: any Sink) {
        lanes[id] = SinkLane(sink: sink)
    }

    /// Takes room for one delivery.
    mutating func begin(_ id: SinkLane.ID) {
        lanes[id]?.inFlight += 1
        inFlight += 1
    }

    /// Gives room back.
    mutating func end(_ id: SinkLane.ID) {
        guard lanes[id] != nil else { return }
        lanes[id]?.inFlight -= 1
        inFlight -= 1
    }

    /// Removes and returns sinks that nobody uses: former revisions, and any beyond the idle limit.
    mutating func retire() -> [any Sink] {
        let idle = lanes.filter { $0.value.inFlight == 0 }
        let revisions = Dictionary(grouping: lanes.keys, by: \.key)
        let surplus = idle.count > Self.idleLimit
        let retired = idle.filter { id, _ in surplus || (revisions[id.key]?.count ?? 0) > 1 }
        for id in retired.keys { lanes[id] = nil }
        return retired.values.map(\.sink)
    }
}
