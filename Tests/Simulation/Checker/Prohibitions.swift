/// What must not happen.
struct Prohibitions {
    let facts: Facts
    private(set) var violations: [Violation] = []

    init(_ facts: Facts) {
        self.facts = facts
        checkIdentities()
        for seen in facts.seen { check(seen) }
        checkChains()
        checkRoom()
        checkRefusals()
    }

    private mutating func add(_ rule: String, _ seen: Seen, _ more: String = "") {
        let attempt = seen.attempt
        violations.append(
            Violation(
                rule: rule,
                detail:
                    "\(attempt.definition) \(attempt.action.rawValue) of \(attempt.occurrence), due \(attempt.due), "
                    + "to \(attempt.sink), id \(attempt.delivery.prefix(8)), attempt \(attempt.number)\(more)",
                steady: seen.begun))
    }

    /// An action and its sink have one id, and an id is of one action and one sink.
    private mutating func checkIdentities() {
        struct Identity: Hashable {
            var parcel: Facts.Parcel
            var failed: String?
        }
        var ids: [Identity: String] = [:]
        var identities: [String: Identity] = [:]
        for seen in facts.seen where seen.attempt.action != .missed {
            // After a power cut a failure may happen again, at another instant, so its notice may differ.
            if seen.attempt.action == .failure, facts.powerCuts.contains(where: { $0 < seen.begun }) { continue }
            let identity = Identity(
                parcel: .init(key: seen.key, sink: seen.attempt.sink), failed: seen.attempt.failed)
            let id = seen.attempt.delivery
            if ids[identity, default: id] != id { add("one action with two ids", seen) }
            if identities[id, default: identity] != identity { add("one id for two actions", seen) }
            ids[identity] = id
            identities[id] = identity
        }
    }

    private mutating func check(_ seen: Seen) {
        let (attempt, course) = (seen.attempt, facts.course)
        if seen.wall < attempt.due, course.latestWall(upTo: seen.begun) < attempt.due { add("early", seen) }
        switch attempt.action {
        case .failure, .missed, .test: return
        case .reminder, .expiry, .elapsed: break
        }
        if attempt.action == .expiry, attempt.due != attempt.occurrence {
            let isAsked = facts.orders.contains {
                $0.wish.verb == .snooze && $0.mayConcern(attempt.definition) && $0.from < seen.begun
            }
            if !isAsked { add("snoozed, and nobody asked for it", seen) }
            return
        }
        let first = facts.attempts[.init(key: seen.key, sink: attempt.sink)]?.first ?? seen
        // What came due where nothing is foretold may begin later.
        let isUntold = (facts.gaps[attempt.definition] ?? []).contains { gap in
            gap.contains(first.begun)
                || course.crossing(of: attempt.due, after: gap.lowerBound, upTo: gap.upperBound) != nil
                || course.mayBeMoved(to: attempt.due, in: gap)
        }
        let dues = facts.dues[seen.key] ?? []
        guard let due = dues.first else {
            if !isUntold { add("nothing was due", seen) }
            return
        }
        if !dues.contains(where: { $0.crossed <= seen.begun }) { add("early", seen) }
        // An expiry that comes twice, because the clock was set back while no process ran, may be of a later rule.
        let rules = dues.flatMap(facts.rules) + (isUntold ? facts.rules(of: attempt.definition, at: seen.begun) : [])
        let named = rules.flatMap { attempt.action == .reminder ? $0.reminderSinks : $0.sinks }
        if !named.contains(attempt.sink) { add("not a sink of this action", seen) }
        let isBeforehand = attempt.action == .reminder && attempt.due < attempt.occurrence
        let latest = rules.map { isBeforehand ? attempt.occurrence : attempt.due + $0.grace }.max() ?? .max
        if seen.wall >= latest { add("of no use any more", seen) }
        if rules.allSatisfy({ !$0.isEnabled }) { add("sent although disabled", seen) }
        // A correction begins the time anew: what was muted, withdrawn or missed in the wrong time is due again.
        if wasCorrected(due, before: seen) { return }
        if dues.allSatisfy(facts.isMuted) { add("sent although muted", seen) }
        // An edit after the clock was set back makes it due anew.
        checkWithdrawals(seen, dues.last { $0.crossed <= seen.begun } ?? due)
        if rules.allSatisfy({ $0 == due.rule }) { checkCatchUp(seen, due) }
    }

    /// Whether a correction of the clock put the instant into the future again.
    private func wasCorrected(_ due: Due, before seen: Seen) -> Bool {
        facts.course.steps.contains { step in
            facts.course.isCorrection(step) && due.crossed < step.steady && step.steady <= seen.begun
                && facts.course.wall(at: step.steady) < due.key.due
        }
    }

