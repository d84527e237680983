internal import ServiceLifecycle
internal import Synchronization

/// Ends a daemon in time after it was told to stop, whatever its services wait for.
///
/// A verb of the store that has started runs to its end, and a file system may not answer for minutes. What is in hand
/// then is repeated after the next start, with the same ids.
struct StopLimit: Sendable {
    /// How long the stop may take.
    var limit: Duration = .seconds(30)

    /// Runs `body` to its end, or until the limit after the start of the graceful shutdown has passed.
    ///
    /// - Throws: The error of `body`; ``DaemonError`` at the limit, while `body` still runs.
    func run(_ body: @escaping @Sendable () async throws -> Void) async throws {
        let (ends, end) = AsyncStream.makeStream(of: Result<Void, any Error>.self)
        // Not a child task, because a task waits for its children.
        let work = Task {
            do {
                try await body()
                end.yield(.success(()))
            } catch {
                end.yield(.failure(error))
            }
        }
        let clock = Mutex<Task<Void, Never>?>(nil)
        defer { clock.withLock { $0?.cancel() } }
        let result = await withTaskCancellationHandler {
            await withGracefulShutdownHandler {
                await Self.first(of: ends)
            } onGracefulShutdown: {
                let task = Task {
                    guard (try? await Task.sleep(for: limit, clock: .continuous)) != nil else { return }
                    end.yield(.failure(DaemonError(.inputOutput, Self.message(limit))))
                }
                clock.withLock { $0 = task }
            }
        } onCancel: {
            work.cancel()
        }
        try result?.get()
    }

    /// The first element, also for a task that was cancelled: then the stream still waits for its element.
    private static func first(of ends: AsyncStream<Result<Void, any Error>>) async -> Result<Void, any Error>? {
        await Task { await ends.first { _ in true } }.value
    }

    private static func message(_ limit: Duration) -> String {
        """
        not stopped within \(limit.components.seconds) s: the store or a service does not answer; \
        what is in hand is repeated after the next start
        """
    }
}
