import TminusCore

/// The time that something may take: by the clock, or by what a test waits for.
struct TimeLimit: Sendable {
    /// What waits in the place of the clock; it throws when there is no limit any more.
    typealias Sleep = @Sendable (Duration) async throws -> Void

    private enum Wait: Sendable {
        case deadline(UInt64)
        case task(Task<Void, Never>)
    }

    private let wait: Wait

    /// Calls `body`, which must not block, when `limit` is over, unless ``end()`` comes before.
    init(_ limit: Duration, sleep: Sleep?, _ body: @escaping @Sendable () -> Void) {
        if let sleep {
            wait = .task(Task { if (try? await sleep(limit)) != nil { body() } })
        } else {
            wait = .deadline(Deadlines.shared.after(limit, body))
        }
    }

    /// The limit holds no longer.
    func end() {
        switch wait {
        case .deadline(let number): Deadlines.shared.callOff(number)
        case .task(let task): task.cancel()
        }
    }
}
