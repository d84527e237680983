import SimulationChecker
import TminusTestKit

/// What somebody or something outside the program does.
enum Deed: Sendable {
    /// Writes the files of definitions; nil removes one.
    case write([String: Draft?])
    /// Leaves half a file, as an edit with a mistake does.
    case damage(String)
    /// Puts back what the file had.
    case mend(String)
    case ask(Wish)
    case setClock(by: Nanoseconds)
    case sleep(Nanoseconds)
    /// Ends the process before its n-th effect from now on; it starts again after that time.
    case crash(effects: Int, down: Nanoseconds)
    /// Stops the process in order.
    case stop(down: Nanoseconds)
    /// Ends the follower at that place before its n-th effect from now on.
    case crashFollower(place: Int, effects: Int, down: Nanoseconds)
    /// Stops it in order.
    case stopFollower(place: Int, down: Nanoseconds)
    /// Ends the follower at that place in the middle of its next attempt.
    case crashAttempt(place: Int, down: Nanoseconds)
    /// Keeps it from the store from the middle of its next attempt on.
    case cutOff(place: Int, lasts: Nanoseconds)
    case trouble(StoreMood, lasts: Nanoseconds)
    /// A receiver behaves so for that time; nil: for ever.
    case receiver(String, Manner, lasts: Nanoseconds?)
}

/// How a store behaves.
enum StoreMood: String, Sendable, CaseIterable {
    case works, refuses
    /// It takes its time.
    case slow
    /// Nobody knows whether a commit was written.
    case uncertain
}

/// How a receiver behaves.
enum Manner: String, Sendable, CaseIterable {
    case quick, slow
    /// Fails in ways that may pass.
    case failing
    /// Refuses for good.
    case refusing
    /// Never answers.
    case hanging
    /// Takes what it gets, and answers after its time limit.
    case late
}

/// What happens from outside in one run, drawn from one seed.
struct Plan: Sendable {
    struct Happening: Sendable {
        /// In steady time.
        var at: Nanoseconds
        var deed: Deed
    }

    /// The size of a run.
    struct Size: Sendable {
        var days: Int
        var definitions: Int
        /// How many things happen, for each day.
        var perDay: Int
    }

    var seed: UInt64
    /// What the clock shows at the beginning.
    var begin: Nanoseconds
    /// How long faults last; after that only what is due happens.
    var length: Nanoseconds
    /// The options of each sink.
    var terms: [String: SinkTerms]
    var timeLimits: [String: Nanoseconds]
    var happenings: [Happening]
    /// How many processes deliver beside the one that leads.
    private(set) var followers = 0
    /// Which machines may deliver to a sink, if not all.
    private(set) var runOn: [String: Place] = [:]

    static let hour: Nanoseconds = 3_600_000_000_000
    static let day = 24 * hour

    init(seed: UInt64, size: Size? = nil) {
        var random = SeededRandom(seed)
        let size = size ?? Size(days: 1 + random.below(3), definitions: 3 + random.below(4), perDay: 14)
        self.seed = seed
        begin = 1_577_836_800_000_000_000 + Int64(random.below(15 * 365 * 86_400)) * 1_000_000_000
        length = Int64(size.days) * Self.day
        (terms, timeLimits, happenings) = ([:], [:], [])
        for number in 0..<3 {
            let name = "s\(number)"
            terms[name] = SinkTerms(
                maxConcurrent: 1 + random.below(3), longestWait: Int64(300 + random.below(900)) * 1_000_000_000,
                giveUpAfter: Int64(1 + random.below(3)) * Self.hour,
                limit: random.below(3) == 0 ? 3 + random.below(6) : .max)
            timeLimits[name] = Int64(2 + random.below(58)) * 1_000_000_000
        }
        var writer = PlanWriter(random: random, plan: self)
        writer.write(size)
        happenings = writer.happenings.sorted { $0.at < $1.at }
    }

    mutating func add(followers: Int, runOn: [String: Place]) {
        (self.followers, self.runOn) = (followers, runOn)
        for (sink, place) in runOn where place == .west { terms[sink]?.needsFollower = true }
    }

    /// The file with the sinks.
    var sinkFile: String {
        let lines = terms.sorted { $0.key < $1.key }.map { name, terms in
            func seconds(_ time: Nanoseconds) -> String { "\(time / 1_000_000_000)s" }
            let limit = terms.limit == .max ? "" : "limit: \(terms.limit), "
            let place = runOn[name].map { $0 == .leader ? "run-on: leader, " : "run-on: [\($0)], " } ?? ""
            return "  \(name): { probe: \(name), \(place)max-concurrent: \(terms.maxConcurrent), "
                + "timeout: \(seconds(timeLimits[name] ?? 0)), retry: { \(limit)first: 1s, "
                + "max: \(seconds(terms.longestWait)), give-up-after: \(seconds(terms.giveUpAfter)) } }"
        }
        return "sinks:\n" + lines.joined(separator: "\n") + "\n"
    }
}

/// Draws the happenings of a plan.
private struct PlanWriter {
    var random: SeededRandom
    let plan: Plan
    var happenings: [Plan.Happening] = []
    private var drafts: [String: Draft] = [:]
    private var removed: [String: Draft] = [:]
    /// By how much the clock was set so far.
    private var offset: Nanoseconds = 0

