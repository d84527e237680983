/// Nanoseconds: of wall time since 1970 in UTC, of steady time since the run began, or a length of time.
package typealias Nanoseconds = Int64

/// What a definition says, in terms that a plain loop can work out.
package struct Rule: Sendable, Equatable {
    /// When an event occurs.
    package enum Calendar: Sendable, Equatable {
        /// At `start` and every `step` after it, up to and including `until`.
        case every(start: Nanoseconds, step: Nanoseconds, until: Nanoseconds)
        /// At these minutes of these hours of each day, in UTC.
        case daily(hours: [Int64], minutes: [Int64])
        /// At these instants.
        case instants([Nanoseconds])
    }

    /// What begins the next cycle of a timer.
    package enum Repetition: Sendable, Equatable { case never, immediately, afterAction }

    /// What decides when something is due.
    package enum Kind: Sendable, Equatable {
        case event(Calendar)
        /// `followsWall`: setting the clock shortens or lengthens a cycle. `isAwake`: sleep lengthens it.
        case timer(
            duration: Nanoseconds, Repetition, count: Int, isAuto: Bool, followsWall: Bool, isAwake: Bool)
        case stopwatch(alerts: [Nanoseconds], isAuto: Bool)

        /// Whether an edit to the other keeps the state.
        func isLike(_ other: Kind) -> Bool {
            switch (self, other) {
            case (.event, .event), (.timer, .timer), (.stopwatch, .stopwatch): true
            default: false
            }
        }
    }

    /// A reminder.
    package struct Lead: Sendable, Equatable {
        package var length: Nanoseconds
        package var isBefore: Bool

        package init(length: Nanoseconds, isBefore: Bool) {
            self.length = length
            self.isBefore = isBefore
        }

        /// When it is due.
        func due(of occurrence: Nanoseconds) -> Nanoseconds { isBefore ? occurrence - length : occurrence + length }
    }

    /// Which missed expiries are sent.
    package enum CatchUp: String, Sendable { case latest, all, none }
    /// What happens to a delivery while one of an earlier occurrence is not over.
    package enum Overlap: String, Sendable { case skip, queue, allow, replace }

    package var kind: Kind
    package var leads: [Lead] = []
    package var reminderSinks: [String] = []
    /// The sinks of expiries, or of the alerts of a stopwatch.
    package var sinks: [String]
    package var failureSinks: [String] = []
    package var overlap = Overlap.queue
    package var catchUp: CatchUp
    package var grace: Nanoseconds
    package var isEnabled = true

    package init(kind: Kind, sinks: [String], catchUp: CatchUp, grace: Nanoseconds) {
        self.kind = kind
        self.sinks = sinks
        self.catchUp = catchUp
        self.grace = grace
    }

    /// Whether what is due stays as far away when the clock is set.
    var movesWithClock: Bool {
        switch kind {
        case .event: false
        case .timer(_, _, _, _, let followsWall, _): !followsWall
        case .stopwatch: true
        }
    }

    /// Whether what is due stays as far away while the machine sleeps.
    var standsStillInSleep: Bool { if case .timer(_, _, _, _, _, isAwake: true) = kind { true } else { false } }

    /// Whether an edit to the other rule leaves the schedule as it is.
    func hasSchedule(of other: Rule) -> Bool { kind == other.kind && leads == other.leads }
}

extension Rule.Calendar {
    /// The occurrences in a closed range, by a plain loop.
    func occurrences(from first: Nanoseconds, through last: Nanoseconds) -> [Nanoseconds] {
        var found: [Nanoseconds] = []
        switch self {
        case .every(let start, let step, let until):
            var next = start
            while next <= min(last, until) {
                if next >= first { found.append(next) }
                next += step
            }
        case .daily(let hours, let minutes):
            let (day, hour, minute) = (86_400_000_000_000 as Int64, 3_600_000_000_000 as Int64, 60_000_000_000 as Int64)
            var midnight = first - first % day
            while midnight <= last {
                for h in hours {
                    for m in minutes {
                        let next = midnight + h * hour + m * minute
                        if next >= first, next <= last { found.append(next) }
                    }
                }
                midnight += day
            }
        case .instants(let instants): found = instants.filter { $0 >= first && $0 <= last }
        }
        return found.sorted()
    }
}
