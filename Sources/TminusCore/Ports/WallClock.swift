/// The machine's wall clock, and alarms on it.
public protocol WallClock: Sendable {
    /// The wall time, and by how much the clock was set since the process started, read at the same time.
    var reading: ClockReading { get }

    /// Like ``reading``, for callers that read it many times in a row. A step of the clock may be noticed a tenth of a
    /// millisecond later, and a reading may be a microsecond before an earlier one.
    var recentReading: ClockReading { get }

    /// An alarm that is not set. Each alarm has one owner, the loop of a service.
    func makeAlarm() -> any Alarm

    /// An alarm that calls `ring` and has no ``Alarm/rings``. It saves the time to wake a task that would only pass the
    /// ring on. Any thread may call `ring`, which must not block.
    func makeAlarm(_ ring: @escaping @Sendable () -> Void) -> any Alarm
}

extension WallClock {
    /// The wall time.
    public var now: Timestamp { reading.now }

    public var recentReading: ClockReading { reading }
}

/// The reading of a wall clock.
public struct ClockReading: Sendable, Hashable {
    /// The wall time.
    public var now: Timestamp
    /// The sum of all steps by which the clock was set since the process started. Time in suspend is not a step.
    public var setBy: Duration
    /// How long the machine has been suspended in all since the process started.
    public var slept: Duration

    /// The wall time without the steps of the clock, for measuring elapsed time.
    public var steady: Timestamp { now.advanced(by: .zero - setBy) }

    /// A reading.
    public init(now: Timestamp, setBy: Duration, slept: Duration = .zero) {
        self.now = now
        self.setBy = setBy
        self.slept = slept
    }
}

/// An alarm that can be set again at any time. It costs nothing until it is due.
///
/// A ring is a hint; the clock is the truth. After a ring the owner reads the clock, does what is due, and sets the
/// alarm again.
public protocol Alarm: Sendable {
    /// Rings at `deadline`, or at once if that is past. It replaces any earlier setting. With nil it rings only if the
    /// clock is set.
    func set(_ deadline: Timestamp?)

    /// Yields an element when the deadline has come, and when the wall clock was set or the machine woke up. Ends when
    /// the alarm is cancelled. For one reader.
    var rings: AsyncStream<Void> { get }

    /// Ends ``rings``.
    func cancel()
}
