/// The sinks that deliveries may be addressed to: those in force, and those that the store named with a claimed delivery.
struct KnownSinks: Sendable {
    private let makeSink: @Sendable (SinkSpec) -> ConfiguredSink?
    private var sinks: [SinkKey: (spec: SinkSpec, lane: SinkLane.ID)] = [:]

    /// No sinks yet. `makeSink` decodes the options of a sink, and opens nothing.
    init(makeSink: @escaping @Sendable (SinkSpec) -> ConfiguredSink?) { self.makeSink = makeSink }

    /// The lane of the present revision of a sink; nil if the sink is unknown.
    func lane(of key: SinkKey) -> SinkLane.ID? { sinks[key]?.lane }

    /// What people read of a sink; nil if it is unknown.
    func title(of key: SinkKey) -> String? { sinks[key]?.spec.title }

    /// The spec of a sink; nil if it is unknown.
    func spec(of key: SinkKey) -> SinkSpec? { sinks[key]?.spec }

    /// Replaces all sinks. Returns the keys of those that were edited or removed.
    mutating func replace(by specs: [SinkSpec]) -> Set<SinkKey> {
        let former = sinks
        sinks = [:]
        _ = add(specs)
        return Set(former.filter { sinks[$0.key]?.lane != $0.value.lane }.keys)
    }

    /// Adds sinks. Returns the keys of those that were known with other options. The revision is a digest of the options, so it is
    /// computed once here.
    mutating func add(_ specs: [SinkSpec]) -> Set<SinkKey> {
        var changed: Set<SinkKey> = []
        for spec in specs {
            let lane = SinkLane.ID(key: spec.key, revision: spec.revision)
            let former = sinks[lane.key]?.lane
            guard former != lane else { continue }
            if former != nil { changed.insert(lane.key) }
            sinks[lane.key] = (spec, lane)
        }
        return changed
    }

    /// Forgets a sink, unless it has another revision by now.
    mutating func forget(_ lane: SinkLane.ID) {
        if isInForce(lane) { sinks[lane.key] = nil }
    }

    /// Whether a lane has the present revision of its sink.
    func isInForce(_ lane: SinkLane.ID) -> Bool { sinks[lane.key]?.lane == lane }

    /// Makes a sink; nil if it is unknown, or this program cannot make it.
    func make(_ key: SinkKey) -> ConfiguredSink? { sinks[key].flatMap { makeSink($0.spec) } }

    /// What the sinks of these deliveries would send, without those that are unknown.
    func drafts(of deliveries: [Delivery]) -> [DeliveryID: DeliveryDraft] {
        deliveries.reduce(into: [:]) { drafts, delivery in
            if let configured = make(delivery.sink) { drafts[delivery.id] = configured.sink.draft(of: delivery) }
        }
    }

    /// The longest time that one of these sinks may take for an attempt; zero if none can be used.
    func timeLimit(of keys: [SinkKey]) -> Duration {
        keys.compactMap { make($0)?.sink.timeLimit }.max() ?? .zero
    }
}
