/// What a timer makes due, followed from its beginning through controls, edits, clock steps and sleep.
///
/// Where it cannot be followed, such as after a control whose answer a crash lost, the walk says so, and nothing is
/// demanded until the timer is seen again.
struct CountdownWalk {
    private enum Phase { case idle, running, paused, over, acting, unknown }

    let course: Course
    let orders: [Order]
    /// The expiries that sinks received of the timer.
    let seen: [Seen]
    private(set) var dues: [Due] = []
    /// Where the walk could not follow, in steady time.
    private(set) var gaps: [ClosedRange<Nanoseconds>] = []

    private var phase = Phase.idle {
        didSet { if phase == .unknown, oldValue != .unknown { lost = time } }
    }
    /// Since when it cannot be followed.
    private var lost: Nanoseconds = 0
    private var (start, deadline, held, added): (Nanoseconds, Nanoseconds, Nanoseconds, Nanoseconds) = (0, 0, 0, 0)
    /// How many cycles have ended; nil if that is not known.
    private var count: Int? = 0
    private var time: Nanoseconds = 0

    init(course: Course, orders: [Order], seen: [Seen]) {
        self.course = course
        self.orders = orders
        self.seen = seen
    }

    /// Follows one reign; call it for the reigns of a definition in their order.
    mutating func follow(_ reign: Reign) {
        guard
            case .timer(let duration, let repetition, let limit, let isAuto, let followsWall, let isAwake) =
                reign.rule.kind
        else { return }
        time = reign.from
        enter(reign, duration: duration, isAuto: isAuto)
        // It begins by the clock before it is set at this moment, or after that.
        if followsWall, course.isSet(at: reign.from) { phase = .unknown }
        if count == nil, limit != .max { phase = .unknown }
        if orders.contains(where: { $0.mayCoincide(with: reign) }) { phase = .unknown }
        for turn in moments(of: reign) {
            run(to: turn - 1, reign, duration, repetition, limit)
            change(at: turn, duration, followsWall: followsWall, isAwake: isAwake)
            if phase == .running, !followsWall, course.isSet(at: turn), isDue(course.wall(at: turn), reign) {
                phase = .unknown
            }
        }
        run(to: reign.to, reign, duration, repetition, limit)
        // An edit may wait for a commit that is on its way. Until then the timer goes on.
        if !course.isQuiet(at: reign.to), let trouble = course.trouble(at: reign.to) {
            gaps.append(reign.to...trouble.to)
        }
        guard phase == .unknown else { return }
        gaps.append(lost...reign.to)
        lost = reign.to
    }

    private mutating func enter(_ reign: Reign, duration: Nanoseconds, isAuto: Bool) {
        guard course.isQuiet(at: reign.from), !course.mayHaveMissedFormer(of: reign) else {
            phase = .unknown
            return
        }
        let now = course.wall(at: reign.from)
        guard let former = reign.former, case .timer(_, let before, _, _, _, _) = former.kind else {
            // What came back goes on from a state that is not known here.
            let isNew = !reign.isReturn || reign.former != nil
            if isNew { begin(now, duration, isAuto) } else { phase = .unknown }
            return
        }
        guard former.kind != reign.rule.kind else { return }
        // What came due while no process ran, or is not stored, was not noticed. An edit made then is applied before it, to the
        // former cycle.
        if let trouble = course.trouble(at: reign.from),
            course.raw.contains(where: { $0.isBlind && $0.to == reign.from }),
            dues.contains(where: { $0.crossed >= trouble.from - course.delay })
        {
            phase = .unknown
            return
        }
        switch phase {
        case .idle, .over: begin(now, duration, isAuto)
        case .running where before != .afterAction:
            let end = start + duration + added
            if end > now {
                deadline = end
                return
            }
            (start, added, deadline) = (now, 0, now + duration)
        default: phase = .unknown
        }
    }

