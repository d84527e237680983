extension DispatchMachine {
    /// Until when to fire nothing, because a quick sink still works off what was fired; nil: fire. In wall time.
    ///
    /// What is fired beyond the room of a sink is written, read again and claimed by a later commit, which costs twice as much as
    /// to claim it as it is written. Only a sink that ends 10,000 a second is waited for, and only while it does.
    func saturatedUntil(_ reading: ClockReading) -> Timestamp? {
        let until = lanes.values.lazy.filter { sinks.isInForce($0.id) }.compactMap(\.saturatedUntil).max()
        return until.flatMap { $0 > reading.steady ? $0.advanced(by: reading.setBy) : nil }
    }

    /// How many attempts run, by the place of their sink in ``figures``.
    var runningBySink: [Int: Int] {
        lanes.values.reduce(into: [:]) { $0[$1.slots.sink, default: 0] += $1.running }
    }

    /// What people read of a sink. One that is not in force any more may still have a lane.
    func title(of sink: SinkKey) -> String {
        sinks.title(of: sink) ?? lanes.values.first { $0.id.key == sink }?.title ?? sink.rawValue
    }
}
