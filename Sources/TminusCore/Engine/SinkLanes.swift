/// The lanes of the sinks in use, and how much waits in all of them.
struct SinkLanes: Sendable {
    /// The place of a lane. It stays valid as long as none is added or removed.
    typealias Place = [SinkLane.ID: SinkLane].Values.Index

    private(set) var byID: [SinkLane.ID: SinkLane] = [:]
    /// How many claimed deliveries wait.
    private(set) var waitingCount = 0
    /// When to look for stalled lanes, in steady time; nil: nothing waits.
    private(set) var nextReview: Timestamp?

    /// Whether the count agrees with the lanes.
    var isCounted: Bool { waitingCount == byID.values.reduce(0) { $0 + $1.waiting.count } }

    /// The place of a lane that is open; nil for another one.
    func place(of id: SinkLane.ID) -> Place? { byID.index(forKey: id) }

    /// Adds a lane.
    mutating func open(_ lane: SinkLane) { byID[lane.id] = lane }

    /// Removes a lane in which nothing waits.
    mutating func close(_ id: SinkLane.ID) { byID[id] = nil }

    /// Removes all lanes, and returns their sinks.
    mutating func closeAll() -> [any Sink] {
        defer { byID = [:] }
        return byID.values.map(\.sink.sink)
    }

    /// Adds a claimed delivery behind those that wait.
    mutating func append(_ delivery: Delivery, at place: Place) {
        byID.values[place].append(delivery)
        waitingCount += 1
    }

    /// Takes the first waiting delivery of a lane out; nil if none waits.
    mutating func takeFirst(at place: Place) -> Delivery? {
        guard let delivery = byID.values[place].takeFirst() else { return nil }
        waitingCount -= 1
        return delivery
    }

    /// Takes waiting deliveries out of all lanes. `sink` is the place of the sink in ``DispatchFigures``.
    mutating func removeWaiting(
        where isWanted: (Delivery, SinkLane.ID) -> Bool
    ) -> [(delivery: Delivery, sink: Int)] {
        guard waitingCount > 0 else { return [] }
        var removed: [(delivery: Delivery, sink: Int)] = []
        for (id, lane) in byID {
            for delivery in byID[id]?.removeWaiting(where: { isWanted($0, id) }) ?? [] {
                removed.append((delivery, lane.slots.sink))
            }
        }
        waitingCount -= removed.count
        return removed
    }

    /// Records that an attempt began.
    mutating func begin(at place: Place) { byID.values[place].begin() }

    /// Records that an attempt ended.
    mutating func ended(_ id: SinkLane.ID, after took: Duration, at steady: Timestamp) {
        byID[id]?.ended(after: took, at: steady)
    }

    /// Records for which lanes the store has more than it was asked for.
    mutating func noteBacklogs(of claimed: [Delivery], requested request: ClaimRequest) {
        let counts = claimed.reduce(into: [:]) { $0[$1.sink, default: 0] += 1 }
        for place in byID.values.indices {
            let key = byID.values[place].id.key
            byID.values[place].hasBacklog = counts[key, default: 0] >= request.room[key] ?? request.otherRoom
        }
    }

    /// Once a second: the lanes in which something waits and nothing goes on. They claim less from now on.
    mutating func takeStalled(at steady: Timestamp) -> Set<SinkLane.ID> {
        guard let review = nextReview, review <= steady else { return [] }
        nextReview = nil
        let since = steady.advanced(by: .seconds(-1))
        let stalled = Set(byID.values.filter { $0.isStalled(since: since) }.map(\.id))
        for id in stalled { byID[id]?.slowDown() }
        return stalled
    }

    /// Has stalled lanes looked for in a second, if something waits.
    mutating func reviewLater(at steady: Timestamp) {
        if nextReview == nil, waitingCount > 0 { nextReview = steady.advanced(by: .seconds(1)) }
    }
}