    /// What waited when somebody muted it, or disabled it, is not sent any more.
    private mutating func checkWithdrawals(_ seen: Seen, _ due: Due) {
        let isMuted = facts.orders.contains { mute in
            mute.wish.verb == .mute && mute.isDone == true && mute.mayConcern(due.key.definition)
                && due.crossed < mute.from && mute.to < seen.begun && hadCome(due, by: mute.from)
        }
        if isMuted { add("sent although it was withdrawn by a mute", seen) }
        let isDisabled = (facts.reigns[due.key.definition] ?? []).contains { reign in
            !reign.rule.isEnabled && reign.former != nil && due.crossed < reign.from && reign.from < reign.to
                && seen.begun > reign.from + Course.slack && facts.course.isQuiet(at: reign.from)
        }
        if isDisabled { add("sent although it was withdrawn when its definition was disabled", seen) }
    }

    /// Whether the program knows at a steady time that an action has come.
    private func hadCome(_ due: Due, by steady: Nanoseconds) -> Bool {
        facts.course.wall(at: steady) >= due.key.due
            || facts.seen.contains { $0.key == due.key && $0.begun <= steady }
            || !isSetBackUnseen(due, by: steady)
    }

    /// Whether the clock was set back behind an action, up to a steady time, before the program saw that it had come: at the end
    /// of a sleep, or while no process ran.
    private func isSetBackUnseen(_ due: Due, by steady: Nanoseconds) -> Bool {
        facts.course.isUnseen(due.key.due, at: due.crossed)
            || facts.course.steps.contains { step in
                step.by < 0 && facts.isForgotten(step) && due.crossed <= step.steady && step.steady <= steady
                    && facts.course.wall(at: step.steady) < due.key.due
            }
    }

    /// What was missed for certain, and is not caught up on, is not sent.
    private mutating func checkCatchUp(_ seen: Seen, _ due: Due) {
        guard due.rule.catchUp == .none,
            let blind = facts.course.raw.first(where: { $0.isBlind && $0.from < due.crossed && due.crossed < $0.to }),
            // A clock that is set at the end may be set before the program looks, or after.
            min(facts.course.wall(at: blind.to), facts.course.wall(at: blind.to - 1)) - due.key.due > 6_000_000_000,
            !isSetBackUnseen(due, by: seen.begun)
        else { return }
        add("missed and sent although nothing is to be caught up on", seen)
    }

    /// Deliveries of one definition to one sink go one after the other and in their order, unless they may overlap.
    private mutating func checkChains() {
        struct Chain: Hashable {
            var definition: String
            var sink: String
        }
        let chained = facts.seen.filter { seen in
            switch seen.attempt.action {
            case .failure, .missed, .test: return false
            case .reminder, .expiry, .elapsed: break
            }
            return !(facts.reigns[seen.attempt.definition] ?? []).contains { $0.rule.overlap == .allow }
        }
        let chains = Dictionary(grouping: chained) {
            Chain(definition: $0.attempt.definition, sink: $0.attempt.sink)
        }
        for chain in chains.values {
            var busy: (until: Nanoseconds, delivery: String) = (.min, "")
            var latest: (due: Nanoseconds, delivery: String) = (.min, "")
            var former = Nanoseconds.min
            for seen in chain {
                let id = seen.attempt.delivery
                // A power cut can repeat earlier deliveries, so the order starts again.
                if facts.powerCuts.contains(where: { former <= $0 && $0 <= seen.begun }) { latest = (.min, "") }
                former = seen.begun
                if seen.begun < busy.until, id != busy.delivery { add("two at once", seen, " beside \(busy.delivery)") }
                let end = seen.ended ?? .max
                if end >= busy.until { busy = (end, id) }
                guard !facts.course.isSetBack(upTo: seen.begun) else { continue }
                if seen.attempt.due < latest.due, id != latest.delivery {
                    add("out of order", seen, " after one due \(latest.due)")
                }
                if seen.attempt.due > latest.due { latest = (seen.attempt.due, id) }
            }
        }
    }

    /// No process has more attempts at once than a sink allows.
    private mutating func checkRoom() {
        for (sink, terms) in facts.terms {
            var running: [Int: [Seen]] = [:]
            for seen in facts.seen where seen.attempt.sink == sink {
                let process = seen.attempt.process
                running[process, default: []].removeAll { $0.ended ?? .max <= seen.begun }
                running[process, default: []].append(seen)
                if running[process, default: []].count > terms.maxConcurrent {
                    add("more at once than the sink allows", seen)
                }
            }
        }
    }

    /// An event follows the calendar: nobody starts or stops it.
    private mutating func checkRefusals() {
        for order in facts.orders where order.isDone == true {
            switch order.wish.verb {
            case .start, .add, .pause, .resume, .stop, .reset, .lap: break
            case .snooze, .skip, .mute, .unmute, .fire: continue
            }
            let reigns = order.wish.definition.flatMap { facts.reigns[$0] } ?? []
            // An edit before the answer may come before it or after it.
            guard let reign = reigns.last(where: { $0.from < order.from && order.to < $0.to }),
                case .event = reign.rule.kind
            else { continue }
            violations.append(
                Violation(
                    rule: "a control that does not fit was done", detail: "\(order.wish)", steady: order.from))
        }
    }
}