    /// Whether something is due at an instant.
    private func isDue(_ instant: Nanoseconds, _ reign: Reign) -> Bool {
        deadline == instant || reign.rule.leads.contains { $0.due(of: deadline) == instant }
    }

    private mutating func begin(_ now: Nanoseconds, _ duration: Nanoseconds, _ isAuto: Bool) {
        guard isAuto else {
            phase = .idle
            return
        }
        (phase, start, deadline, added, count) = (.running, now, now + duration, 0, 0)
    }

    /// When something changes the countdown, in order.
    private func moments(of reign: Reign) -> [Nanoseconds] {
        var all: [Nanoseconds] = []
        for order in orders where order.mayConcern(reign.definition) && order.wish.verb != .fire {
            all.append(order.from)
        }
        for step in course.steps { all.append(step.steady) }
        // What only counts while the machine is awake stands still from the beginning of a sleep on.
        for sleep in course.sleeps { all.append(sleep.steady - sleep.length) }
        return Set(all.filter { $0 > reign.from && $0 <= reign.to }).sorted()
    }

    private mutating func run(
        to end: Nanoseconds, _ reign: Reign, _ duration: Nanoseconds, _ repetition: Rule.Repetition, _ limit: Int
    ) {
        while time < end {
            switch phase {
            case .idle, .paused:
                time = end
                return
            case .over:
                addLeads(reign, to: end, isBefore: false)
                time = end
                return
            case .acting: finishActing(reign, duration, to: end)
            case .unknown:
                guard find(reign, duration, repetition, limit, to: end) else {
                    time = end
                    return
                }
            case .running:
                let crossed = course.crossing(of: deadline, after: time, upTo: end)
                addLeads(reign, to: crossed ?? end, isBefore: true)
                guard let crossed else {
                    time = end
                    return
                }
                add(reign, .expiry, due: deadline, crossed: crossed)
                // One step of the clock may cross several deadlines and reminders.
                time = course.steps.contains { $0.steady == crossed } ? crossed - 1 : crossed
                count = count.map { $0 + 1 }
                switch repetition {
                case .never: phase = .over
                case _ where count ?? 0 >= limit: phase = .over
                case .immediately: (start, deadline, added) = (deadline, deadline + duration, 0)
                case .afterAction: phase = .acting
                }
            }
        }
    }

    /// Sees an unknown timer again by an expiry that its sink received on time.
    private mutating func find(
        _ reign: Reign, _ duration: Nanoseconds, _ repetition: Rule.Repetition, _ limit: Int, to end: Nanoseconds
    ) -> Bool {
        guard limit == .max, repetition != .never,
            let next = seen.first(where: { seen in
                seen.begun > time && seen.begun <= end && seen.attempt.due == seen.wall
                    && seen.attempt.due == seen.attempt.occurrence && course.isCalm(seen.begun - 1, seen.begun)
            })
        else { return false }
        gaps.append(lost...next.begun)
        (time, start, deadline, added, count) = (next.begun, next.wall, next.wall + duration, 0, nil)
        phase = .running
        if repetition == .afterAction { (phase, deadline) = (.acting, next.wall) }
        return true
    }

    /// The next cycle begins when each sink has told that it took the expiry. In a fleet the process with the schedule learns that later.
    private mutating func finishActing(_ reign: Reign, _ duration: Nanoseconds, to end: Nanoseconds) {
        let own = seen.filter { $0.attempt.occurrence == deadline && $0.attempt.due == deadline && $0.begun >= time }
        let ends = reign.rule.sinks.map { sink in
            own.first { $0.attempt.sink == sink && $0.verdict == .delivered }?.ended
        }
        let latest = ends.compactMap(\.self).max() ?? .max
        guard own.count == ends.count, !ends.contains(nil), latest <= end, course.isCalm(time, latest)
        else {
            phase = .unknown
            return
        }
        let soonest = course.wall(at: latest) + duration
        guard let next = course.isFleet ? learned(reign, soonest, after: latest, to: end) : soonest else {
            phase = .unknown
            return
        }
        (time, phase, start, deadline, added) = (latest, .running, next - duration, next, 0)
    }

