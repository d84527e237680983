/// What the checks read: a history, taken apart.
struct Facts {
    /// A delivery: one action and one of its sinks.
    struct Parcel: Hashable {
        var key: Due.Key
        var sink: String
    }

    let course: Course
    let terms: [String: SinkTerms]
    let reigns: [String: [Reign]]
    let orders: [Order]
    let seen: [Seen]
    /// When which process lost what it had claimed, because it ended or was cut off for too long.
    let crashes: [(process: Int, steady: Nanoseconds)]
    /// The crashes by power cut. They can lose recent claims and settlements, and nothing else.
    let powerCuts: [Nanoseconds]
    /// The attempts of each delivery, in the order in which they began.
    let attempts: [Parcel: [Seen]]
    /// Everything that the rules make due, by what identifies it.
    private(set) var dues: [Due.Key: [Due]] = [:]
    /// Where nothing is foretold of a definition, in steady time.
    private(set) var gaps: [String: [ClosedRange<Nanoseconds>]] = [:]

    init(_ history: [Record], _ terms: [String: SinkTerms]) {
        let course = Course(history)
        (self.course, self.terms) = (course, terms)
        reigns = Reign.all(history)
        orders = Order.all(history)
        seen = Seen.all(history)
        crashes = history.compactMap { record in
            switch record.event {
            case .crashed(let process), .claimsReleased(let process): (process, record.steady)
            default: nil
            }
        }
        powerCuts = history.compactMap { if case .powerCut = $0.event { $0.steady } else { nil } }
        attempts = Dictionary(grouping: seen) { Parcel(key: $0.key, sink: $0.attempt.sink) }
        let expiries = Dictionary(grouping: seen.filter { $0.attempt.action == .expiry }, by: \.attempt.definition)
        for (id, reigns) in reigns {
            let own = orders.filter { $0.mayConcern(id) }
            var countdown = CountdownWalk(course: course, orders: own, seen: expiries[id] ?? [])
            var stopwatch = StopwatchWalk(course: course, orders: own)
            var all: [Due] = []
            for reign in reigns {
                switch reign.rule.kind {
                case .event(let calendar): all += course.dues(of: reign, calendar)
                case .timer: countdown.follow(reign)
                case .stopwatch: stopwatch.follow(reign)
                }
            }
            for due in all + countdown.dues + stopwatch.dues { dues[due.key, default: []].append(due) }
            gaps[id] = countdown.gaps + stopwatch.gaps
        }
    }

    /// The rules that may decide what becomes of an action: an edit during trouble may come before it was dealt with.
    func rules(of due: Due) -> [Rule] {
        guard let trouble = course.trouble(at: due.crossed) else { return [due.rule] }
        let later = (reigns[due.key.definition] ?? []).filter { trouble.from <= $0.from && $0.from <= trouble.to }
        return [due.rule] + later.map(\.rule)
    }

    /// The rules of a definition at a steady time, before and after an edit at that time.
    func rules(of definition: String, at steady: Nanoseconds) -> [Rule] {
        (reigns[definition] ?? []).filter { $0.from <= steady && steady <= $0.to }.map(\.rule)
    }

    /// Whether the store never had a step of the clock: no process ran, or it ended before it had written the step.
    func isForgotten(_ step: Course.Step) -> Bool {
        guard step.isUp else { return true }
        let refusal = course.raw.last { !$0.isBlind && $0.from <= step.steady && step.steady <= $0.to }
        let written = refusal.map { $0.to + Course.slack } ?? step.steady + course.delay
        return course.downs.contains { step.steady <= $0.from && $0.from <= written }
    }

    /// Whether a definition may be muted when something of it is due.
    func mayBeMuted(_ due: Due) -> Bool {
        let own = orders.filter { $0.mayConcern(due.key.definition) && $0.from <= due.crossed }
        return own.enumerated().contains { place, mute in
            mute.wish.verb == .mute && due.key.due < mute.wish.amount
                && !own.dropFirst(place + 1).contains { unmute in
                    unmute.wish.verb == .unmute && unmute.isDone == true && unmute.from >= mute.to
                        && unmute.to <= due.crossed
                }
        }
    }

