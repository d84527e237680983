/// What must happen.
struct Duties {
    let facts: Facts
    private(set) var violations: [Violation] = []
    /// How often each thing was found.
    private(set) var tallies: [String: Int] = [:]

    init(_ facts: Facts) {
        self.facts = facts
        for due in facts.dues.values.joined() where isDemanded(due) {
            for sink in due.sinks { judge(due, sink) }
        }
        for order in facts.orders where order.isDone == true && order.from == order.to {
            switch order.wish.verb {
            case .fire: judgeTest(order)
            case .snooze: judgeSnooze(order)
            default: break
            }
        }
        for seen in facts.seen where seen.verdict == .hopeless { judgeNotice(seen) }
        // Notices of several failures at one instant differ in nothing but their ids.
        for attempts in Dictionary(grouping: facts.seen, by: \.attempt.delivery).values { judgeRetries(attempts) }
    }

    private mutating func count(_ name: String) { tallies[name, default: 0] += 1 }

    /// Whether the rules have an action sent for certain.
    private mutating func isDemanded(_ due: Due) -> Bool {
        let course = facts.course
        guard due.isFirst, due.rule.isEnabled, due.crossed < course.end - Course.slack else { return false }
        let id = due.key.definition
        let inFlight = facts.orders.contains {
            $0.mayConcern(id) && $0.wish.verb != .fire && $0.from <= due.crossed && due.crossed <= $0.to
        }
        guard !inFlight, !facts.mayBeMuted(due), !facts.mayBePostponed(due) else { return false }
        guard let trouble = course.trouble(at: due.crossed) else { return true }
        // In trouble, whatever somebody changes may count from any moment of it.
        let isTouched =
            (facts.reigns[id] ?? []).contains { reign in
                [reign.from, reign.to].contains { trouble.from <= $0 && $0 <= trouble.to && $0 < course.end }
            }
            || facts.orders.contains {
                $0.mayConcern(id) && $0.wish.verb != .fire && $0.from <= trouble.to && $0.to >= trouble.from
            }
            || course.steps.contains { step in
                // What the store does not know yet moves with the clock.
                (step.by < 0 || due.rule.movesWithClock && !course.isQuiet(at: due.crossed))
                    && trouble.from <= step.steady && step.steady <= trouble.to
            }
            || due.rule.standsStillInSleep && !course.isQuiet(at: due.crossed)
                && course.sleeps.contains { trouble.from <= $0.steady && $0.steady <= trouble.to }
        guard !isTouched, due.key.action != .reminder, trouble.to < course.end,
            course.wall(at: trouble.to) - due.key.due < due.rule.grace
        else { return false }
        switch due.rule.catchUp {
        case .none: return false
        case .all: break
        case .latest:
            // A snoozed occurrence may have come due after this one, although it is an older one.
            let mayHaveNewer = facts.dues.values.joined().contains { other in
                other.key.definition == id && other.key.action == due.key.action && other.crossed <= trouble.to
                    && (other.key.due > due.key.due || facts.mayBePostponed(other))
            }
            let isUntold = (facts.gaps[id] ?? []).contains {
                $0.lowerBound <= trouble.to && due.crossed <= $0.upperBound
            }
            guard !mayHaveNewer, !isUntold else { return false }
        }
        count("demanded although missed")
        return true
    }

    private mutating func judge(_ due: Due, _ sink: String) {
        let parcel = Facts.Parcel(key: due.key, sink: sink)
        count("demanded")
        let attempts = facts.attempts[parcel] ?? []
        if attempts.contains(where: { $0.taken != nil }) {
            if attempts.count > 1 { count("taken after several attempts") }
            return
        }
        if let excuse = excuse(due, parcel, attempts) { return count(excuse) }
        violations.append(
            Violation(
                rule: attempts.isEmpty ? "lost" : "given up too early",
                detail:
                    "\(due.key.definition) \(due.key.action.rawValue) of \(due.key.occurrence), due \(due.key.due), "
                    + "to \(sink), after \(attempts.count) attempts",
                steady: due.crossed))
    }

