internal import Glibc

/// Runs blocking calls on a thread of their own, because they would block the threads that all tasks share.
enum BlockingThread {
    /// Carries the closure through a C pointer. After pthread_create(3) only the new thread owns it.
    private final class Job {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) {
            self.body = body
        }
    }

    /// Runs `body` on a new thread and returns its result.
    static func run<Value: Sendable>(
        _ body: @escaping @Sendable () throws(TerminalError) -> Value
    ) async throws(TerminalError) -> Value {
        let result: Result<Value, TerminalError> = await withCheckedContinuation { continuation in
            let job = Job {
                continuation.resume(returning: Result { () throws(TerminalError) in try body() })
            }
            if let code = start(job) {
                continuation.resume(returning: .failure(TerminalError("cannot create a thread", errno: code)))
            }
        }
        return try result.get()
    }

    private static func start(_ job: Job) -> CInt? {
        let carried = Unmanaged.passRetained(job)
        var thread = pthread_t()
        let code = pthread_create(
            &thread, nil,
            { argument in
                guard let argument else { return nil }
                Unmanaged<Job>.fromOpaque(argument).takeRetainedValue().body()
                return nil
            }, carried.toOpaque())
        guard code == 0 else {
            carried.release()
            return code
        }
        pthread_detach(thread)
        return nil
    }
}
