import TminusCore

/// A time limit, by the clock or by what a test waits for.
struct TimeLimit: Sendable {
    /// Waits in place of the clock; throws when the limit no longer applies.
    typealias Sleep = @Sendable (Duration) async throws -> Void

    /// Ends the limit before its time.
    let end: @Sendable () -> Void

    /// Calls `body`, which must not block, after `limit`, unless ``end`` is called before.
    init(_ limit: Duration, sleep: Sleep?, _ body: @escaping @Sendable () -> Void) {
        if let sleep {
            let task = Task { if (try? await sleep(limit)) != nil { body() } }
            end = { task.cancel() }
        } else {
            let number = Deadlines.shared.after(limit, body)
            end = { Deadlines.shared.callOff(number) }
        }
    }
}
