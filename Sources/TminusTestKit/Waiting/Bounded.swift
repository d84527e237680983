/// Waits that end: for an answer, or after a time with a failure that says what did not come.
package enum Bounded {
    /// So long that only what hangs takes longer, however busy the machine is.
    package static let limit = Duration.seconds(600)

    /// The value of `work`, or a ``ConformanceFailure`` if it takes longer than `limit`. Work that does not heed
    /// cancellation is left behind, so that a test of it fails and does not hang.
    @discardableResult
    package static func value<Value: Sendable>(
        within limit: Duration = limit, _ what: String, _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let (results, first) = AsyncStream.makeStream(of: Result<Value, any Error>.self)
        let running = Task {
            do { first.yield(.success(try await work())) } catch { first.yield(.failure(error)) }
        }
        let timer = Task {
            try await Task.sleep(for: limit)
            first.yield(.failure(ConformanceFailure("waited \(limit) in vain for \(what)")))
        }
        defer {
            running.cancel()
            timer.cancel()
        }
        let answer = Task { () -> Result<Value, any Error> in
            for await result in results { return result }
            return .failure(CancellationError())
        }
        // Whoever cancels this wait means the work.
        return try await withTaskCancellationHandler {
            try await answer.value.get()
        } onCancel: {
            running.cancel()
        }
    }
}
