extension EngineState {
    /// A commit on its way, and what follows from it.
    struct Flight: Sendable {
        var commit: Commit
        var effects: ScheduleEffects
        var origin: Origin
        /// Whether a claim was due. The commit takes it along, and if the store refuses, it is due again.
        var hadDueClaim: Bool
        /// When it was sent on its way, in steady time.
        var began: Timestamp
    }

    /// The request that a commit answers.
    enum Origin: Sendable {
        case nobody
        /// A control of one definition, with its entry before the control.
        case control(ticket: UInt64, former: ScheduleEntry?)
        /// A control of all definitions, with the schedule before the control.
        case controlAll(ticket: UInt64, former: ScheduleMachine)
        /// A test (`fire`).
        case fire(ticket: UInt64, waits: Bool)
    }
}

extension Committed {
    /// The same with `claim.since` in steady time, so that setting the clock while a delivery waits or runs does not move the
    /// end of its retries. `setBy` is how far the clock had been set, as far as the store knows.
    func inSteadyTime(setBy: Duration) -> Committed {
        var committed = self
        for index in claimed.indices {
            committed.claimed[index].claim.since = claimed[index].claim.since.advanced(by: .zero - setBy)
        }
        return committed
    }
}
