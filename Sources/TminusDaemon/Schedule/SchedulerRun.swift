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

    private var state: ScheduleMachine
    private var setBy: Duration
    private var slept: Duration
    private var inputs: ArraySlice<ScheduleInput> = []
    /// How many definitions of the first set are taken up in one step: with a million in one, what is to be written of them would
    /// take as much memory as they do, and nothing would fire until all of it is written.
    private let part: Int
    private var hasDefinitions = false
    private var questions: [SchedulerDesk.Request] = []
    private var controls: ArraySlice<SchedulerDesk.Request.Control> = []
    /// The control that the last step was about, and its definition as it stood before.
    private var current: (control: SchedulerDesk.Request.Control, former: ScheduleEntry?)?
    /// Whether more is due than the last step could take.
    private(set) var isMoreDue = false
    private var generalControls: ArraySlice<SchedulerDesk.Request.GeneralControl> = []
    /// The control of everything that the last step was about, and all as it stood before.
    private var currentGeneral: (control: SchedulerDesk.Request.GeneralControl, former: ScheduleMachine)?
    /// What a step yielded that is not in the store yet. Until it is, there is no other step.
    private(set) var unwritten: ScheduleEffects?
    var trouble = StoreTrouble()

    /// A run that goes on from what was stored.
    init(_ snapshot: StoreSnapshot, at reading: ClockReading, part: Int = 100_000) {
        self.part = part
        state = ScheduleMachine(snapshot)
        setBy = reading.setBy
        slept = reading.slept
    }

    /// When the alarm is to ring.
    var wakeAt: Timestamp? { unwritten == nil ? state.nextDue : trouble.until }

    /// Whether all inputs have been taken.
    var needsInputs: Bool { inputs.isEmpty }

    /// Adds inputs to those that wait.
    mutating func add(_ more: [ScheduleInput]) {
        for input in more {
            if case .definitions(let set) = input, !hasDefinitions {
                hasDefinitions = true
                inputs += parts(of: set)
            }
            inputs.append(input)
        }
    }

    /// The same set once for each part of its definitions. The whole, which follows, then says what is gone.
    private func parts(of set: DefinitionSet) -> [ScheduleInput] {
        guard set.definitions.count > part else { return [] }
        var parts: [ScheduleInput] = []
        var ids: Set<DefinitionID> = []
        ids.reserveCapacity(part)
        for id in set.definitions.keys {
            ids.insert(id)
            guard ids.count == part else { continue }
            parts.append(.changes(set, of: ids))
            ids = Set(minimumCapacity: part)
        }
        return parts
    }

    /// Adds what was asked, to be dealt with when the inputs that came before it have been taken.
    mutating func add(_ requests: [SchedulerDesk.Request]) {
        for request in requests {
            switch request {
            case .control(let control): controls.append(control)
            case .controlAll(let control): generalControls.append(control)
            case .entries, .entry, .mute: questions.append(request)
            }
        }
    }

    /// Answers the questions that wait.
    mutating func answer() {
        for question in questions {
            switch question {
            case .entries(let reply): reply.resume(returning: state.all)
            case .entry(let id, let reply): reply.resume(returning: state.entry(id))
            case .mute(let reply): reply.resume(returning: state.mute)
            case .control, .controlAll: break
            }
        }
        questions = []
    }

    /// Takes the next step, whose effects are ``unwritten`` then; nil if there is nothing to do.
    ///
    /// A clock that was set, and a sleep, are dealt with before anything else: otherwise they would end timers whose clock they
    /// do not move.
    mutating func step(at reading: ClockReading) -> Step? {
        var taken = Step()
        let input: ScheduleInput
        if reading.setBy != setBy {
            taken.clockStep = reading.setBy - setBy
            input = .clockStepped(by: reading.setBy - setBy)
            setBy = reading.setBy
        } else if reading.slept != slept {
            taken.sleep = reading.slept - slept
            input = .slept(for: reading.slept - slept)
            slept = reading.slept
        } else if inputs.isEmpty, let control = controls.popFirst() {
            // Before the rest of what is due: after a long downtime that takes a while, and somebody waits.
            current = (control, state.entry(control.request.id))
            input = .control(control.request)
        } else if inputs.isEmpty, let control = generalControls.popFirst() {
            currentGeneral = (control, state)
            input = .controlAll(control.control)
        } else if isMoreDue, controls.isEmpty, generalControls.isEmpty {
            input = .due
        } else if let first = inputs.popFirst() {
            input = first
            // A slice keeps what was taken from it, and definitions that somebody still refers to are copied when they change.
            if inputs.isEmpty { inputs = [] }
        } else {
            return nil
        }
        let effects = state.step(input, now: reading.now)
        // The end of an expiry says nothing of what is due.
        if case .ended = input {} else { isMoreDue = effects.isMoreDue }
        unwritten = effects
        return taken
    }

    /// Takes note that the effects are in the store, and tells who waits for them.
    mutating func written() {
        if let control = current?.control, let answer = unwritten?.answer { control.reply.resume(returning: answer) }
        if let control = currentGeneral?.control, let answer = unwritten?.generalAnswer {
            control.reply.resume(returning: answer)
        }
        (current, currentGeneral) = (nil, nil)
        unwritten = nil
    }

    /// Takes the control of the last step back, as if it had not been asked for; false if that step was about something else.
    mutating func refuse(_ reason: String) -> Bool {
        if let (control, former) = currentGeneral {
            state = former
            currentGeneral = nil
            unwritten = nil
            isMoreDue = true
            control.refuse(reason)
            return true
        }
        guard let (control, former) = current else { return false }
        if let former { state.withdraw(to: former) }
        current = nil
        unwritten = nil
        isMoreDue = true
        control.refuse(reason)
        return true
    }

    /// Refuses everything that somebody waits for.
    mutating func refuseAll(_ reason: String) {
        answer()
        _ = refuse(reason)
        refuseWaiting(reason)
    }

    /// Refuses the controls that wait.
    mutating func refuseWaiting(_ reason: String) {
        for control in controls { control.refuse(reason) }
        for control in generalControls { control.refuse(reason) }
        (controls, generalControls) = ([], [])
    }
}
