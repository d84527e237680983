/// One line of a history: what happened outside the program, or between it and the outside.
package struct Record: Sendable {
    /// Time that nobody sets, since the run began.
    package var steady: Nanoseconds
    /// What the clock of the machine shows.
    package var wall: Nanoseconds
    package var event: Happened

    package init(steady: Nanoseconds, wall: Nanoseconds, _ event: Happened) {
        self.steady = steady
        self.wall = wall
        self.event = event
    }
}

/// What happened.
package enum Happened: Sendable {
    /// The program runs and has read the files.
    case started
    /// The process has been asked to stop, and begins nothing more.
    case stopping
    /// The power was cut: recent claims and settlements may be lost. ``crashed`` follows.
    case powerCut
    /// The process with that number, which had the schedule, is gone.
    case crashed(Int)
    /// The process with that number delivers beside the one with the schedule.
    case follows(Int)
    /// The process with that number, which delivered beside the leader, is gone. What it had claimed waits.
    case followerGone(Int)
    /// That process claims nothing more, because it does not reach the store or is to end.
    case followerLeaves(Int)
    /// It reaches the store again.
    case reconnected(Int)
    /// What that process had claimed can be claimed again. One that is cut off may go on with it for a while.
    case claimsReleased(Int)
    /// The store refuses or is slow from here on.
    case storeTroubled
    /// It works again.
    case storeWorks
    /// The clock was set by this much; the record's wall time is that after it.
    case clockSet(by: Nanoseconds)
    /// The machine slept for so long, up to this record.
    case slept(Nanoseconds)
    /// The files say this of a definition from here on; nil: nothing any more.
    case edited(String, Rule?)
    /// A person asked for something.
    case asked(Int, Wish)
    /// The program answered, with success or a refusal.
    case answered(Int, isDone: Bool)
    /// A sink received a delivery.
    case received(Handover)
    /// The receiver has taken it: it counts as delivered there, whatever the program learns of it.
    case taken(Int)
    /// What the program was told of an attempt.
    case told(Int, Verdict)
    /// The end of the history.
    case over
}

/// What the program learns of an attempt.
package enum Verdict: Sendable, Equatable { case delivered, mayPass, hopeless }

/// What a person asks for.
package struct Wish: Sendable, Equatable {
    package enum Verb: String, Sendable, CaseIterable {
        case start, add, pause, resume, stop, reset, lap, snooze, skip, mute, unmute, fire
    }

    /// The definition; nil for all.
    package var definition: String?
    package var verb: Verb
    /// The time to add or to snooze for, or the instant until which to mute.
    package var amount: Nanoseconds = 0
    /// The sinks of a test.
    package var sinks: [String] = []

    package init(_ verb: Verb, _ definition: String?, amount: Nanoseconds = 0, sinks: [String] = []) {
        self.verb = verb
        self.definition = definition
        self.amount = amount
        self.sinks = sinks
    }
}

/// The kinds of action.
package enum Action: String, Sendable { case reminder, expiry, elapsed, failure, missed, test }

/// A delivery as a sink received it.
package struct Handover: Sendable {
    /// Tells the attempts of a history apart.
    package var number: Int
    /// The process that makes it.
    package var process: Int
    package var sink: String
    package var delivery: String
    package var definition: String
    package var occurrence: Nanoseconds
    package var action: Action
    package var due: Nanoseconds
    package var isCatchUp: Bool
    /// The delivery that a notice of failure is about.
    package var failed: String?

    package init(
        number: Int, process: Int, sink: String, delivery: String, definition: String, occurrence: Nanoseconds,
        action: Action,
        due: Nanoseconds, isCatchUp: Bool, failed: String?
    ) {
        self.number = number
        self.process = process
        self.sink = sink
        self.delivery = delivery
        self.definition = definition
        self.occurrence = occurrence
        self.action = action
        self.due = due
        self.isCatchUp = isCatchUp
        self.failed = failed
    }
}

/// What the options of a sink promise.
package struct SinkTerms: Sendable {
    package var maxConcurrent: Int
    package var longestWait: Nanoseconds
    package var giveUpAfter: Nanoseconds
    /// How many attempts there are at most.
    package var limit: Int
    /// Whether only machines serve it that deliver beside the leader.
    package var needsFollower = false

    package init(maxConcurrent: Int, longestWait: Nanoseconds, giveUpAfter: Nanoseconds, limit: Int) {
        self.maxConcurrent = maxConcurrent
        self.longestWait = longestWait
        self.giveUpAfter = giveUpAfter
        self.limit = limit
    }
}

/// A rule that the history breaks.
package struct Violation: Sendable, Equatable {
    /// The rule, in a few words.
    package var rule: String
    package var detail: String
    /// When, in steady time.
    package var steady: Nanoseconds

    package init(rule: String, detail: String, steady: Nanoseconds) {
        self.rule = rule
        self.detail = detail
        self.steady = steady
    }
}
