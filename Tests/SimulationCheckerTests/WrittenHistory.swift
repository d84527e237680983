import SimulationChecker

/// A history that a test writes down, with times in seconds since it begins. The process 1 starts at its begin.
struct WrittenHistory {
    /// What happens, and when. Of several events at one time, the first comes first.
    private var events: [(at: Int64, event: Happened)] = [(0, .started)]
    private var attempts = 0
    private var tickets = 0

    /// Which rules the history breaks, until so many seconds after its begin.
    func broken(until end: Int64 = 9_000, longestWait: Int64 = 60, giveUpAfter: Int64 = 3_600) -> [String] {
        var offset: Nanoseconds = 0
        let ordered = events.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
        let history = (ordered.map(\.element) + [(end, .over)]).map { at, event in
            if case .clockSet(let step) = event { offset += step }
            return Record(steady: Self.time(at), wall: Self.instant(at) + offset, event)
        }
        let terms = SinkTerms(
            maxConcurrent: 1, longestWait: Self.time(longestWait), giveUpAfter: Self.time(giveUpAfter), limit: 99)
        return Checker(history, sinks: ["s": terms, "t": terms]).violations.map(\.rule)
    }

    mutating func add(_ at: Int64, _ event: Happened) { events.append((at, event)) }

    /// The files define `d` by a rule from here on.
    mutating func edit(_ at: Int64, _ rule: Rule) { add(at, .edited("d", rule)) }

    /// A person asks for something, and has it at once.
    mutating func ask(_ at: Int64, _ verb: Wish.Verb, amount: Nanoseconds = 0) {
        tickets += 1
        add(at, .asked(tickets, Wish(verb, "d", amount: amount)))
        add(at, .answered(tickets, isDone: true))
    }

    mutating func setClock(_ at: Int64, by seconds: Int64) { add(at, .clockSet(by: Self.time(seconds))) }

    /// The process is gone for a while.
    mutating func restart(from: Int64, to: Int64) {
        add(from, .crashed(1))
        add(to, .started)
    }

    mutating func trouble(from: Int64, to: Int64) {
        add(from, .storeTroubled)
        add(to, .storeWorks)
    }

    /// A sink receives an action of an occurrence, and takes it or fails. Occurrence and due are seconds by the first clock.
    mutating func send(
        _ at: Int64, _ action: Action = .expiry, of occurrence: Int64, due: Int64? = nil, to sink: String = "s",
        as verdict: Verdict = .delivered
    ) {
        attempts += 1
        let due = due ?? occurrence
        add(
            at,
            .received(
                Handover(
                    number: attempts, process: 1, sink: sink, delivery: "\(action) \(occurrence) \(due) \(sink)",
                    definition: "d", occurrence: Self.instant(occurrence), action: action, due: Self.instant(due),
                    isCatchUp: false, failed: nil)))
        if verdict == .delivered { add(at, .taken(attempts)) }
        add(at, .told(attempts, verdict))
    }

    static func time(_ seconds: Int64) -> Nanoseconds { seconds * 1_000_000_000 }

    /// What the first clock shows.
    static func instant(_ seconds: Int64) -> Nanoseconds { time(1_800_000_000 + seconds) }
}

extension Rule {
    /// An event at some seconds after the begin of the history.
    static func event(at seconds: Int64..., overlap: Overlap = .queue, catchUp: CatchUp = .all) -> Rule {
        var rule = Rule(
            kind: .event(.instants(seconds.map(WrittenHistory.instant))), sinks: ["s"], catchUp: catchUp,
            grace: WrittenHistory.time(86_400))
        rule.overlap = overlap
        return rule
    }

    /// A timer of some seconds that begins by itself.
    static func timer(
        _ seconds: Int64, _ repetition: Repetition = .never, count: Int = .max, followsWall: Bool = false,
        isAwake: Bool = false, catchUp: CatchUp = .all
    ) -> Rule {
        Rule(
            kind: .timer(
                duration: WrittenHistory.time(seconds), repetition, count: count, isAuto: true,
                followsWall: followsWall, isAwake: isAwake), sinks: ["s"], catchUp: catchUp,
            grace: WrittenHistory.time(86_400))
    }

    /// A stopwatch with alerts that begins by itself.
    static func stopwatch(_ seconds: Int64..., overlap: Overlap = .queue) -> Rule {
        var rule = Rule(
            kind: .stopwatch(alerts: seconds.map(WrittenHistory.time), isAuto: true), sinks: ["s"], catchUp: .all,
            grace: WrittenHistory.time(86_400))
        rule.overlap = overlap
        return rule
    }

    /// The same with a reminder after the occurrence.
    func reminding(after seconds: Int64) -> Rule {
        var rule = self
        rule.leads = [Lead(length: WrittenHistory.time(seconds), isBefore: false)]
        rule.reminderSinks = ["s"]
        return rule
    }

    func disabled() -> Rule {
        var rule = self
        rule.isEnabled = false
        return rule
    }

    func to(_ sink: String) -> Rule {
        var rule = self
        rule.sinks = [sink]
        return rule
    }
}