    init(random: SeededRandom, plan: Plan) {
        self.random = random
        self.plan = plan
    }

    mutating func write(_ size: Plan.Size) {
        let sinks = plan.terms.keys.sorted()
        var grammar = Grammar(
            random: SeededRandom(random.next()), sinks: sinks, begin: plan.begin, length: plan.length)
        var first: [String: Draft?] = [:]
        for number in 0..<size.definitions {
            let draft = grammar.draft("d\(number)", now: plan.begin)
            first[draft.id] = draft
            drafts[draft.id] = draft
        }
        add(0, .write(first))
        if random.below(4) == 0 {
            add(
                time(),
                .receiver(sinks[random.below(sinks.count)], random.below(2) == 0 ? .failing : .refusing, lasts: nil))
        }
        let times = (0..<size.days * size.perDay).map { _ in time() }.sorted()
        for time in times { add(time, deed(at: time, sinks, size, &grammar)) }
    }

    private mutating func add(_ at: Nanoseconds, _ deed: Deed) { happenings.append(.init(at: at, deed: deed)) }

    private mutating func time() -> Nanoseconds {
        // Often on a whole minute, because that is when things are due.
        let milliseconds = random.below(Int(plan.length / 1_000_000))
        let time = Int64(milliseconds) * 1_000_000
        guard random.below(3) == 0 else { return time }
        return time - (plan.begin + time) % 60_000_000_000 + 60_000_000_000
    }

    private mutating func span(_ choices: [Int]) -> Nanoseconds {
        Int64(1 + random.below(choices[random.below(choices.count)])) * 1_000_000_000
    }

    private mutating func deed(
        at time: Nanoseconds, _ sinks: [String], _ size: Plan.Size, _ grammar: inout Grammar
    ) -> Deed {
        let now = plan.begin + time + offset
        let id = "d\(random.below(size.definitions + 2))"
        switch random.below(20) {
        case 0..<3:
            guard let draft = drafts[id] else { return added(id, now, &grammar) }
            let edited = grammar.edited(draft, now: now)
            drafts[id] = edited
            return .write([id: edited])
        case 3:
            guard let draft = drafts.removeValue(forKey: id) else { return added(id, now, &grammar) }
            removed[id] = draft
            return .write([id: nil])
        case 4:
            add(time + span([600, 20_000]), .mend(id))
            return .damage(id)
        case 5..<10: return .ask(wish(id, now))
        case 10:
            let step = span([4, 60, 3_000, 10_000, 20_000, 90_000]) * (random.below(2) == 0 ? 1 : -1)
            offset += step
            return .setClock(by: step)
        case 11: return .sleep(span([30, 600, 7_200, 30_000]))
        case 12..<14:
            // A store that is in trouble at the next start, too.
            if random.below(5) == 0 { add(time, .trouble(.refuses, lasts: span([600, 3_600]))) }
            return .crash(effects: 1 + random.below(12), down: span([1, 4, 60, 3_600, 40_000]))
        case 14:
            let stop = Deed.stop(down: span([1, 60, 7_200]))
            guard random.below(2) == 0, let sink = drafts[id]?.rule.sinks.first else { return stop }
            // Stops during an attempt that probably outlasts the time to stop.
            add(time + 1_000_000_000, .ask(Wish(.fire, id)))
            add(time + 2_000_000_000, stop)
            return .receiver(sink, .hanging, lasts: 60_000_000_000)
        case 15:
            let moods: [StoreMood] = [.refuses, .slow, .uncertain]
            return .trouble(moods[random.below(3)], lasts: span([10, 120, 3_600]))
        default:
            let manners: [Manner] = [.slow, .failing, .failing, .refusing, .hanging, .late]
            let manner = manners[random.below(manners.count)]
            let (sink, lasts) = (sinks[random.below(sinks.count)], span([60, 1_800, 10_000]))
            if manner != .refusing, random.below(6) == 0 {
                let draft = grammar.crowd(id, to: sink, now: now)
                drafts[id] = draft
                add(time, .write([id: draft]))
            }
            // Withdraws what waits for the receiver by then.
            if random.below(4) == 0 { add(time + lasts / 4 * 3, .ask(Wish(.mute, nil, amount: span([600, 20_000])))) }
            return .receiver(sink, manner, lasts: lasts)
        }
    }

    /// Adds a definition: one that was removed comes back as it was, or another one with its id.
    private mutating func added(_ id: String, _ now: Nanoseconds, _ grammar: inout Grammar) -> Deed {
        let draft = random.below(3) > 0 ? removed[id] ?? grammar.draft(id, now: now) : grammar.draft(id, now: now)
        drafts[id] = draft
        return .write([id: draft])
    }

    private mutating func wish(_ id: String, _ now: Nanoseconds) -> Wish {
        let verbs = Wish.Verb.allCases
        let verb = random.below(6) == 0 ? .mute : verbs[random.below(verbs.count)]
        switch verb {
        case .mute: return Wish(verb, random.below(4) == 0 ? nil : id, amount: span([600, 20_000, 100_000]))
        case .unmute: return Wish(verb, random.below(4) == 0 ? nil : id)
        case .add, .snooze: return Wish(verb, id, amount: span([600, 7_200]))
        default: return Wish(verb, id)
        }
    }
}
