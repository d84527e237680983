import Glibc

/// A thread of its own for calls that block and a library that only one thread may use.
enum WatchThread {
    /// Carries the closure through a C pointer. The thread alone has it after the hand-over.
    private final class Job {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) {
            self.body = body
        }
    }

    /// Runs `body` on a new detached thread, with all signals blocked: they are for the main program. Returns 0 or an
    /// `errno`.
    ///
    /// The closure must belong to no actor: it would trap on this thread.
    static func start(_ body: @escaping @Sendable () -> Void) -> Int32 {
        var signals = sigset_t()
        var previous = sigset_t()
        sigfillset(&signals)
        // The new thread inherits the mask, so there is no moment in which it takes a signal.
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
