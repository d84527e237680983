import TminusCore

/// Decides what an alarm says and when it looks again, from what the clocks show.
struct AlarmPlan {
    /// What the clocks show at one look.
    struct Look {
        /// The wall clock.
        var now: Timestamp
        /// The wall clock less the time since boot, in nanoseconds. Only setting the wall clock changes it: both stand for
        /// suspended time, and both are slewed alike (clock_gettime(2)).
        var offset: Int64
    }

    /// What a look leads to.
    struct Result: Equatable {
        /// Whether the deadline has come.
        var isDue = false
        /// How far the wall clock was set since the last look.
        var step: Duration?
        /// When the timer must expire next. Never nil: the kernel reports that the clock was set only to a timer that is armed.
        var wake: Timestamp
    }

    /// Smaller differences come from reading two clocks one after the other.
    static let smallestStep: Int64 = 1_000_000
    /// Where a timer that has nothing to wait for is armed: in 2200.
    static let far = Timestamp(seconds: 7_258_118_400)

    private var deadline: Timestamp?
    private var offset: Int64

    /// A plan with no deadline.
    init(_ look: Look) {
        offset = look.offset
    }

    /// A new deadline in place of the old one. Past ones wake the timer at once.
    mutating func set(_ deadline: Timestamp?, _ look: Look) -> Result {
        self.deadline = deadline
        return Result(step: step(look), wake: wake)
    }

    /// The timer expired or was cancelled, or somebody wants to know.
    mutating func look(_ look: Look) -> Result {
        let step = step(look)
        // The clock may have been set back after the timer expired; so it is the clock that decides, not the timer.
        let isDue = deadline.map { $0 <= look.now } ?? false
        if isDue { deadline = nil }
        return Result(isDue: isDue, step: step, wake: wake)
    }

    private var wake: Timestamp { deadline ?? Self.far }

    /// A difference that is too small is kept for the next look, so that many of them are noticed.
    private mutating func step(_ look: Look) -> Duration? {
        let (difference, overflow) = look.offset.subtractingReportingOverflow(offset)
        guard overflow || difference.magnitude >= UInt64(Self.smallestStep) else { return nil }
        offset = look.offset
        return .nanoseconds(overflow ? (look.offset < 0 ? .min : .max) : difference)
    }
}