    /// Whether a definition is muted for certain when something of it is due.
    func isMuted(_ due: Due) -> Bool {
        let own = orders.filter { $0.mayConcern(due.key.definition) && $0.from <= due.crossed }
        // A mute ends when the clock first shows its end, and a clock that is set back does not bring it back.
        let latest = course.latestWall(upTo: due.crossed)
        return own.enumerated().contains { place, mute in
            guard mute.wish.verb == .mute, mute.isDone == true, mute.to < due.crossed, latest < mute.wish.amount else {
                return false
            }
            // Of two at one instant the later one counts.
            let isChanged = own.dropFirst(place + 1).contains { $0.wish.verb == .mute || $0.wish.verb == .unmute }
            let isEdited = (reigns[due.key.definition] ?? []).contains {
                $0.from >= mute.from && $0.from <= due.crossed
            }
            return !isChanged && !isEdited
        }
    }

    /// Whether somebody may have skipped or snoozed the occurrence.
    func mayBePostponed(_ due: Due) -> Bool {
        let id = due.key.definition
        let postponing = orders.filter {
            $0.mayConcern(id) && ($0.wish.verb == .skip || $0.wish.verb == .snooze) && $0.from <= due.crossed
        }
        guard !postponing.isEmpty else { return false }
        // The next occurrence as of then, which may be when it is answered, or as of a later edit that moved the wish along. An edit
        // that a crash forgets is one of the next process.
        let edits = (reigns[id] ?? []).map(\.from).filter { $0 >= postponing[0].from }
        let starts = edits.filter { !course.isQuiet(at: $0) }.compactMap { edit in
            course.downs.first { $0.from >= edit }?.to
        }
        let moments = postponing.flatMap { [$0.from, $0.to] } + edits + starts
        return moments.contains { moment in
            guard moment <= due.crossed else { return false }
            return [course.wall(at: moment), course.latestWall(upTo: moment)].contains { now in
                guard due.key.occurrence > now else { return false }
                guard case .event(let calendar) = due.rule.kind else { return true }
                return calendar.occurrences(from: now + 1, through: due.key.occurrence).first == due.key.occurrence
            }
        }
    }

    /// What may keep an attempt of a delivery from beginning, in steady time and in order.
    func hindrances(of parcel: Parcel, isChained: Bool) -> [(from: Nanoseconds, to: Nanoseconds)] {
        let terms = terms[parcel.sink]
        let troubles = course.troubles + course.away + (terms?.needsFollower == true ? course.alone : [])
        var found = troubles.map { (from: $0.from, to: $0.to) }
        if isChained {
            for (other, attempts) in attempts
            where other != parcel && other.sink == parcel.sink && other.key.definition == parcel.key.definition {
                guard let first = attempts.first, let last = attempts.last else { continue }
                let isOver = last.verdict == .delivered || last.verdict == .hopeless
                found.append((first.begun, (last.ended ?? course.end) + (isOver ? 0 : terms?.longestWait ?? 0)))
            }
        }
        var changes: [(at: Nanoseconds, by: Int)] = []
        for seen in seen where seen.attempt.sink == parcel.sink {
            changes += [(seen.begun, 1), (seen.ended ?? course.end, -1)]
        }
        changes.sort { ($0.at, $0.by) < ($1.at, $1.by) }
        var (running, since): (Int, Nanoseconds?) = (0, nil)
        for change in changes {
            running += change.by
            if running >= terms?.maxConcurrent ?? 1 {
                since = since ?? change.at
            } else if let from = since {
                found.append((from, change.at))
                since = nil
            }
        }
        return found.sorted { $0.from < $1.from }
    }

    /// By when an attempt must have begun that could begin at `base` at the latest.
    func deadline(_ base: Nanoseconds, of parcel: Parcel, isChained: Bool) -> Nanoseconds {
        var time = base
        for hindrance in hindrances(of: parcel, isChained: isChained)
        where hindrance.from <= time + Course.slack && hindrance.to >= time {
            time = hindrance.to
        }
        return time + Course.slack
    }
}
