internal import Glibc

/// Starts threads for calls that block or that must all come from one thread.
package enum DetachedThread {
    /// Passes the closure through a C pointer. After the hand-over only the new thread holds it.
    private final class Body {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) {
            self.run = run
        }
    }

    /// Runs `body` on a new detached thread. All signals are blocked there, because the main thread handles them.
    /// Returns 0 or an `errno`.
    ///
    /// The closure must not be isolated to an actor, because it would trap on this thread.
    package static func start(_ body: @escaping @Sendable () -> Void) -> CInt {
        var signals = sigset_t()
        var previous = sigset_t()
        sigfillset(&signals)
        // The new thread inherits the mask (pthread_create(3)), so it never receives a signal.
        pthread_sigmask(SIG_BLOCK, &signals, &previous)
        defer { pthread_sigmask(SIG_SETMASK, &previous, nil) }
        let body = Unmanaged.passRetained(Body(body))
        var thread = pthread_t()
        let code = pthread_create(
            &thread, nil,
            { argument in
                guard let argument else { return nil }
                Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
                return nil
            }, body.toOpaque())
        if code == 0 { pthread_detach(thread) } else { body.release() }
        return code
    }
}
