/// What a stopwatch makes due, followed like ``CountdownWalk``.
struct StopwatchWalk {
    private enum Phase { case idle, running, paused, unknown }

    let course: Course
    let orders: [Order]
    private(set) var dues: [Due] = []
    /// Where the walk could not follow, in steady time.
    private(set) var gaps: [ClosedRange<Nanoseconds>] = []

    private var phase = Phase.idle
    private var (start, held, time): (Nanoseconds, Nanoseconds, Nanoseconds) = (0, 0, 0)

    init(course: Course, orders: [Order]) {
        self.course = course
        self.orders = orders
    }

    /// Follows one reign; call it for the reigns of a definition in their order.
    mutating func follow(_ reign: Reign) {
        guard case .stopwatch(let alerts, let isAuto) = reign.rule.kind else { return }
        time = reign.from
        enter(reign, isAuto: isAuto)
        if orders.contains(where: { $0.mayCoincide(with: reign) }) { phase = .unknown }
        let own = orders.filter { $0.mayConcern(reign.definition) && $0.wish.verb != .fire }.map(\.from)
        let all = own + course.steps.map(\.steady) + course.blurs
        let turns = Set(all.filter { $0 > reign.from && $0 <= reign.to }).sorted()
        for turn in turns {
            run(to: turn - 1, reign, alerts)
            // An alert at the moment of a control may come before it or after it.
            if phase == .running, alerts.contains(course.wall(at: turn) - start) { gaps.append(turn - 1...turn) }
            change(at: turn)
            let elapsed = course.wall(at: turn) - start
            if phase == .running, course.isSet(at: turn), alerts.contains(elapsed) { phase = .unknown }
        }
        run(to: reign.to, reign, alerts)
        if phase == .unknown { gaps.append(time...reign.to) }
    }

    private mutating func enter(_ reign: Reign, isAuto: Bool) {
        guard course.isQuiet(at: reign.from), reign.former != nil || !reign.isReturn,
            !course.mayHaveMissedFormer(of: reign)
        else {
            phase = .unknown
            return
        }
        if case .stopwatch(_, let wasAuto)? = reign.former?.kind {
            guard phase == .idle, isAuto, !wasAuto else { return }
        }
        (phase, start) = (isAuto ? .running : .idle, course.wall(at: reign.from))
    }

    private mutating func run(to end: Nanoseconds, _ reign: Reign, _ alerts: [Nanoseconds]) {
        guard phase != .unknown else { return }
        defer { time = max(time, end) }
        guard phase == .running, end > time else { return }
        for alert in alerts {
            let due = start + alert
            guard let crossed = course.crossing(of: due, after: time, upTo: end) else { continue }
            dues.append(
                Due(
                    key: .init(definition: reign.definition, occurrence: due, action: .elapsed, due: due),
                    crossed: crossed, rule: reign.rule, until: reign.to,
                    isFirst: due > course.latestWall(upTo: crossed - 1) || !course.isSetBack(upTo: crossed)))
        }
    }

    private mutating func change(at steady: Nanoseconds) {
        if course.blurs.contains(steady), phase == .running { phase = .unknown }
        guard phase != .unknown else { return }
        for step in course.steps where step.steady == steady {
            if step.isUp, !course.isQuiet(at: steady) {
                phase = .unknown
                return
            }
            if step.isUp {
                // What was past stays past: the step crosses nothing.
                (start, held, time) = (start + step.by, held + step.by, steady)
            } else if step.by < 0 {
                phase = .unknown
            }
        }
        for order in orders where order.from == steady && order.isDone != false {
            switch order.wish.verb {
            case .lap, .mute, .unmute, .fire, .snooze, .skip: continue
            case .start, .add, .pause, .resume, .stop, .reset: break
            }
            guard order.isDone == true, order.to == steady, course.isQuiet(at: steady) else {
                phase = .unknown
                return
            }
            let now = course.wall(at: steady)
            switch (order.wish.verb, phase) {
            case (.start, .idle): (phase, start) = (.running, now)
            case (.start, .paused), (.resume, .paused): (phase, start) = (.running, start + now - held)
            case (.pause, .running), (.stop, .running): (phase, held) = (.paused, now)
            case (.reset, _): phase = .idle
            default: break
            }
        }
    }
}
