/// What the dispatching half of the engine counts, as plain integers in flat arrays: counting allocates nothing.
package struct DispatchFigures: Sendable, Equatable {
    /// How deliveries end: those that the engine had claimed, and those that a person discards.
    package enum End: Int, Sendable, CaseIterable {
        case delivered, dead, expired, skipped, discarded
    }

    /// How attempts end.
    package enum Result: Int, Sendable, CaseIterable {
        case delivered, retry, dead, timeout
    }

    /// The names of sinks, and one place for all further ones. Names come from the config; a sink without a name counts
    /// under its kind.
    package private(set) var sinks = NameSlots(limit: 50)
    /// The kinds of sinks.
    package private(set) var kinds = NameSlots(limit: 8)
    private var ends: [UInt64]
    private var results: [UInt64]
    /// How long attempts took, by kind of sink.
    package private(set) var durations: [Histogram]
    /// From the instant at which an action was due to its first attempt, by kind of action.
    package private(set) var lateness: [Histogram]

    /// Counts without anything.
    init() {
        ends = [UInt64](repeating: 0, count: sinks.count * End.allCases.count)
        results = [UInt64](repeating: 0, count: sinks.count * Result.allCases.count)
        durations = [Histogram](repeating: .duration, count: kinds.count)
        lateness = [Histogram](repeating: .lateness, count: FiringAction.Kind.allCases.count)
    }

    /// The places of a sink and of its kind.
    mutating func slots(of spec: SinkSpec) -> (sink: Int, kind: Int) {
        (sinks.slot(of: spec.name ?? spec.kind), kinds.slot(of: spec.kind))
    }

    /// An attempt began.
    mutating func began(_ delivery: Delivery, at now: Timestamp) {
        guard delivery.attempt == 1 else { return }
        lateness[delivery.action.place].observe(delivery.due.duration(to: now))
    }

    /// An attempt ended.
    mutating func ended(_ outcome: Outcome, after time: Duration, sink: Int, kind: Int) {
        durations[kind].observe(time)
        let result: Result =
            switch outcome {
            case .delivered, .skipped: .delivered
            case .retry(_, let reason): ReasonCode(reason) == .timeout ? .timeout : .retry
            case .dead(let reason), .expired(let reason): ReasonCode(reason) == .timeout ? .timeout : .dead
            }
        results[sink * Result.allCases.count + result.rawValue] &+= 1
    }

    /// The end of a delivery is written.
    mutating func settled(_ outcome: Outcome, sink: Int) {
        let end: End
        switch outcome {
        case .delivered: end = .delivered
        case .dead: end = .dead
        case .expired: end = .expired
        case .skipped: end = .skipped
        case .retry: return
        }
        ends[sink * End.allCases.count + end.rawValue] &+= 1
    }

    /// A person discarded deliveries.
    mutating func discarded(_ count: Int, sink: Int) {
        ends[sink * End.allCases.count + End.discarded.rawValue] &+= UInt64(clamping: count)
    }

    /// How many deliveries to a sink have ended so.
    package func count(_ end: End, sink: Int) -> UInt64 { ends[sink * End.allCases.count + end.rawValue] }

    /// How many attempts of a sink have ended so.
    package func count(_ result: Result, sink: Int) -> UInt64 {
        results[sink * Result.allCases.count + result.rawValue]
    }
}

/// Places for a bounded number of names, in the order in which they were first seen. The place after them is for all
/// further names.
package struct NameSlots: Sendable, Equatable {
    /// The name of that last place.
    package static let other = "other"

    /// The names so far, without the last place.
    package private(set) var names: [String] = []
    private let limit: Int

    /// No names.
    init(limit: Int) { self.limit = limit }

    /// The number of places, used or not.
    package var count: Int { limit + 1 }
    /// The last place.
    var otherSlot: Int { limit }

    /// The place of a name.
    mutating func slot(of name: String) -> Int {
        if let place = names.firstIndex(of: name) { return place }
        guard names.count < limit, name != Self.other else { return limit }
        names.append(name)
        return names.count - 1
    }

    /// The places in use with their names, and the last one.
    package var all: [(slot: Int, name: String)] {
        names.enumerated().map { ($0.offset, $0.element) } + [(limit, Self.other)]
    }
}

extension FiringAction.Kind {
    /// Its place among all.
    package var place: Int {
        switch self {
        case .reminder: 0
        case .expiry: 1
        case .elapsed: 2
        case .failure: 3
        case .missed: 4
        }
    }
}
