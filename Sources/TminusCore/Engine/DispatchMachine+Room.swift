/// How much more may be claimed and may run.
extension DispatchMachine {
    /// Until when to fire nothing, because a quick sink still works off what was fired; nil: fire. In wall time.
    ///
    /// What is fired beyond the room of a sink is written, read again and claimed by a later commit, which costs twice as much as
    /// to claim it as it is written. Only a sink that ends 10,000 a second is waited for, and only while it does.
    func saturatedUntil(_ reading: ClockReading) -> Timestamp? {
        let until = lanes.byID.values.lazy.filter { sinks.isInForce($0.id) }.compactMap(\.saturatedUntil).max()
        return until.flatMap { $0 > reading.steady ? $0.advanced(by: reading.setBy) : nil }
    }

    /// How many more deliveries may be claimed.
    var room: Int {
        let ahead = lanes.byID.values.reduce(0) { sum, lane in sum + (sinks.isInForce(lane.id) ? lane.ahead : 0) }
        return (isFull ? Self.firmLimit : Self.limit) - running.count - lanes.waitingCount + ahead
    }

    private var isFull: Bool { running.count >= Self.limit }

    /// How many more each known sink may take, those ahead of its concurrency included.
    func roomBySink(at steady: Timestamp) -> [SinkKey: Int] {
        var room: [SinkKey: Int] = buckets.mapValues { min(1, $0.room(at: steady)) }
        for lane in lanes.byID.values where sinks.isInForce(lane.id) {
            let left = max(0, (isFull ? 1 : lane.limit) + lane.ahead - lane.inHand)
            room[lane.id.key] = min(left, buckets[lane.id.key]?.room(at: steady) ?? left)
        }
        for (key, until) in unfit where steady < until { room[key] = 0 }
        return room
    }

    /// Whether one more attempt may run in a lane.
    func hasCapacity(_ lane: SinkLane) -> Bool {
        lane.running < lane.limit && (!isFull || lane.running == 0 && running.count < Self.firmLimit)
    }
}
