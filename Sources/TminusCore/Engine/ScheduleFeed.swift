internal import DequeModule

/// The schedule, and what waits for it: inputs, requests and questions, each in its order.
///
/// It steps as far as one commit takes. A request that changes something is alone in its commit, so that it can be taken back if the
/// store refuses.
struct ScheduleFeed: Sendable {
    /// What the schedule did for one commit.
    struct Step {
        var effects = ScheduleEffects()
        /// The request that the commit answers.
        var origin = EngineState.Origin.nobody
        /// Requests that changed nothing, and so wait for no commit.
        var unchanged: [(effects: ScheduleEffects, origin: EngineState.Origin)] = []
    }

    private(set) var schedule: ScheduleMachine
    var inputs: WaitingInputs
    private var requests: Deque<(request: EngineRequest, ticket: UInt64)> = []
    private var questions: [(request: EngineRequest, ticket: UInt64)] = []
    /// Whether the whole first set was taken in. Until then nothing is claimed: what is due may be of a definition that was changed or
    /// removed while no daemon ran, and only the set tells.
    private(set) var isComplete: Bool

    /// - Parameters:
    ///   - firstPart: How many definitions of the first set are written in one commit.
    ///   - isComplete: Whether there is no first set to wait for.
    init(_ schedule: ScheduleMachine, firstPart: Int, isComplete: Bool) {
        self.schedule = schedule
        self.isComplete = isComplete
        inputs = WaitingInputs(firstPart: firstPart)
    }

    /// Adds a request. What changes nothing is a question, which is answered beside commits.
    mutating func append(_ request: EngineRequest, _ ticket: UInt64) {
        switch request {
        case .page, .entry, .mute, .sinkTitles, .drafts: questions.append((request, ticket))
        case .control, .controlAll, .fire: requests.append((request, ticket))
        }
    }

    /// Answers the questions that wait.
    mutating func answerQuestions(_ sinks: KnownSinks) -> [(ticket: UInt64, answer: EngineAnswer)] {
        defer { questions = [] }
        return questions.compactMap { question, ticket in
            switch question {
            case .page(let start, let limit): (ticket, .page(schedule.page(from: start, limit: limit)))
            case .entry(let id): (ticket, .entry(schedule.entry(id)))
            case .mute: (ticket, .mute(schedule.mute))
            case .sinkTitles(let keys): (ticket, .sinkTitles(schedule.sinkTitles(keys)))
            case .drafts(let deliveries): (ticket, .drafts(sinks.drafts(of: deliveries)))
            case .control, .controlAll, .fire: nil
            }
        }
    }

    /// Refuses the requests that wait.
    mutating func refuseRequests(_ reason: String) -> [(ticket: UInt64, answer: EngineAnswer)] {
        defer { requests = [] }
        return requests.map { ($0.ticket, $0.request.refusal(.unwritten(reason: reason))) }
    }

    /// Steps the schedule as far as one commit takes, and no further than one turn may take. While the sinks of `dispatch` are saturated,
    /// nothing is fired. A withdrawal also applies to what its commit fires, so what comes after it is of the next commit.
    mutating func step(beside dispatch: DispatchMachine, at reading: ClockReading) -> Step {
        var step = Step()
        while step.effects.commit.schedules.count + step.effects.commit.firings.count < EngineState.commitSize,
            step.effects.visits < ScheduleMachine.visitLimit, step.effects.commit.withdrawals.isEmpty
        {
            if inputs.isEmpty, let request = requests.first {
                guard step.effects.commit.isEmpty else { break }
                requests.removeFirst()
                let (effects, origin) = perform(request.request, request.ticket, at: reading)
                step.effects.append(effects)
                if !effects.commit.isEmpty {
                    step.origin = origin
                    break
                }
                step.unchanged.append((effects, origin))
                continue
            }
            let horizon = inputs.horizon(reading.now)
            let due = inputs.isEmpty ? schedule.nextDue : schedule.nextNew
            let isDue = due.map { $0 <= horizon } ?? false
            if !inputs.beginsWithClock, isDue {
                guard dispatch.saturatedUntil(reading) == nil else { break }
                step.effects.append(schedule.step(.due, now: horizon))
            } else if let next = inputs.popFirst(now: reading.now) {
                if next.isLastOfDefinitions { isComplete = true }
                var effects = schedule.step(next.input, now: next.instant)
                effects.generation = next.generation
                step.effects.append(effects)
            } else {
                break
            }
        }
        return step
    }

    private mutating func perform(
        _ request: EngineRequest, _ ticket: UInt64, at reading: ClockReading
    ) -> (ScheduleEffects, EngineState.Origin) {
        switch request {
        case .control(let control):
            let former = schedule.entry(control.id)
            return (schedule.step(.control(control), now: reading.now), .control(ticket: ticket, former: former))
        case .controlAll(let control):
            let former = schedule
            return (schedule.step(.controlAll(control), now: reading.now), .controlAll(ticket: ticket, former: former))
        case .fire(let firing, let waits):
            var effects = ScheduleEffects()
            effects.commit.firings = [firing]
            return (effects, .fire(ticket: ticket, waits: waits))
        case .page, .entry, .mute, .sinkTitles, .drafts:
            return (ScheduleEffects(), .nobody)
        }
    }

    /// Takes back what a request did, because the store refused it.
    mutating func takeBack(_ origin: EngineState.Origin) {
        switch origin {
        case .control(_, let former): if let former { schedule.withdraw(to: former) }
        case .controlAll(_, let former): schedule = former
        case .nobody, .fire: break
        }
    }
}
