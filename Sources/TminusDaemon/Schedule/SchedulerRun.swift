internal import TminusCore

/// What a scheduler keeps from step to step.
struct SchedulerRun: Sendable {
    /// What a step was about.
    struct Step: Sendable {
        /// How far the clock was set, if that was it.
        var clockStep: Duration?
        /// How long the machine slept, if that was it.
        var sleep: Duration?
    }

    private var state: SchedulerState
    private var setBy: Duration
    private var slept: Duration
    private var inputs: ArraySlice<SchedulerInput> = []
    private var isMoreDue = false
    /// What a step yielded that is not in the store yet. Until it is, there is no other step.
    private(set) var unwritten: SchedulerEffects?
    var trouble = StoreTrouble()

    /// A run that goes on from what was stored.
    init(_ snapshot: StoreSnapshot, at reading: ClockReading) {
        state = SchedulerState(snapshot)
        setBy = reading.setBy
        slept = reading.slept
    }

    /// When the alarm is to ring.
    var wakeAt: Timestamp? { unwritten == nil ? state.nextDue : trouble.until }

    /// Whether all inputs have been taken.
    var needsInputs: Bool { inputs.isEmpty }

    /// Adds inputs to those that wait.
    mutating func add(_ more: [SchedulerInput]) {
        inputs += more
    }

    /// Takes the next step, whose effects are ``unwritten`` then; nil if there is nothing to do.
    ///
    /// A clock that was set, and a sleep, are dealt with before anything else: otherwise they would end timers whose clock they
    /// do not move.
    mutating func step(at reading: ClockReading) -> Step? {
        var taken = Step()
        let input: SchedulerInput
        if reading.setBy != setBy {
            taken.clockStep = reading.setBy - setBy
            input = .clockStepped(by: reading.setBy - setBy)
            setBy = reading.setBy
        } else if reading.slept != slept {
            taken.sleep = reading.slept - slept
            input = .slept(for: reading.slept - slept)
            slept = reading.slept
        } else if isMoreDue {
            input = .due
        } else if let first = inputs.popFirst() {
            input = first
        } else {
            return nil
        }
        let effects = state.step(input, now: reading.now)
        isMoreDue = effects.isMoreDue
        unwritten = effects
        return taken
    }

    /// Takes note that the effects are in the store.
    mutating func written() {
        unwritten = nil
    }
}
