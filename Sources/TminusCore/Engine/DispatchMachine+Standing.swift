/// What people and metrics read of the lanes.
extension DispatchMachine {
    /// How many attempts run, by the place of their sink in ``figures``.
    var runningBySink: [Int: Int] {
        lanes.byID.values.reduce(into: [:]) { $0[$1.slots.sink, default: 0] += $1.running }
    }

    /// What people read of a sink. One that is not in force any more may still have a lane.
    func title(of sink: SinkKey) -> String {
        sinks.title(of: sink) ?? lanes.byID.values.first { $0.id.key == sink }?.title ?? sink.rawValue
    }
}
