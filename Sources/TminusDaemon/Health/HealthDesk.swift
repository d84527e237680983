internal import Synchronization
internal import TminusCore

/// Asks the engine and the loader whether they work, for `/healthz`.
///
/// It asks neither the store nor a sink nor a file: a process must not be ended because of a trouble that a new one
/// would have as well.
final class HealthDesk: Sendable {
    private struct State {
        var asking: [UInt64: AsyncStream<HealthCheck.Answer>.Continuation] = [:]
        var last: UInt64 = 0
        var isStopping = false
    }

    private let engine: Mailbox<EngineInput>
    private let loader: Mailbox<LoaderInput>
    /// Whether the loader waits for the store, and so cannot answer.
    private let loaderWaits: @Sendable () -> Bool
    private let limit: Duration
    private let state = Mutex(State())

    /// A desk that nobody has asked.
    init(
        engine: Mailbox<EngineInput>, loader: Mailbox<LoaderInput>, limit: Duration = HealthCheck.limit,
        loaderWaits: @escaping @Sendable () -> Bool = { false }
    ) {
        self.engine = engine
        self.loader = loader
        self.limit = limit
        self.loaderWaits = loaderWaits
    }

    /// The engine has answered a ping.
    func answered(_ pulse: Pulse) { tell(.engine(pulse)) }

    /// The loader has answered a ping.
    func loaderAnswered() { tell(.loader) }

    /// The daemon stops: it ends within its own time limit, and its parts need not answer any more.
    func stopping() {
        let asking = state.withLock { state in
            state.isStopping = true
            return Array(state.asking.values)
        }
        for stream in asking { stream.finish() }
    }

    /// Asks, and returns the parts that do not answer within the limit.
    func hanging() async -> [HealthPart] {
        guard !state.withLock(\.isStopping) else { return [] }
        let check = await check(within: limit) { $0.isDecided }
        return state.withLock(\.isStopping) ? [] : check.hanging
    }

    /// Asks the engine for a turn, so that it hands over what it has counted. Returns after its answer or that time.
    func freshFigures(within limit: Duration) async {
        _ = await check(within: limit) { !$0.hanging.contains(.scheduler) }
    }

    private func check(within limit: Duration, until isDone: (HealthCheck) -> Bool) async -> HealthCheck {
        let (answers, tell) = AsyncStream.makeStream(of: HealthCheck.Answer.self)
        let number = state.withLock { state in
            state.last += 1
            state.asking[state.last] = tell
            return state.last
        }
        var check = HealthCheck()
        defer { state.withLock { _ = $0.asking.removeValue(forKey: number) } }
        engine.send(.ping)
        // A loader that has ended needs not answer.
        if !loader.send(.ping) { check.take(.loader) }
        let timer = Task {
            try? await Task.sleep(for: limit, clock: .continuous)
            tell.finish()
        }
        defer { timer.cancel() }
        for await answer in answers {
            check.take(answer)
            if isDone(check) { return check }
        }
        if loaderWaits() { check.take(.loader) }
        return check
    }

    private func tell(_ answer: HealthCheck.Answer) {
        for stream in state.withLock({ Array($0.asking.values) }) { stream.yield(answer) }
    }
}