    /// When the next expiry is due of a timer whose process learned a little later that the last one has ended; nil if that is not known.
    private func learned(
        _ reign: Reign, _ soonest: Nanoseconds, after ended: Nanoseconds, to end: Nanoseconds
    ) -> Nanoseconds? {
        guard isUndisturbed(ended, ended + Course.learning, end) else { return nil }
        // A step of the clock or a sleep moves the expiry that is seen away from where the timer stands now.
        let moves = course.steps.map(\.steady) + course.sleeps.map(\.steady)
        guard !moves.contains(where: { $0 > ended && course.wall(at: $0) <= soonest + Course.learning })
        else { return nil }
        let next = seen.first { seen in
            seen.attempt.due == seen.attempt.occurrence
                && (soonest...soonest + Course.learning).contains(seen.attempt.due)
        }
        return next?.attempt.due ?? (isCertain(reign, soonest, after: ended, to: end) ? soonest : nil)
    }

    /// Whether nothing can keep an expiry that is due at about `soonest` from its sinks.
    private func isCertain(
        _ reign: Reign, _ soonest: Nanoseconds, after ended: Nanoseconds, to end: Nanoseconds
    ) -> Bool {
        guard reign.rule.isEnabled, let crossed = course.crossing(of: soonest, after: ended, upTo: end) else {
            return false
        }
        return isUndisturbed(ended, crossed + Course.learning, end)
    }

    /// Whether nobody and nothing interferes in a closed stretch, which is over before `end`.
    private func isUndisturbed(_ from: Nanoseconds, _ to: Nanoseconds, _ end: Nanoseconds) -> Bool {
        let isAway = course.away.contains { $0.from <= to && $0.to >= from }
        let isTouched = orders.contains { $0.wish.verb != .fire && $0.to >= from && $0.from <= to }
        return !isAway && !isTouched && course.isCalm(from, to) && to < end
    }

    private mutating func addLeads(_ reign: Reign, to end: Nanoseconds, isBefore: Bool) {
        for lead in reign.rule.leads where lead.isBefore == isBefore {
            let due = lead.due(of: deadline)
            if let crossed = course.crossing(of: due, after: time, upTo: end) {
                add(reign, .reminder, due: due, crossed: crossed)
            }
        }
    }

    private mutating func add(_ reign: Reign, _ action: Action, due: Nanoseconds, crossed: Nanoseconds) {
        dues.append(
            Due(
                key: .init(definition: reign.definition, occurrence: deadline, action: action, due: due),
                crossed: crossed, rule: reign.rule, until: reign.to,
                isFirst: due > course.latestWall(upTo: crossed - 1) || !course.isSetBack(upTo: crossed)))
    }

    private mutating func change(at steady: Nanoseconds, _ duration: Nanoseconds, followsWall: Bool, isAwake: Bool) {
        time = steady - 1
        for step in course.steps where step.steady == steady {
            // A process that ends before it has stored the step leaves the end where it was on the clock.
            if step.by < 0, followsWall || !step.isUp { phase = .unknown }
            if step.isUp, !followsWall, !course.isQuiet(at: steady) { phase = .unknown }
            // What comes after an expiry keeps its distance from the last thing that came.
            if course.isCorrection(step), phase == .over { phase = .unknown }
            if step.isUp, !followsWall {
                // The end moves with the clock, so the step crosses nothing. It stays if it is past already.
                if phase != .over { time = steady }
                shift(by: step.by, withHeld: true)
            }
        }
        if course.blurs.contains(steady), !followsWall, !isAwake, phase != .idle { phase = .unknown }
        for sleep in course.sleeps {
            let begin: Nanoseconds = sleep.steady - sleep.length
            guard isAwake, begin == steady else { continue }
            if sleep.isUp, course.isQuiet(at: sleep.steady) {
                shift(by: sleep.length, withHeld: false)
            } else {
                phase = .unknown
            }
        }
        for order in orders where order.from == steady && order.isDone != false {
            // What a step of the clock crosses may come before it or after it.
            let isInOrder = !followsWall || !course.isSet(at: steady)
            let isKnown = order.isDone == true && order.to == steady && course.isQuiet(at: steady) && isInOrder
            apply(order.wish, isKnown: isKnown, now: course.wall(at: steady), duration)
        }
    }

