internal import DequeModule

/// Everything that the engine decides, as one value: the schedule, the deliveries in hand, and the commit on its way.
///
/// A step takes what happened since the last one, and one reading of the clock, and returns what is to be done. At most one commit is
/// on its way at a time. While it is, attempts end and others begin in their place, and what they leave gathers for the next
/// commit; the schedule waits, because it must not be further ahead of the store than one commit.
package struct EngineState: Sendable {
    /// How many changed schedules or firings make a commit large enough.
    static let commitSize = 1_000

    private let owner: String
    private let isFollower: Bool
    private(set) var schedule: ScheduleMachine
    private(set) var dispatch: DispatchMachine
    private var setBy: Duration
    private var slept: Duration
    /// By how much the clock was set without the store knowing it.
    private var unwrittenClockStep: Duration = .zero
    private var inputs: WaitingInputs
    private var requests: Deque<(request: EngineRequest, ticket: UInt64)> = []
    private var questions: [(request: EngineRequest, ticket: UInt64)] = []
    private var fires = FireWaits()
    /// Whether the whole first set was taken in. Until then nothing is claimed: what is due may be of a definition that was changed or
    /// removed while no daemon ran, and only the set tells.
    private var isComplete: Bool
    private var flight: Flight?
    /// What the store refused of the schedule: written again before anything else.
    private var refused: ScheduleEffects?
    /// The commit whose outcome is unknown. It is sent again before anything else.
    private var uncertain: Flight?
    private var throttle = FailureThrottle()
    private var trouble = StoreTrouble()
    /// Whether the engine begins nothing new any more.
    package private(set) var isStopping = false
    private var isPinged = false
    /// What was counted so far.
    var figures = EngineFigures()
    /// For when the last step asked to be woken, and how far the clock had been set then.
    var armed: (at: Timestamp?, setBy: Duration) = (nil, .zero)
    private var turn = Turn()

    /// An engine that resumes from what was stored.
    ///
    /// - Parameters:
    ///   - owner: Names the process in its claims.
    ///   - source: The CloudEvents source of the deliveries.
    ///   - makeSink: Makes a sink from its spec, without I/O; nil if the program does not know it.
    ///   - reportsSuccesses: Whether each delivered delivery is reported.
    ///   - isFollower: Whether another machine has the schedule, so that this one only delivers.
    ///   - labels: The labels of this machine.
    ///   - firstPart: How many definitions of the first set are written in one commit. All in one would take as much memory again
    ///     as they do.
    package init(
        _ snapshot: StoreSnapshot, owner: String, source: String, at reading: ClockReading,
        trustsClock: Bool = true, reportsSuccesses: Bool = false, isFollower: Bool = false,
        labels: Set<MachineLabel> = [], firstPart: Int = 10_000,
        makeSink: @escaping @Sendable (SinkSpec) -> ConfiguredSink?
    ) {
        self.owner = owner
        self.isFollower = isFollower
        isComplete = isFollower
        inputs = WaitingInputs(firstPart: firstPart)
        schedule = ScheduleMachine(snapshot, trustsClock: trustsClock)
        dispatch = DispatchMachine(
            source: source, reportsSuccesses: reportsSuccesses, isFollower: isFollower, labels: labels,
            makeSink: makeSink)
        setBy = reading.setBy
        slept = reading.slept
    }

    /// Takes what happened, and decides what is to be done.
    package mutating func step(_ inputs: [EngineInput], at reading: ClockReading) -> Turn {
        turn = Turn()
        count(reading)
        noticeClock(reading)
        for input in inputs { take(input, at: reading) }
        if isPinged { turn.pulse = Pulse(commitAge: flight?.began.duration(to: reading.steady)) }
        isPinged = false
        answer(fires.takeOverdue(at: reading.steady))
        // First, because it ends what expired in line and gives back what waits too long: the commit carries it.
        turn.begin = dispatch.begin(at: reading)
        if flight == nil { prepareCommit(at: reading) }
        turn.cancel = dispatch.takeCancelled()
        turn.close = dispatch.retire(at: reading)
        for (delivery, outcome, sink) in dispatch.takeReports()
        where !outcome.isRetry || throttle.reports(delivery, at: reading.steady) {
            turn.reports.append(.delivery(delivery, outcome, sink: sink))
        }
        turn.wakeAt = wakeAt(reading)
        armed = (turn.wakeAt, reading.setBy)
        if turn.pulse != nil { turn.figures = figuresNow }
        turn.isOver = isOver
        assert(dispatch.isCounted, "a claimed delivery is in two places, or in none")
        return turn
    }

    /// The sinks that are left when the engine is over, to be shut down.
    package mutating func close() -> [any Sink] {
        dispatch.close()
    }

    /// What remains to be told when the engine is over; nil if every end of an attempt is written.
    package var unrecorded: EngineReport? {
        guard let error = trouble.error, dispatch.hasSettlements else { return nil }
        return .unrecorded(dispatch.settlementCount, error)
    }

    private var isOver: Bool {
        isStopping && flight == nil && dispatch.inHand == 0 && (!dispatch.hasSettlements || trouble.isPresent)
    }

    private func wakeAt(_ reading: ClockReading) -> Timestamp? {
        guard !isStopping else { return nil }
        var times = [fires.deadline?.advanced(by: reading.setBy)]
        // The commit on its way wakes the engine.
        if flight == nil {
            let due = schedule.nextDue.map { max($0, dispatch.saturatedUntil(reading) ?? $0) }
            times += trouble.until.map { [$0] } ?? [due, dispatch.wakeAt(reading)]
        }
        return times.compactMap(\.self).min()
    }
}

