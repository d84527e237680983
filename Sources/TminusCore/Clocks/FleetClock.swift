internal import Synchronization

/// The clock that the machines of a fleet share: that of their database, derived from the steady clock of this machine and the measured
/// distance.
///
/// The wall clock of the machine decides nothing: one that is wrong, or that somebody sets, changes nothing in what fires when. If the
/// clock of the database jumps, that is a clock that was set, as ``ClockReading/setBy`` says. While the database does not answer, the
/// clock keeps the last distance.
///
/// It shows the steady time of the machine until it is measured, so a store measures it before anybody uses it.
package final class FleetClock: WallClock {
    private struct State {
        var distance = ClockDistance()
        var alarms: [WeakAlarm] = []
    }

    private struct WeakAlarm {
        weak var alarm: FleetAlarm?
    }

    private let machine: any WallClock
    private let measured: @Sendable (_ ahead: Duration) -> Void
    private let state = Mutex(State())

    /// A clock that was not measured.
    ///
    /// - Parameter measured: Called after each measurement, with ``machineAhead``.
    package init(
        on machine: any WallClock, measured: @escaping @Sendable (_ ahead: Duration) -> Void = { _ in }
    ) {
        self.machine = machine
        self.measured = measured
    }

    package var reading: ClockReading { state.withLock { $0.distance.reading(machine.reading) } }

    package var recentReading: ClockReading { state.withLock { $0.distance.reading(machine.recentReading) } }

    /// How far the wall clock of this machine is ahead of the fleet's clock; negative if it is behind.
    package var machineAhead: Duration {
        let reading = machine.reading
        return state.withLock { $0.distance.now(at: reading.steady) }.duration(to: reading.now)
    }

    /// Measures the distance. `ask` returns what the clock of the database shows, or nil if that does not say so. Returns whether it did.
    package func measure(_ ask: () throws -> Timestamp?) rethrows -> Bool {
        let sent = machine.reading.steady
        guard let there = try ask() else { return false }
        let (change, alarms) = state.withLock { state in
            let received = machine.reading.steady
            let change = state.distance.take(.init(sent: sent, there: there, received: received))
            return (change, change == .nothing ? [] : state.alarms.compactMap(\.alarm))
        }
        for alarm in alarms { alarm.clockChanged(isJump: change == .jump) }
        measured(machineAhead)
        return true
    }

    package func makeAlarm() -> any Alarm {
        let (rings, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        return makeAlarm(rings, continuation) { continuation.yield() }
    }

    package func makeAlarm(_ ring: @escaping @Sendable () -> Void) -> any Alarm {
        let (rings, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        return makeAlarm(rings, continuation, ring)
    }

    private func makeAlarm(
        _ rings: AsyncStream<Void>, _ continuation: AsyncStream<Void>.Continuation,
        _ ring: @escaping @Sendable () -> Void
    ) -> any Alarm {
        let alarm = FleetAlarm(clock: self, on: machine.makeAlarm(ring), rings, continuation, ring)
        state.withLock { state in
            state.alarms.removeAll { $0.alarm == nil }
            state.alarms.append(WeakAlarm(alarm: alarm))
        }
        return alarm
    }

    /// The wall time of the machine at an instant of this clock.
    fileprivate func onMachine(_ instant: Timestamp) -> Timestamp {
        let setBy = machine.reading.setBy
        return state.withLock { $0.distance.steady(at: instant) }.advanced(by: setBy)
    }
}

/// An alarm of the machine that is set for an instant of the fleet's clock. It rings when either clock is set, and the owner then sets it
/// again; so one that the machine's clock was set away from is corrected by its owner.
private final class FleetAlarm: Alarm {
    let rings: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation
    private let ring: @Sendable () -> Void
    private let clock: FleetClock
    private let alarm: any Alarm
    private let deadline = Mutex<Timestamp?>(nil)

    init(
        clock: FleetClock, on alarm: any Alarm, _ rings: AsyncStream<Void>,
        _ continuation: AsyncStream<Void>.Continuation, _ ring: @escaping @Sendable () -> Void
    ) {
        self.clock = clock
        self.alarm = alarm
        self.rings = rings
        self.continuation = continuation
        self.ring = ring
    }

    func set(_ deadline: Timestamp?) {
        self.deadline.withLock { last in
            last = deadline
            // Under the lock: the owner and a measurement must not set it in the wrong order.
            alarm.set(deadline.map(clock.onMachine))
        }
    }

    /// Sets the alarm by the new distance, and rings if it is a jump. The owner may have read the clock before that.
    func clockChanged(isJump: Bool) {
        deadline.withLock { alarm.set($0.map(clock.onMachine)) }
        if isJump { ring() }
    }

    func cancel() {
        alarm.cancel()
        continuation.finish()
    }
}