    private mutating func shift(by step: Nanoseconds, withHeld: Bool) {
        switch phase {
        case .running: break
        case .paused: guard withHeld else { return }
        case .acting:
            phase = .unknown
            return
        case .idle, .over, .unknown: return
        }
        (start, deadline, held) = (start + step, deadline + step, held + step)
    }

    private mutating func apply(_ wish: Wish, isKnown: Bool, now: Nanoseconds, _ duration: Nanoseconds) {
        switch wish.verb {
        case .lap, .mute, .unmute, .fire: return
        // A repeating timer may pass over what it does not send.
        case .snooze, .skip: return
        case .start, .add, .pause, .resume, .stop, .reset: break
        }
        guard isKnown, phase != .unknown, phase != .acting else {
            phase = .unknown
            return
        }
        switch (wish.verb, phase) {
        case (.start, .idle), (.start, .over): begin(now, duration, true)
        case (.start, .paused), (.resume, .paused):
            (phase, start, deadline) = (.running, start + now - held, deadline + now - held)
        case (.add, .idle), (.add, .over):
            begin(now, duration, true)
            (deadline, added) = (deadline + wish.amount, wish.amount)
        case (.add, _): (deadline, added) = (deadline + wish.amount, added + wish.amount)
        case (.pause, .running): (phase, held) = (.paused, now)
        case (.stop, _): phase = .idle
        case (.reset, .running): begin(now, duration, true)
        case (.reset, _): phase = .idle
        default: break
        }
    }
}

extension Order {
    /// Whether an edit that changes what it acts on came before its answer, so it counts before that or after it.
    func mayCoincide(with reign: Reign) -> Bool {
        switch wish.verb {
        case .lap, .mute, .unmute, .fire, .snooze, .skip: false
        case .start, .add, .pause, .resume, .stop, .reset:
            from <= reign.from && reign.from <= to && mayConcern(reign.definition)
                && reign.former?.kind != reign.rule.kind
        }
    }
}

extension Course {
    /// Whether the clock was set at a steady time. What is due at that moment is named by the clock before or after.
    func isSet(at steady: Nanoseconds) -> Bool { steps.contains { $0.steady == steady } }

    /// Whether the program may never have had the rule before: it held for no time, or a crash forgot that it was of another kind.
    func mayHaveMissedFormer(of reign: Reign) -> Bool {
        guard let former = reign.former, let from = reign.formerFrom else { return false }
        let isForgotten = !isQuiet(at: from) && downs.contains { from <= $0.from && $0.to <= reign.from }
        return from == reign.from || !former.kind.isLike(reign.rule.kind) && isForgotten
    }

    /// Whether what the program did at a steady time is known to be stored: no trouble lasted then or began before it was written.
    func isQuiet(at steady: Nanoseconds) -> Bool {
        // A store that refused is asked again only within the slack. Until then an edit is only in memory, and a crash forgets it.
        let mayWait = raw.contains { !$0.isBlind && $0.from <= steady && steady <= $0.to + Self.slack }
        let written = steady + (mayWait ? Self.slack : delay)
        // So does a crash at that moment, even if the next process starts at once. The first stretch is before the first process.
        let isCutOff = downs.dropFirst().contains { $0.from == steady }
        return !isCutOff && !raw.contains { $0.from <= written && $0.to > steady }
    }
}