    /// Why a delivery that was due may be missing at its sink; nil if nothing excuses it.
    private func excuse(_ due: Due, _ parcel: Facts.Parcel, _ attempts: [Seen]) -> String? {
        guard let terms = facts.terms[parcel.sink] else { return nil }
        let course = facts.course
        if attempts.contains(where: { $0.verdict == .hopeless }) { return "excused: refused for good" }
        let last = attempts.last.map { $0.ended ?? $0.begun }
        if let last, last >= due.crossed + terms.giveUpAfter - 1_000_000_000 { return "excused: given up" }
        let deadline = facts.deadline(
            last.map { $0 + terms.longestWait } ?? due.crossed, of: parcel, isChained: due.rule.overlap != .allow)
        if deadline >= course.end { return "excused: the run ends before" }
        let time = due.crossed...deadline
        let crashes = facts.crashes.count { time.contains($0.steady) }
        // A claim that a crash cut off counts, although its attempt may not have begun.
        if attempts.count + crashes >= terms.limit { return "excused: attempts used up" }
        if course.steps.contains(where: { time.contains($0.steady) && facts.isForgotten($0) }) {
            return "excused: clock set while down"
        }
        if crashes >= 3 { return "excused: three crashes" }
        if course.latestWall(upTo: deadline) >= due.expires { return "excused: of no use any more" }
        // Nobody waits for an attempt that would come too late, whatever happens to the clock meanwhile.
        if let last, attempts.last?.verdict == .mayPass, course.wall(at: last) + terms.longestWait >= due.expires {
            return "excused: of no use any more"
        }
        if isWithdrawn(due, in: time) { return "excused: withdrawn" }
        return overlapExcuse(due, parcel, in: time)
    }

    private func isWithdrawn(_ due: Due, in time: ClosedRange<Nanoseconds>) -> Bool {
        let id = due.key.definition
        let reigns = facts.reigns[id] ?? []
        for order in facts.orders
        where order.mayConcern(id) && order.from <= time.upperBound && order.to >= time.lowerBound {
            switch order.wish.verb {
            case .mute: return true
            case .skip, .start, .add, .stop, .reset: if due.key.action == .reminder { return true }
            case .pause, .resume, .lap, .snooze, .unmute, .fire: break
            }
        }
        if reigns.contains(where: { !$0.rule.isEnabled && time.contains($0.from) }) { return true }
        guard due.key.action == .reminder, time.contains(due.until), due.until < facts.course.end else { return false }
        let next = reigns.first { $0.from == due.until }
        return next.map { !$0.rule.hasSchedule(of: due.rule) } ?? true
    }

    private func overlapExcuse(_ due: Due, _ parcel: Facts.Parcel, in time: ClosedRange<Nanoseconds>) -> String? {
        if isReplaced(due, parcel, in: time) { return "excused: replaced by overlap" }
        guard due.rule.overlap == .skip else { return nil }
        let id = due.key.definition
        // What a machine has claimed that is gone counts as running until it is released.
        let stretches = (facts.course.troubles + facts.course.away).filter {
            $0.from <= due.crossed && due.crossed <= $0.to + Course.slack
        }
        // An attempt that has ended counts as running until its end is in the store.
        let from = (stretches.map(\.from).min() ?? due.crossed) - facts.course.delay
        let to = max(due.crossed + facts.course.delay, stretches.map(\.to).max() ?? .min)
        // So does a claim whose attempt never began, because its machine went first. It is attempted after the release.
        let releases = facts.course.away.filter { $0.from <= to && due.crossed <= $0.to }.map(\.to)
        let isRunning = facts.seen.contains { other in
            guard other.attempt.definition == id, other.attempt.sink == parcel.sink,
                other.attempt.occurrence != due.key.occurrence
            else { return false }
            let wasClaimed = other.attempt.due <= due.key.due && releases.contains { $0 <= other.begun }
            return wasClaimed || (other.begun <= to && other.ended ?? .max >= from)
        }
        return isRunning ? "excused: skipped by overlap" : nil
    }

