internal import ServiceLifecycle

/// Work that may last for as long as a daemon, such as the wait for a lease, and that ends with it.
struct UntilStop: Sendable {
    /// How long the work may take to end after the stop. What takes longer, such as an attempt to connect, is left alone.
    var limit: Duration = .milliseconds(500)

    /// Runs `work`. If the daemon is to stop, or the task is cancelled, calls `end`, at which the work ends soon.
    ///
    /// - Returns: nil if the daemon is to stop, unless the work has succeeded all the same within the limit.
    func run<Value: Sendable>(
        _ work: @escaping @Sendable () async throws -> Value, end: @escaping @Sendable () -> Void
    ) async throws -> Value? {
        let (results, result) = AsyncStream.makeStream(of: Result<Value, any Error>?.self)
        // Not a child task, because a task waits for its children.
        Task {
            do {
                result.yield(.success(try await work()))
            } catch {
                result.yield(.failure(error))
            }
        }
        let stop: @Sendable () -> Void = { [limit] in
            end()
            Task {
                try? await Task.sleep(for: limit, clock: .continuous)
                result.yield(nil)
            }
        }
        let first = await withTaskCancellationHandler {
            await withGracefulShutdownHandler {
                // A task of its own, because the stream of a cancelled one has no more elements.
                await Task { await results.first { _ in true } }.value
            } onGracefulShutdown: {
                stop()
            }
        } onCancel: {
            stop()
        }
        do {
            return try first.flatMap { $0 }?.get()
        } catch {
            guard Task.isShuttingDownGracefully || Task.isCancelled else { throw error }
            return nil
        }
    }
}