// MARK: - Inputs

extension EngineState {
    private mutating func take(_ input: EngineInput, at reading: ClockReading) {
        switch input {
        case .wake: break
        case .ping: isPinged = true
        case .hint: dispatch.hint()
        case .storeAnswers:
            trouble.askNow()
            dispatch.hint()
        case .schedule(let input): inputs.append(input, at: reading.now)
        case .request(let request, let ticket): take(request, ticket)
        case .ended(let outcome): dispatch.ended(outcome)
        case .committed(let result): committed(result, at: reading)
        case .discarded(let discarded):
            dispatch.discard(discarded)
            answer(fires.discarded(Set(discarded.deliveries)))
            if !discarded.endedExpiries.isEmpty { inputs.append(.ended(discarded.endedExpiries), at: reading.now) }
        case .others(let news):
            dispatch.hint()
            turn.changed.formUnion(news.definitions)
            answer(fires.ended(news.outcomes))
            if !news.endedExpiries.isEmpty { inputs.append(.ended(news.endedExpiries), at: reading.now) }
        case .giveUp: dispatch.giveUp()
        case .abandon:
            let attempts = dispatch.abandon(at: reading)
            if attempts > 0 { turn.reports.append(.abandoned(attempts: attempts)) }
        case .stop:
            guard !isStopping else { return }
            isStopping = true
            refuseRequests("the daemon is stopping")
            dispatch.stop(at: reading)
            if dispatch.inHand > 0 { turn.reports.append(.waiting(attempts: dispatch.inHand)) }
        }
    }

    private mutating func take(_ request: EngineRequest, _ ticket: UInt64) {
        switch request {
        case .page, .entry, .mute, .sinkTitles, .drafts: questions.append((request, ticket))
        case .control, .controlAll, .fire: requests.append((request, ticket))
        }
        if isStopping { refuseRequests("the daemon is stopping") }
    }

    /// A clock that was set, and a sleep, come before anything else: otherwise they would end timers whose clock they do not move.
    private mutating func noticeClock(_ reading: ClockReading) {
        if reading.slept != slept {
            let slept = reading.slept - slept
            inputs.prepend(.slept(for: slept))
            turn.reports.append(.slept(for: slept))
            self.slept = reading.slept
        }
        if reading.setBy != setBy {
            let step = reading.setBy - setBy
            inputs.clockSet(by: step)
            inputs.prepend(.clockStepped(by: step))
            // The leader moves what waits in the store.
            if !isFollower { unwrittenClockStep += step }
            turn.reports.append(.clockSet(by: step))
            setBy = reading.setBy
        }
    }

    /// Answers the questions that wait.
    private mutating func answerQuestions() {
        for (question, ticket) in questions {
            switch question {
            case .page(let start, let limit):
                turn.answers.append((ticket, .page(schedule.page(from: start, limit: limit))))
            case .entry(let id): turn.answers.append((ticket, .entry(schedule.entry(id))))
            case .mute: turn.answers.append((ticket, .mute(schedule.mute)))
            case .sinkTitles(let keys): turn.answers.append((ticket, .sinkTitles(schedule.sinkTitles(keys))))
            case .drafts(let deliveries): turn.answers.append((ticket, .drafts(dispatch.sinks.drafts(of: deliveries))))
            case .control, .controlAll, .fire: break
            }
        }
        questions = []
    }

    private mutating func refuseRequests(_ reason: String) {
        answerQuestions()
        for (request, ticket) in requests { turn.answers.append((ticket, request.refusal(.unwritten(reason: reason)))) }
        requests = []
        answer(fires.takeAll())
    }

