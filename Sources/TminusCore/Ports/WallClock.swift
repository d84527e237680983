/// The machine's wall clock, and alarms on it.
public protocol WallClock: Sendable {
    /// The wall time, and how far the clock was set since the process started, read together.
    var reading: ClockReading { get }

    /// As ``reading``, for who reads it many times in a row: that the clock was set may be noticed a tenth of a millisecond later,
    /// and one may be a microsecond before another that was read earlier.
    var recentReading: ClockReading { get }

    /// An alarm that is not set. Each has one owner, a service's loop.
    func makeAlarm() -> any Alarm

    /// An alarm that calls `ring` and has no ``Alarm/rings``: for who would only pass them on, which takes the time of waking a task.
    /// `ring` is called by any thread, and must not wait.
    func makeAlarm(_ ring: @escaping @Sendable () -> Void) -> any Alarm
}

extension WallClock {
    /// The wall time.
    public var now: Timestamp { reading.now }

    public var recentReading: ClockReading { reading }
}

/// What a wall clock shows.
public struct ClockReading: Sendable, Hashable {
    /// The wall time.
    public var now: Timestamp
    /// The sum of all steps by which the clock was set since the process started. Time in suspend is not a step.
    public var setBy: Duration
    /// How long the machine has slept in all since the process started.
    public var slept: Duration

    /// The wall time as it would be had nobody set the clock: for what counts elapsed time.
    public var steady: Timestamp { now.advanced(by: .zero - setBy) }

    /// A reading.
    public init(now: Timestamp, setBy: Duration, slept: Duration = .zero) {
        self.now = now
        self.setBy = setBy
        self.slept = slept
    }
}

/// A single alarm that can be set again at any time. Nothing ticks while it is not due.
///
/// A ring is a hint, the clock is the truth: the owner reads the clock, does what is due, and sets the alarm anew.
public protocol Alarm: Sendable {
    /// Rings at `deadline` (at once if that is past), in place of any earlier setting; nil: only if the clock is set.
    func set(_ deadline: Timestamp?)

    /// An element when the deadline has come, and when the wall clock was set or the machine woke up. Ends when the alarm is cancelled. One reader.
    var rings: AsyncStream<Void> { get }

    /// Ends ``rings``.
    func cancel()
}