    /// Whether a later occurrence, which may be a snoozed one or one that the walks could not follow, replaced a delivery. The
    /// rule of the later one decides.
    private func isReplaced(_ due: Due, _ parcel: Facts.Parcel, in time: ClosedRange<Nanoseconds>) -> Bool {
        guard due.rule.overlap != .allow else { return false }
        let id = due.key.definition
        let isReplacedByDue = facts.dues.contains { key, others in
            key.definition == id && key.occurrence != due.key.occurrence
                && others.contains { other in
                    other.rule.overlap == .replace && other.sinks.contains(parcel.sink)
                        && (time.contains(other.crossed) || facts.course.isCorrected(to: other.key.due, in: time))
                }
        }
        return isReplacedByDue || isReplacedUntold(parcel, in: time)
            || facts.seen.contains { other in
                other.attempt.definition == id && other.attempt.sink == parcel.sink && other.attempt.action == .expiry
                    && other.attempt.occurrence != due.key.occurrence && other.attempt.due != other.attempt.occurrence
                    && other.attempt.due > due.key.due && time.contains(other.begun)
                    && facts.rules(of: id, at: other.begun).contains { $0.overlap == .replace }
            }
    }

    /// Whether an occurrence that the walks could not follow may have replaced a delivery.
    private func isReplacedUntold(_ parcel: Facts.Parcel, in time: ClosedRange<Nanoseconds>) -> Bool {
        let id = parcel.key.definition
        let gaps = (facts.gaps[id] ?? []).filter { $0.overlaps(time) }.map { $0.clamped(to: time) }
        return (facts.reigns[id] ?? []).contains { reign in
            reign.rule.overlap == .replace && reign.rule.sinks.contains(parcel.sink)
                && gaps.contains { reign.from <= $0.upperBound && $0.lowerBound <= reign.to }
        }
    }

    private mutating func judgeTest(_ order: Order) {
        // A clock that is set at this moment names it by what it showed before, or shows now.
        guard facts.course.isQuiet(at: order.from), !facts.course.isSet(at: order.from)
        else { return }
        let now = facts.course.wall(at: order.from)
        for sink in order.wish.sinks {
            var rule = Rule(kind: .event(.instants([now])), sinks: [sink], catchUp: .all, grace: 1 << 60)
            rule.overlap = .allow
            let key = Due.Key(definition: order.wish.definition ?? "", occurrence: now, action: .test, due: now)
            judge(Due(key: key, crossed: order.from, rule: rule, until: .max, isFirst: true), sink)
        }
    }

