/// The engine in virtual time: what would fire from one instant to another, without waiting and without a store.
///
/// As if the definitions were first seen at the beginning, each delivery were taken at once, and the daemon were down during the
/// outages: after one it goes on from what it had written, as a real one does.
package struct Simulation: Sendable {
    /// What happens at one instant.
    package struct Moment: Sendable, Equatable {
        /// The virtual time.
        package var now: Timestamp
        /// What is sent, in order; what was missed at its slot (``Firing/notBefore``).
        package var firings: [Firing]
        /// What was due and is not sent.
        package var omissions: [Omission]
    }

    private let set: DefinitionSet
    private let end: Timestamp
    private var outages: ArraySlice<Range<Timestamp>>
    private var state = ScheduleMachine(StoreSnapshot())
    private var stored: [DefinitionID: ScheduleState] = [:]
    private var now: Timestamp
    private var hasBegun = false

    /// A simulation of `set` from `start` up to and including `end`. `outages` may come in any order and overlap.
    package init(_ set: DefinitionSet, from start: Timestamp, to end: Timestamp, outages: [Range<Timestamp>] = []) {
        self.set = set
        self.end = end
        self.outages = Self.merged(outages)[...]
        now = start
    }

    private static func merged(_ outages: [Range<Timestamp>]) -> [Range<Timestamp>] {
        var result: [Range<Timestamp>] = []
        for outage in outages.sorted(by: { $0.lowerBound < $1.lowerBound }) where !outage.isEmpty {
            if let last = result.last, outage.lowerBound <= last.upperBound {
                result[result.count - 1] = last.lowerBound..<max(last.upperBound, outage.upperBound)
            } else {
                result.append(outage)
            }
        }
        return result
    }

    /// The next instant at which something happens; nil when there is none up to the end.
    package mutating func next() -> Moment? {
        while true {
            guard let input = nextInput() else { return nil }
            let moment = step(input)
            if !moment.firings.isEmpty || !moment.omissions.isEmpty { return moment }
        }
    }

    /// Moves the virtual time to the next step, and says what it is.
    private mutating func nextInput() -> ScheduleInput? {
        if !hasBegun {
            hasBegun = true
            return .definitions(set)
        }
        let due = state.nextDue.map { max($0, now) }
        if let outage = outages.first, outage.lowerBound < due ?? .distantFuture {
            outages = outages.dropFirst()
            guard outage.upperBound <= end else { return nil }
            now = outage.upperBound
            state = ScheduleMachine(StoreSnapshot(schedules: Array(stored.values)))
            return .definitions(set)
        }
        guard let due, due <= end else { return nil }
        now = due
        return .due
    }

    private mutating func step(_ input: ScheduleInput) -> Moment {
        var moment = Moment(now: now, firings: [], omissions: [])
        var inputs = [input]
        while let input = inputs.popLast() {
            let effects = state.step(input, now: now)
            for schedule in effects.commit.schedules { stored[schedule.id] = schedule }
            moment.firings += effects.commit.firings
            moment.omissions += effects.commit.omissions
            if effects.isMoreDue { inputs.append(.due) }
            let ended = effects.commit.schedules.filter { $0.phase == .acting }.compactMap { state in
                state.deadline.map { EndedExpiry(definition: state.id, occurrence: $0) }
            }
            if !ended.isEmpty { inputs.append(.ended(ended)) }
        }
        return moment
    }
}
