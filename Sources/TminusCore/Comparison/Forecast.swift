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
    /// The instant up to which the forecast is complete; nil if there are no further firings.
    private(set) var end: Timestamp?

    /// The upcoming firings of the only definition in `state`. The actions of a timer that waits for them are assumed
    /// to end at once, or at `now` if they are already running.
    init(_ state: ScheduleMachine, of definition: Definition, reach: Reach, now: Timestamp) {
        guard definition.isEnabled else { return }
        var state = state
        var open = state.schedule(of: definition.id).flatMap(Self.openExpiry)
        while true {
            guard let due = state.nextDue ?? open.map({ max($0.occurrence, now) }) else { return }
            if let horizon = reach.horizon, due > horizon {
                end = horizon
                return
            }
            // A single instant can hold more firings than the limit leaves room for.
            guard firings.count < reach.limit else {
                end = firings.last?.due
                return
            }
            let effects = open.map { state.step(.ended([$0]), now: due) } ?? state.step(.due, now: due)
            firings += effects.commit.firings.map(ComingFiring.init)
            open = state.schedule(of: definition.id).flatMap(Self.openExpiry)
        }
    }

    private static func openExpiry(_ state: ScheduleState) -> EndedExpiry? {
        guard state.phase == .acting, let deadline = state.deadline else { return nil }
        return EndedExpiry(definition: state.id, occurrence: deadline)
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
