/// The upcoming firings of a definition, computed by running the scheduler ahead on a copy.
struct Forecast: Sendable {
    /// The limits of a forecast.
    struct Reach: Sendable, Hashable {
        /// The maximum number of firings.
        var limit: Int
        /// No firing after this instant; nil means no bound.
        var horizon: Timestamp?
    }

    /// The upcoming firings, sorted by due instant.
    private(set) var firings: [ComingFiring] = []
    /// The actions that the definition can have.
    let actions: Set<FiringAction>

    private let definition: Definition
    private let now: Timestamp
    private var state: ScheduleMachine
    private var open: EndedExpiry?

    /// The upcoming firings of the only definition in `state`. The actions of a timer that waits for them are assumed
    /// to end at once, or at `now` if they are already running.
    init(_ state: ScheduleMachine, of definition: Definition, reach: Reach, now: Timestamp) {
        self.state = state
        self.definition = definition
        self.now = now
        actions = Set(definition.actions)
        open = state.schedule(of: definition.id).flatMap(Self.openExpiry)
        extend(limit: reach.limit) { due, _ in due <= reach.horizon ?? .distantFuture }
    }

    /// Whether the forecast covers the instant of that firing.
    func knows(_ firing: ComingFiring) -> Bool { nextDue.map { firing.due < $0 } ?? true }

    /// Adds firings until there are at least `limit`, or `isWanted` is false for the next due instant and the firings so far.
    mutating func extend(limit: Int, while isWanted: (_ due: Timestamp, _ firings: [ComingFiring]) -> Bool) {
        while let due = nextDue, firings.count < limit, isWanted(due, firings) {
            let effects = open.map { state.step(.ended([$0]), now: due) } ?? state.step(.due, now: due)
            firings += effects.commit.firings.map(ComingFiring.init)
            open = state.schedule(of: definition.id).flatMap(Self.openExpiry)
        }
    }

    /// The due instant of the next firings beyond those of the forecast; nil if there are none.
    private var nextDue: Timestamp? {
        guard definition.isEnabled else { return nil }
        return state.nextDue ?? open.map { max($0.occurrence, now) }
    }

    private static func openExpiry(_ state: ScheduleState) -> EndedExpiry? {
        guard state.phase == .acting, let deadline = state.deadline else { return nil }
        return EndedExpiry(definition: state.id, occurrence: deadline)
    }
}

extension Definition {
    /// The actions that it can have, apart from those that a user causes.
    fileprivate var actions: [FiringAction] {
        var actions = reminders.map(\.action) + [.expiry]
        if case .stopwatch(let stopwatch) = schedule { actions += stopwatch.alerts.map(FiringAction.elapsed) }
        return actions
    }
}

/// A reminder or an expiry that is not due yet.
package struct ComingFiring: Sendable, Hashable {
    /// The action.
    package var action: FiringAction
    /// The instant of the occurrence.
    package var occurrence: Timestamp
    /// The instant at which the action is due.
    package var due: Timestamp

    /// Creates an upcoming firing.
    package init(action: FiringAction, occurrence: Timestamp, due: Timestamp) {
        self.action = action
        self.occurrence = occurrence
        self.due = due
    }

    init(_ firing: Firing) {
        self.init(action: firing.action, occurrence: firing.occurrence, due: firing.due)
    }
}
