internal import Synchronization
internal import TminusCore

/// Tells the service manager that the engine works, as long as it does (sd_watchdog_enabled(3)).
///
/// The timer, the engine and the datagram share the thread of the services, so a ping wakes one thread once.
final class Watchdog: Sendable {
    private struct State {
        var decision: WatchdogState
        var arm: (@Sendable (Duration) -> Void)?
    }

    private let state: Mutex<State>
    private let engine: Mailbox<EngineInput>
    private let send: @Sendable (String) -> Bool

    /// A watchdog that has not started.
    ///
    /// - Parameters:
    ///   - limit: How long the service manager waits for a datagram.
    ///   - send: Sends a datagram without blocking; false if it has to be sent again.
    init(limit: Duration, engine: Mailbox<EngineInput>, send: @escaping @Sendable (String) -> Bool) {
        state = Mutex(State(decision: WatchdogState(limit: limit)))
        self.engine = engine
        self.send = send
    }

    /// Begins. `arm` sets the timer that calls ``ring()`` once, after that time.
    func start(_ arm: @escaping @Sendable (Duration) -> Void) {
        let interval = state.withLock { state in
            state.arm = arm
            return state.decision.interval
        }
        arm(interval)
    }

    /// Half of the limit.
    var interval: Duration { state.withLock(\.decision.interval) }

    /// Tells the service manager that the daemon works although it has no engine yet; false if it has to be told again.
    @discardableResult
    func feed() -> Bool { send(WatchdogState.message) }

    /// The timer has rung: pings the engine.
    func ring() {
        set { $0.pinged() }
        engine.send(.ping)
    }

    /// The engine has answered a ping.
    func answered(_ pulse: Pulse) {
        switch state.withLock({ $0.decision.judge(pulse) }) {
        case .nothing: break
        case .pingAgain(let pause): set { _ in pause }
        case .send: if !send(WatchdogState.message) { set { $0.failed() } }
        }
    }

    private func set(_ time: (inout WatchdogState) -> Duration) {
        let (time, arm) = state.withLock { state in (time(&state.decision), state.arm) }
        arm?(time)
    }
}