    /// A snoozed expiry of an event is sent so much later than its occurrence, or than now if the last one is nearer.
    private mutating func judgeSnooze(_ order: Order) {
        let course = facts.course
        guard let id = order.wish.definition, course.isQuiet(at: order.from), !course.isSetBack(upTo: order.from),
            let reign = facts.reigns[id]?.last(where: { $0.from < order.from && order.from < $0.to }),
            case .event(let calendar) = reign.rule.kind, reign.rule.isEnabled
        else { return }
        let now = course.wall(at: order.from)
        let next = calendar.occurrences(from: now + 1, through: now + 4 * 86_400_000_000_000).first
        let last = calendar.occurrences(from: now - 3_600_000_000_000, through: now).last
        let candidates = [next.map { ($0, $0 + order.wish.amount) }, last.map { ($0, now + order.wish.amount) }]
        let dues = candidates.compactMap(\.self).compactMap { occurrence, instant -> Due? in
            guard let crossed = course.crossing(of: instant, after: order.from, upTo: reign.to - 1) else { return nil }
            return Due(
                key: .init(definition: id, occurrence: occurrence, action: .expiry, due: instant), crossed: crossed,
                rule: reign.rule, until: reign.to, isFirst: true)
        }
        // Either is right; it must be known of both that they come.
        guard !dues.isEmpty, dues.count == candidates.compactMap(\.self).count,
            let latest = dues.map(\.crossed).max(), course.isCalm(order.from, latest + Course.slack),
            latest < course.end - Course.slack,
            !facts.orders.contains(where: {
                $0.mayConcern(id) && $0.wish.verb != .fire && $0.to > order.from && $0.from <= latest
            }), !dues.contains(where: facts.mayBeMuted)
        else { return }
        for sink in reign.rule.sinks {
            let isKnown = dues.contains { due in
                let parcel = Facts.Parcel(key: due.key, sink: sink)
                let attempts = facts.attempts[parcel] ?? []
                return attempts.contains { $0.taken != nil } || excuse(due, parcel, attempts) != nil
            }
            count("demanded after a snooze")
            if !isKnown {
                violations.append(
                    Violation(rule: "a snoozed expiry is lost", detail: "\(id) to \(sink)", steady: order.from))
            }
        }
    }

    /// A delivery that a sink refuses for good is told to the sinks of `on-failure`.
    private mutating func judgeNotice(_ seen: Seen) {
        guard let ended = seen.ended, facts.course.isQuiet(at: ended), let dues = facts.dues[seen.key],
            let rule = dues.first?.rule, !rule.failureSinks.isEmpty, rule.overlap != .replace,
            dues.allSatisfy({ $0.rule.failureSinks == rule.failureSinks })
        else { return }
        for sink in rule.failureSinks {
            count("notice of failure demanded")
            let notice = facts.seen.first { $0.attempt.failed == seen.attempt.delivery && $0.attempt.sink == sink }
            guard notice == nil, !mayBeForgotten(seen, ended, dues) else { continue }
            let parcel = Facts.Parcel(key: seen.key, sink: sink)
            guard facts.deadline(ended, of: parcel, isChained: true) < facts.course.end else { continue }
            violations.append(
                Violation(
                    rule: "a notice of failure is lost", detail: "of \(seen.attempt.delivery.prefix(8)) to \(sink)",
                    steady: ended))
        }
    }

    /// Whether nobody may know of a refusal, because its machine lost its claims before it had written it. The delivery
    /// then goes on as after an interrupted attempt: if that was the third in a row, it is dead, and nobody is told.
    private func mayBeForgotten(_ refused: Seen, _ ended: Nanoseconds, _ dues: [Due]) -> Bool {
        guard lossOfClaims(after: refused, ended, upTo: facts.course.end) != nil else { return false }
        let parcel = Facts.Parcel(key: refused.key, sink: refused.attempt.sink)
        var attempts = facts.attempts[parcel] ?? []
        // A later refusal is judged for itself.
        for place in attempts.indices where attempts[place].begun <= refused.begun { attempts[place].verdict = nil }
        return attempts.contains { $0.begun >= ended && $0.taken != nil }
            || dues.contains { $0.crossed <= refused.begun && excuse($0, parcel, attempts) != nil }
    }

    /// When the machine of an attempt lost its claims before it had written the end; nil if it did not. An end is written
    /// within the slack, or once the store works again and the machine reaches it.
    private func lossOfClaims(
        after seen: Seen, _ ended: Nanoseconds, upTo latest: Nanoseconds
    ) -> Nanoseconds? {
        let (course, slack) = (facts.course, ended + Course.slack)
        let absence = course.away.last { $0.from <= slack && ended <= $0.to }
        let written = max(slack, course.trouble(at: slack)?.to ?? slack, absence?.to ?? slack)
        let crash = facts.crashes.last { crash in
            crash.process == seen.attempt.process && ended <= crash.steady && crash.steady <= min(written, latest)
        }
        return crash?.steady
    }

