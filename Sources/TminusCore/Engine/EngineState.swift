/// Everything that the engine decides, as one value: the schedule, the deliveries in hand, and the commit on its way.
///
/// A step takes what happened since the last one, and one reading of the clock, and returns what is to be done. At most one commit is
/// on its way at a time. While it is, attempts end and others begin in their place, and what they leave gathers for the next
/// commit; the schedule waits, because it must not be further ahead of the store than one commit.
package struct EngineState: Sendable {
    /// How many changed schedules or firings make a commit large enough.
    static let commitSize = 1_000

    private let owner: String
    private(set) var feed: ScheduleFeed
    private(set) var dispatch: DispatchMachine
    private var clock: ClockMoves
    private var fires = FireWaits()
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
        feed = ScheduleFeed(
            ScheduleMachine(snapshot, trustsClock: trustsClock), firstPart: firstPart, isComplete: isFollower)
        dispatch = DispatchMachine(
            source: source, reportsSuccesses: reportsSuccesses, isFollower: isFollower, labels: labels,
            makeSink: makeSink)
        clock = ClockMoves(since: reading, isFollower: isFollower)
    }

    /// Takes what happened, and decides what is to be done.
    package mutating func step(_ inputs: [EngineInput], at reading: ClockReading) -> Turn {
        turn = Turn()
        count(reading)
        turn.reports += clock.notice(reading, &feed.inputs)
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
            let due = feed.schedule.nextDue.map { max($0, dispatch.saturatedUntil(reading) ?? $0) }
            let next = trouble.until.map { [$0] } ?? [due, dispatch.wakeAt(reading)]
            times += clock.silence(at: reading).map { [$0] } ?? next
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
        case .schedule(let input): feed.inputs.append(input, at: reading.now)
        case .request(let request, let ticket): take(request, ticket)
        case .ended(let outcome): dispatch.ended(outcome)
        case .committed(let result): committed(result, at: reading)
        case .discarded(let discarded):
            dispatch.discard(discarded)
            answer(fires.discarded(Set(discarded.deliveries)))
            if !discarded.endedExpiries.isEmpty { feed.inputs.append(.ended(discarded.endedExpiries), at: reading.now) }
        case .others(let news):
            dispatch.hint()
            turn.changed.formUnion(news.definitions)
            answer(fires.ended(news.outcomes))
            if !news.endedExpiries.isEmpty { feed.inputs.append(.ended(news.endedExpiries), at: reading.now) }
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
        feed.append(request, ticket)
        if isStopping { refuseRequests("the daemon is stopping") }
    }

    private mutating func answerQuestions() { turn.answers += feed.answerQuestions(dispatch.sinks) }

    private mutating func refuseRequests(_ reason: String) {
        answerQuestions()
        turn.answers += feed.refuseRequests(reason)
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
        guard clock.silence(at: reading) == nil else { return }
        guard !trouble.isWaiting(at: reading) else {
            // Nobody waits for a store that may be full for days.
            return refuseRequests(trouble.reason)
        }
        if repeatUncertain(at: reading) { return }
        if let refused {
            self.refused = nil
            return fly(refused, .nobody, isRepeat: true, at: reading)
        }
        if feed.inputs.isEmpty { answerQuestions() }
        let step = feed.step(beside: dispatch, at: reading)
        for (effects, origin) in step.unchanged { answer(effects, origin, at: reading) }
        turn.visits = step.effects.visits
        fly(step.effects, step.origin, at: reading)
        if flight == nil, feed.inputs.isEmpty { answerQuestions() }
    }

    /// Sends a commit on its way, with what the deliveries in hand have to write and to claim.
    private mutating func fly(
        _ effects: ScheduleEffects, _ origin: Origin, isRepeat: Bool = false, at reading: ClockReading
    ) {
        var commit = effects.commit
        let hadDueClaim = dispatch.dueClaim.isDue(at: reading)
        if !commit.isEmpty || clock.unwritten != .zero || dispatch.wantsCommit(at: reading) {
            commit.clockStep = clock.unwritten
            commit.settlements = dispatch.unwritten.settlements(at: reading)
            if feed.isComplete { commit.claim = dispatch.claimRequest(owner: owner, at: reading) }
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
        clock.written(commit.clockStep)
        turn.changed.formUnion(dispatch.unwritten.definitions(of: commit.settlements.count))
        dispatch.written(settlements: commit.settlements.count)
        if let sinks = commit.sinks { dispatch.use(sinks, at: reading) }
        dispatch.take(
            committed.inSteadyTime(setBy: reading.setBy - clock.unwritten), requested: commit.claim, at: reading)
        // A store may hand out less of what it writes than there is room for.
        if commit.firings.reduce(0, { $0 + $1.targets.count }) > committed.claimed.count { dispatch.hint() }
        if !committed.endedExpiries.isEmpty { feed.inputs.prepend(.ended(committed.endedExpiries)) }
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
        feed.takeBack(flight.origin)
        switch flight.origin {
        case .control(let ticket, _):
            turn.answers.append((ticket, .control(.failure(.unwritten(reason: "\(error)")))))
        case .controlAll(let ticket, _):
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
