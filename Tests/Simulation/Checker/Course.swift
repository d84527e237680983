/// The course of time in a history: what the clock showed when, and when something kept the program from acting.
struct Course {
    /// A closed stretch of steady time.
    struct Stretch {
        var from: Nanoseconds
        var to: Nanoseconds
        /// Whether the process was gone, the machine slept or the clock was set: nothing at all was noticed in it.
        var isBlind: Bool
    }

    /// A step by which the clock was set.
    struct Step {
        var steady: Nanoseconds
        var by: Nanoseconds
        /// Whether the program ran.
        var isUp: Bool
    }

    /// The store is asked again after 30 s at most.
    static let slack: Nanoseconds = 35_000_000_000

    /// Where the clock of the machine was set: from `steady` on it shows `wall` and goes on from there.
    private var settings: [(steady: Nanoseconds, wall: Nanoseconds)] = []
    /// The stretches of trouble, in order and merged with those that follow within ``slack``; each with its slack.
    private(set) var troubles: [Stretch] = []
    /// The same as they were.
    private(set) var raw: [Stretch] = []
    /// Where no process ran, or only one that was to end.
    private(set) var downs: [Stretch] = []
    /// Where the claims of a machine wait that is gone or cut off. What the leader decides is not affected.
    private(set) var away: [Stretch] = []
    /// Where no machine delivers beside the leader.
    private(set) var alone: [Stretch] = []
    private(set) var end: Nanoseconds = 0
    /// Whether several machines share the store.
    private(set) var isFleet = false
    /// How long a decision may be on its way to the store. In a fleet a commit takes up to 40 ms, and one may be before it.
    var delay: Nanoseconds { isFleet ? 100_000_000 : 1_000_000 }
    /// A clock that is set back so far behind the latest that it has shown is corrected: the time before was wrong.
    private static let correction: Nanoseconds = 3 * 3_600_000_000_000
    /// Within this time the process with the schedule learns what another one has done.
    static let learning: Nanoseconds = 4_000_000_000
    /// The steps by which the clock was set.
    private(set) var steps: [Step] = []
    private(set) var sleeps: [(steady: Nanoseconds, length: Nanoseconds, isUp: Bool)] = []
    /// Where sleeps begin at whose end the clock is set. What counts elapsed time and came due in one is named by the clock before
    /// the step or after it, as the program notices both at once or not.
    private(set) var blurs: Set<Nanoseconds> = []

    init(_ history: [Record]) {
        guard let first = history.first, let last = history.last else { return }
        settings = [(first.steady, first.wall)]
        end = last.steady
        var downSince: Nanoseconds? = first.steady
        var troubledSince: Nanoseconds?
        var fleet = FleetTroubles()
        for record in history {
            let steady = record.steady
            switch record.event {
            case .started:
                if let since = downSince { downs.append(Stretch(from: since, to: steady, isBlind: true)) }
                downSince = nil
            case .stopping, .crashed: downSince = downSince ?? steady
            case .storeTroubled: troubledSince = troubledSince ?? steady
            case .storeWorks:
                if let since = troubledSince { raw.append(Stretch(from: since, to: steady, isBlind: false)) }
                troubledSince = nil
            case .clockSet(let step):
                settings.append((steady, record.wall))
                steps.append(Step(steady: steady, by: step, isUp: downSince == nil))
                raw.append(Stretch(from: steady, to: steady, isBlind: true))
            case .slept(let length):
                raw.append(Stretch(from: steady - length, to: steady, isBlind: true))
                sleeps.append((steady, length, downSince == nil))
            case .follows, .followerLeaves, .reconnected, .followerGone, .claimsReleased:
                isFleet = true
                fleet.note(record.event, at: steady)
            case .powerCut, .edited, .asked, .answered, .received, .taken, .told, .over: break
            }
        }
        for sleep in sleeps.reversed()
        where steps.contains(where: { $0.steady == sleep.steady }) || blurs.contains(sleep.steady) {
            blurs.insert(sleep.steady - sleep.length)
        }
        if let since = downSince { downs.append(Stretch(from: since, to: end, isBlind: true)) }
        if let since = troubledSince { raw.append(Stretch(from: since, to: end, isBlind: false)) }
        raw += downs
        (away, alone) = fleet.stretches(until: end)
        raw.sort { ($0.from, $0.to) < ($1.from, $1.to) }
        for stretch in raw {
            let to = stretch.to + Self.slack
            if let before = troubles.last, stretch.from <= before.to {
                troubles[troubles.count - 1].to = max(before.to, to)
            } else {
                troubles.append(Stretch(from: stretch.from, to: to, isBlind: stretch.isBlind))
            }
        }
    }