    /// Another attempt follows a failure within the bounds of the retry rules, if one follows at all.
    private mutating func judgeRetries(_ attempts: [Seen]) {
        guard attempts.count > 1, let first = attempts.first, let terms = facts.terms[first.attempt.sink]
        else { return }
        let parcel = Facts.Parcel(key: first.key, sink: first.attempt.sink)
        // A power cut may forget attempts, so each time between two cuts is counted alone.
        let parts = Dictionary(grouping: attempts) { seen in facts.powerCuts.count { $0 < seen.begun } }
        let time = first.begun...attempts[attempts.count - 1].begun
        let crashes = facts.crashes.count { time.contains($0.steady) }
        if parts.values.contains(where: { $0.count - crashes > terms.limit }) {
            violations.append(
                Violation(
                    rule: "more attempts than the limit", detail: "\(parcel)",
                    steady: attempts[attempts.count - 1].begun))
        }
        for (former, next) in zip(attempts, attempts.dropFirst()) {
            if next.begun < former.ended ?? .max {
                violations.append(
                    Violation(
                        rule: "one delivery is attempted twice at once",
                        detail: "attempts \(former.attempt.number) and \(next.attempt.number)", steady: next.begun))
                continue
            }
            guard let ended = former.ended, let latest = latestRepeat(of: former, ended, before: next, terms),
                next.begun > latest + Course.slack
            else { continue }
            let isChained = facts.dues[parcel.key]?.contains { $0.rule.overlap != .allow } ?? true
            // The next attempt stays where it is on the clock, unless that is further ahead than anything waits.
            let step = facts.course.steps.last {
                $0.by < 0 && facts.isForgotten($0) && ended <= $0.steady && $0.steady <= next.begun
            }
            let start = step.flatMap { facts.course.trouble(at: $0.steady) }.map { $0.to + terms.longestWait }
            guard next.begun > facts.deadline(max(latest, start ?? 0), of: parcel, isChained: isChained)
            else { continue }
            violations.append(
                Violation(
                    rule: "a retry came too late",
                    detail:
                        "\(parcel.key.definition) due \(parcel.key.due) to \(parcel.sink), attempt \(next.attempt.number)",
                    steady: next.begun))
        }
    }

    /// The latest time at which another attempt may begin; nil, with a violation, if there may be none. After a final verdict
    /// there may be one only if the verdict was lost: by a crash before it was written, or by a later power cut. A power cut
    /// can also lose the end of a delivery that was given up.
    private mutating func latestRepeat(
        of former: Seen, _ ended: Nanoseconds, before next: Seen, _ terms: SinkTerms
    ) -> Nanoseconds? {
        let between = ended...next.begun
        let cut = facts.powerCuts.last(where: between.contains)
        guard former.verdict == .delivered || former.verdict == .hopeless else {
            return max(ended + terms.longestWait, cut ?? .min)
        }
        let crash = lossOfClaims(after: former, ended, upTo: next.begun)
        if let lost = [crash, cut].compactMap(\.self).max() {
            count("sent again after its end was forgotten")
            return lost
        }
        violations.append(
            Violation(
                rule: "sent again after its end",
                detail: "id \(next.attempt.delivery.prefix(8)), attempt \(next.attempt.number)", steady: next.begun))
        return nil
    }
}

/// Judges a history. It knows the rules and nothing of the program.
package struct Checker {
    /// What the history breaks, by time.
    package let violations: [Violation]
    /// How often each rule was applied.
    package let tallies: [String: Int]

    package init(_ history: [Record], sinks: [String: SinkTerms]) {
        let facts = Facts(history, sinks)
        let duties = Duties(facts)
        violations = (Prohibitions(facts).violations + duties.violations).sorted {
            ($0.steady, $0.rule, $0.detail) < ($1.steady, $1.rule, $1.detail)
        }
        tallies = duties.tallies
    }
}
