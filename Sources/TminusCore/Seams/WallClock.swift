/// The machine's wall clock, and alarms on it.
public protocol WallClock: Sendable {
    /// The wall time.
    var now: Timestamp { get }

    /// An alarm that is not set. Each has one owner, a service's loop.
    func makeAlarm() -> any Alarm
}

/// A single alarm that can be set again at any time. Nothing ticks while it is not due.
public protocol Alarm: Sendable {
    /// Rings at `deadline` (at once if that is past), in place of any earlier setting; nil: not at all.
    func set(_ deadline: Timestamp?)

    /// What the alarm says. Ends when the alarm is cancelled.
    var rings: AsyncStream<Ring> { get }

    /// Ends ``rings``.
    func cancel()
}

/// What an alarm says.
public enum Ring: Sendable, Hashable {
    /// The deadline has come.
    case due
    /// The wall clock was set: it now shows this much more (or less) than steady time would have it.
    case stepped(by: Duration)
}
