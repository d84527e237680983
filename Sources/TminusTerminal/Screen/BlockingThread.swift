internal import TminusSystem

/// Runs calls that block outside of the cooperative pool, where they would hold up other tasks.
enum BlockingThread {
    /// Runs `body`, which must be isolated to no actor, on a new thread, and waits for its end.
    static func run<Value: Sendable>(
        _ body: @escaping @Sendable () throws(TerminalError) -> Value
    ) async throws(TerminalError) -> Value {
        let result: Result<Value, TerminalError> = await withCheckedContinuation { continuation in
            let code = DetachedThread.start(named: "terminal") {
                continuation.resume(returning: Result { () throws(TerminalError) in try body() })
            }
            if code != 0 { continuation.resume(returning: .failure(TerminalError("a thread", errno: code))) }
        }
        return try result.get()
    }
}
