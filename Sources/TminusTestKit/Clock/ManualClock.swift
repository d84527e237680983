import Synchronization
public import TminusCore

/// A wall clock that stands still until a test moves it.
public final class ManualClock: WallClock {
    private struct State: Sendable {
        var now: Timestamp
        var setBy: Duration = .zero
        var slept: Duration = .zero
        var alarms: [Int: ManualAlarm.Setting] = [:]
        var nextAlarm = 0
    }

    private let state: Watched<State>

    /// A clock that shows `now`.
    public init(now: Timestamp) {
        state = Watched(State(now: now))
    }

    public var reading: ClockReading {
        let state = state.value
        return ClockReading(now: state.now, setBy: state.setBy, slept: state.slept)
    }

    /// The earliest deadline of all alarms that are set.
    public var nextDeadline: Timestamp? { Self.nextDeadline(state.value) }

    public func makeAlarm() -> any Alarm {
        let (rings, continuation) = AsyncStream.makeStream(of: Void.self)
        return makeAlarm(rings, continuation) { continuation.yield() }
    }

    public func makeAlarm(_ ring: @escaping @Sendable () -> Void) -> any Alarm {
        let (rings, continuation) = AsyncStream.makeStream(of: Void.self)
        return makeAlarm(rings, continuation, ring)
    }

    private func makeAlarm(
        _ rings: AsyncStream<Void>, _ continuation: AsyncStream<Void>.Continuation,
        _ ring: @escaping @Sendable () -> Void
    ) -> any Alarm {
        let number = state.update { state in
            state.nextAlarm += 1
            state.alarms[state.nextAlarm] = ManualAlarm.Setting(
                deadline: nil, ring: ring, end: { continuation.finish() })
            return state.nextAlarm
        }
        return ManualAlarm(clock: self, number: number, rings: rings)
    }

    /// Lets time pass. Alarms that are reached ring in the order of their deadlines.
    public func advance(by duration: Duration) {
        precondition(duration >= .zero, "time does not pass backwards; set(to:) makes a step")
        move { $0.advanced(by: duration) }
    }

    /// Sets the clock as an administrator would: every alarm rings.
    public func set(to instant: Timestamp) {
        let alarms = state.update { state in
            state.setBy += state.now.duration(to: instant)
            state.now = instant
            return state.alarms.sorted { $0.key < $1.key }.map(\.value.ring)
        }
        for ring in alarms { ring() }
        move { $0 }
    }

    /// Puts the machine to sleep for a while: time passes, and every alarm rings when it wakes up.
    public func sleep(for duration: Duration) {
        precondition(duration >= .zero, "time does not pass backwards")
        let alarms = state.update { state in
            state.now = state.now.advanced(by: duration)
            state.slept += duration
            return state.alarms.sorted { $0.key < $1.key }.map(\.value.ring)
        }
        for ring in alarms { ring() }
        move { $0 }
    }

    /// Waits until the earliest deadline of all alarms is `deadline`; false if it was not within `limit` of steady time.
    ///
    /// That is how a test knows that a loop has done its work and sleeps.
    public func waitForDeadline(_ deadline: Timestamp?, upTo limit: Duration = .seconds(600)) async -> Bool {
        await state.wait(upTo: limit) { Self.nextDeadline($0) == deadline }
    }

    fileprivate func set(_ deadline: Timestamp?, of alarm: Int) {
        state.update { $0.alarms[alarm]?.deadline = deadline }
        move { $0 }
    }

    fileprivate func cancel(_ alarm: Int) {
        let setting = state.update { $0.alarms.removeValue(forKey: alarm) }
        setting?.end()
    }

    private func move(_ change: (Timestamp) -> Timestamp) {
        let due = state.update { state in
            state.now = change(state.now)
            let due = state.alarms.filter { ($0.value.deadline).map { $0 <= state.now } ?? false }
                .sorted { ($0.value.deadline ?? .distantPast, $0.key) < ($1.value.deadline ?? .distantPast, $1.key) }
            for (key, _) in due { state.alarms[key]?.deadline = nil }
            return due.map(\.value.ring)
        }
        for ring in due { ring() }
    }

    private static func nextDeadline(_ state: State) -> Timestamp? {
        state.alarms.values.compactMap(\.deadline).min()
    }
}

/// An alarm of a ``ManualClock``.
private struct ManualAlarm: Alarm {
    struct Setting: Sendable {
        var deadline: Timestamp?
        var ring: @Sendable () -> Void
        var end: @Sendable () -> Void
    }

    let clock: ManualClock
    let number: Int
    let rings: AsyncStream<Void>

    func set(_ deadline: Timestamp?) { clock.set(deadline, of: number) }
    func cancel() { clock.cancel(number) }
}