    private mutating func answer(_ fires: [FireWaits.Answer]) {
        for (ticket, outcomes) in fires { turn.answers.append((ticket, .fire(.success(outcomes)))) }
    }
}

// MARK: - Commits

extension EngineState {
    private mutating func prepareCommit(at reading: ClockReading) {
        guard !isStopping else {
            // Each end is tried once more; nobody waits for a store that refuses.
            if case .refuses = turn.store { return }
            if repeatUncertain(at: reading) { return }
            return fly(ScheduleEffects(), .nobody, at: reading)
        }
        guard !trouble.isWaiting(at: reading) else {
            // Nobody waits for a store that may be full for days.
            return refuseRequests(trouble.reason)
        }
        if repeatUncertain(at: reading) { return }
        if let refused {
            self.refused = nil
            return fly(refused, .nobody, isRepeat: true, at: reading)
        }
        if inputs.isEmpty { answerQuestions() }
        let (effects, origin) = stepSchedule(at: reading)
        turn.visits = effects.visits
        fly(effects, origin, at: reading)
        if flight == nil, inputs.isEmpty { answerQuestions() }
    }

    /// Steps the schedule as far as one commit takes, and no further than one turn may take.
    private mutating func stepSchedule(at reading: ClockReading) -> (ScheduleEffects, Origin) {
        var all = ScheduleEffects()
        while all.commit.schedules.count + all.commit.firings.count < Self.commitSize,
            all.visits < ScheduleMachine.visitLimit
        {
            if inputs.isEmpty, let request = requests.first {
                // Alone in its commit, so that it can be taken back if the store refuses.
                guard all.commit.isEmpty else { break }
                requests.removeFirst()
                let (effects, origin) = perform(request.request, request.ticket, at: reading)
                all.append(effects)
                if !effects.commit.isEmpty { return (all, origin) }
                answer(effects, origin, at: reading)
                continue
            }
            let horizon = inputs.horizon(reading.now)
            let due = inputs.isEmpty ? schedule.nextDue : schedule.nextNew
            let isDue = due.map { $0 <= horizon } ?? false
            if !inputs.beginsWithClock, isDue {
                guard dispatch.saturatedUntil(reading) == nil else { break }
                all.append(schedule.step(.due, now: horizon))
            } else if let next = inputs.popFirst(now: reading.now) {
                if case .definitions = next.input { isComplete = true }
                var effects = schedule.step(next.input, now: next.instant)
                effects.generation = next.generation
                all.append(effects)
            } else {
                break
            }
        }
        return (all, .nobody)
    }

    private mutating func perform(
        _ request: EngineRequest, _ ticket: UInt64, at reading: ClockReading
    ) -> (ScheduleEffects, Origin) {
        switch request {
        case .control(let control):
            let former = schedule.entry(control.id)
            return (
                schedule.step(.control(control), now: reading.now), .control(ticket: ticket, former: former)
            )
        case .controlAll(let control):
            let former = schedule
            return (
                schedule.step(.controlAll(control), now: reading.now), .controlAll(ticket: ticket, former: former)
            )
        case .fire(let firing, let waits):
            var effects = ScheduleEffects()
            effects.commit.firings = [firing]
            return (effects, .fire(ticket: ticket, waits: waits))
        case .page, .entry, .mute, .sinkTitles, .drafts:
            return (ScheduleEffects(), .nobody)
        }
    }

    /// Sends a commit on its way, with what the deliveries in hand have to write and to claim.
    private mutating func fly(
        _ effects: ScheduleEffects, _ origin: Origin, isRepeat: Bool = false, at reading: ClockReading
    ) {
        var commit = effects.commit
        let hadDueClaim = dispatch.dueClaim.isDue(at: reading)
        if !commit.isEmpty || unwrittenClockStep != .zero || dispatch.wantsCommit(at: reading) {
            commit.clockStep = unwrittenClockStep
            commit.settlements = dispatch.settlements(at: reading)
            if isComplete { commit.claim = dispatch.claimRequest(owner: owner, at: reading) }
            // The next commit claims these firings, and brings what came due while the store refused. That waits behind them
            // while they are pending; once one is claimed, `overlap: skip` would skip it.
            if isRepeat, !commit.firings.isEmpty {
                commit.claim?.limit = 0
                dispatch.hint()
            }
        }
        guard !commit.isEmpty else { return conclude(effects, origin, at: reading) }
        flight = Flight(
            commit: commit, effects: effects, origin: origin, hadDueClaim: hadDueClaim, began: reading.steady)
        turn.commit = commit
    }

