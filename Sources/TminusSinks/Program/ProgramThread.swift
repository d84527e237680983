import Glibc

/// A thread of its own for calls that block.
enum ProgramThread {
    /// Carries the closure through a C pointer. The thread alone has it after the hand-over.
    private final class Job {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) {
            self.body = body
        }
    }

    /// Runs `body` on a new detached thread with all signals blocked, SIGPIPE among them. Returns 0 or an `errno`.
    static func start(_ body: @escaping @Sendable () -> Void) -> CInt {
        var signals = sigset_t()
        var previous = sigset_t()
        sigfillset(&signals)
        // The new thread inherits the mask.
        pthread_sigmask(SIG_BLOCK, &signals, &previous)
        defer { pthread_sigmask(SIG_SETMASK, &previous, nil) }
        let job = Unmanaged.passRetained(Job(body))
        var thread = pthread_t()
        let code = pthread_create(
            &thread, nil,
            { argument in
                guard let argument else { return nil }
                Unmanaged<Job>.fromOpaque(argument).takeRetainedValue().body()
                return nil
            }, job.toOpaque())
        if code == 0 { pthread_detach(thread) } else { job.release() }
        return code
    }
}
