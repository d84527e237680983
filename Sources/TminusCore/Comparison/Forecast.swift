/// What a definition will fire, told by the scheduler's own engine: it is run ahead on a copy.
struct Forecast: Sendable {
    /// How far it looks.
    struct Reach: Sendable, Hashable {
        /// How many firings at the most.
        var limit: Int
        /// No firing after this instant; nil: no bound.
        var horizon: Timestamp?
    }

    /// The coming firings in the order of their due instants.
    private(set) var firings: [ComingFiring] = []
    /// Up to which instant all firings are known; nil: there are no others.
    private(set) var end: Timestamp?

    /// The coming firings of the one definition that `state` has in force. A timer that waits for its actions is taken to have
    /// actions that end at once, at `now` if they run already.
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
            // At one instant there may be more of them than the limit leaves room for.
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

/// A reminder or an expiry that has not come due yet.
package struct ComingFiring: Sendable, Hashable {
    /// Which action.
    package var action: FiringAction
    /// The instant of the occurrence.
    package var occurrence: Timestamp
    /// When the action is due.
    package var due: Timestamp

    /// A firing that is still to come.
    package init(action: FiringAction, occurrence: Timestamp, due: Timestamp) {
        self.action = action
        self.occurrence = occurrence
        self.due = due
    }

    init(_ firing: Firing) {
        self.init(action: firing.action, occurrence: firing.occurrence, due: firing.due)
    }
}