    /// Sends the uncertain commit again, unchanged; false if there is none.
    private mutating func repeatUncertain(at reading: ClockReading) -> Bool {
        guard var flight = uncertain else { return false }
        uncertain = nil
        flight.began = reading.steady
        self.flight = flight
        turn.commit = flight.commit
        return true
    }

    private mutating func committed(_ result: Result<Committed, StoreError>, at reading: ClockReading) {
        guard let flight else { return }
        self.flight = nil
        switch result {
        case .success(let committed): written(flight, committed, at: reading)
        case .failure(let error): refused(flight, error, at: reading)
        }
    }

    private mutating func written(_ flight: Flight, _ committed: Committed, at reading: ClockReading) {
        let commit = flight.commit
        figures.written(commit)
        unwrittenClockStep -= commit.clockStep
        turn.changed.formUnion(dispatch.definitions(ofEnds: commit.settlements.count))
        dispatch.written(settlements: commit.settlements.count)
        if let sinks = commit.sinks { dispatch.use(sinks, at: reading) }
        dispatch.take(
            committed.inSteadyTime(setBy: reading.setBy - unwrittenClockStep), requested: commit.claim, at: reading)
        // A store may hand out less of what it writes than there is room for.
        if commit.firings.reduce(0, { $0 + $1.targets.count }) > committed.claimed.count { dispatch.hint() }
        if !committed.endedExpiries.isEmpty { inputs.prepend(.ended(committed.endedExpiries)) }
        turn.reports += committed.unreadable.map(EngineReport.unreadable)
        if !committed.setAside.isEmpty { turn.reports.append(.setAside(committed.setAside)) }
        answer(fires.settled(commit.settlements))
        if trouble.ended() { turn.reports.append(.storeWorks) }
        turn.store = .works
        conclude(flight.effects, flight.origin, at: reading)
    }

    private mutating func refused(_ flight: Flight, _ error: StoreError, at reading: ClockReading) {
        if error.kind == .uncertain {
            // What it answers is not known yet.
            uncertain = flight
            if trouble.failed(error, at: reading) { turn.reports.append(.storeRefused(error)) }
            turn.store = .refuses("\(error)")
            return
        }
        // Else it would wait for the next hint.
        if flight.hadDueClaim { dispatch.hint() }
        switch flight.origin {
        case .control(let ticket, let former):
            if let former { schedule.withdraw(to: former) }
            turn.answers.append((ticket, .control(.failure(.unwritten(reason: "\(error)")))))
        case .controlAll(let ticket, let former):
            schedule = former
            turn.answers.append((ticket, .controlAll(.failure(.unwritten(reason: "\(error)")))))
        case .fire(let ticket, _):
            turn.answers.append((ticket, .fire(.failure(.unwritten(reason: "\(error)")))))
        case .nobody:
            if !flight.effects.commit.isEmpty { refused = flight.effects }
            if trouble.failed(error, at: reading) { turn.reports.append(.storeRefused(error)) }
            turn.store = .refuses("\(error)")
            return
        }
        // Somebody was told, and may ask again.
        turn.store = .refusesControls("\(error)")
    }

    /// Passes on what follows from effects that need not be written any more.
    private mutating func conclude(_ effects: ScheduleEffects, _ origin: Origin, at reading: ClockReading) {
        turn.generation = effects.generation ?? turn.generation
        turn.changed.formUnion(effects.changed)
        turn.changed.formUnion(effects.commit.schedules.lazy.map(\.id))
        turn.schedulesWritten += effects.commit.schedules.count
        turn.reports += effects.reports.map(EngineReport.schedule)
        answer(effects, origin, at: reading)
    }

    private mutating func answer(_ effects: ScheduleEffects, _ origin: Origin, at reading: ClockReading) {
        switch origin {
        case .nobody: break
        case .control(let ticket, _):
            if let answer = effects.answer { turn.answers.append((ticket, .control(answer))) }
        case .controlAll(let ticket, _):
            if let answer = effects.generalAnswer { turn.answers.append((ticket, .controlAll(answer))) }
        case .fire(let ticket, let waits):
            if waits {
                let targets = effects.commit.firings.flatMap(\.targets)
                let patience = min(
                    dispatch.sinks.timeLimit(of: targets.map(\.sink)) + Firing.waitMargin, Firing.longestWait)
                fires.wait(ticket, for: targets.map(\.delivery), until: reading.steady.advanced(by: patience))
            } else {
                turn.answers.append((ticket, .fire(.success([:]))))
            }
        }
    }
}