    /// What the clock showed at a steady time, after any setting at that time.
    func wall(at steady: Nanoseconds) -> Nanoseconds {
        let setting = settings.last { $0.steady <= steady } ?? (0, 0)
        return setting.wall + steady - setting.steady
    }

    /// The latest that the clock had shown up to a steady time.
    func latestWall(upTo steady: Nanoseconds) -> Nanoseconds {
        var latest = wall(at: steady)
        for (index, setting) in settings.enumerated() where setting.steady <= steady {
            let next = index + 1 < settings.count ? min(settings[index + 1].steady, steady) : steady
            latest = max(latest, setting.wall + next - setting.steady)
        }
        return latest
    }

    /// Whether a step is a correction. Steps before it count, too.
    func isCorrection(_ step: Step) -> Bool {
        step.by < 0 && latestWall(upTo: step.steady - 1) - wall(at: step.steady) > Self.correction
    }

    /// Whether the clock came to an instant in a stretch of steady time after a correction, perhaps for the second time.
    func isCorrected(to instant: Nanoseconds, in stretch: ClosedRange<Nanoseconds>) -> Bool {
        steps.contains { step in
            isCorrection(step) && step.steady <= stretch.upperBound
                && crossing(of: instant, after: max(step.steady, stretch.lowerBound), upTo: stretch.upperBound) != nil
        }
    }

    /// The first steady time after `from` and up to `to` at which the clock came to show `instant` or passed it.
    func crossing(of instant: Nanoseconds, after from: Nanoseconds, upTo to: Nanoseconds) -> Nanoseconds? {
        for (index, setting) in settings.enumerated() {
            let next = index + 1 < settings.count ? settings[index + 1].steady : .max
            guard next >= from, setting.steady <= to else { continue }
            if setting.steady > from, index > 0 {
                let before = settings[index - 1]
                if before.wall + setting.steady - before.steady <= instant, instant <= setting.wall {
                    return setting.steady
                }
            }
            let steady = setting.steady + instant - setting.wall
            if steady > max(from, setting.steady), steady < next, steady <= to { return steady }
        }
        return nil
    }

    /// Whether the program never saw the clock show an instant that it came to at `crossed`, because the machine slept, and
    /// at the end of that the clock was set back behind it.
    func isUnseen(_ instant: Nanoseconds, at crossed: Nanoseconds) -> Bool {
        let isAsleep = sleeps.contains { sleep in
            let begin = sleep.steady - sleep.length
            return blurs.contains(begin) && begin < crossed && crossed <= sleep.steady
        }
        guard isAsleep, let wake = steps.first(where: { $0.steady >= crossed }) else { return false }
        return wall(at: wake.steady) < instant
    }

    /// Whether a step in a stretch may have moved to `instant` what was due in trouble before it, and was not in the store yet.
    func mayBeMoved(to instant: Nanoseconds, in stretch: ClosedRange<Nanoseconds>) -> Bool {
        steps.contains { step in
            guard stretch.contains(step.steady), let trouble = trouble(at: step.steady) else { return false }
            return crossing(of: instant - step.by, after: trouble.from, upTo: step.steady - 1) != nil
        }
    }

    /// The trouble, with its slack, that reaches over a steady time.
    func trouble(at steady: Nanoseconds) -> Stretch? { troubles.first { $0.from <= steady && steady <= $0.to } }

    /// Whether nothing troubled the program in a closed stretch.
    func isCalm(_ from: Nanoseconds, _ to: Nanoseconds) -> Bool {
        !troubles.contains { $0.from <= to && $0.to >= from }
    }

    /// Whether the clock was set back up to a steady time.
    func isSetBack(upTo steady: Nanoseconds) -> Bool { steps.contains { $0.steady <= steady && $0.by < 0 } }
}
