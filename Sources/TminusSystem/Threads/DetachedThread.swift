internal import CPlatform
internal import Glibc

/// Starts threads for calls that block or that must all come from one thread.
package enum DetachedThread {
    /// Passes the closure and the name through a C pointer. After the hand-over only the new thread holds it.
    private final class Body {
        let name: String
        let run: @Sendable () -> Void

        init(_ name: String, _ run: @escaping @Sendable () -> Void) {
            self.name = name
            self.run = run
        }
    }

    /// Runs `body` on a new detached thread, which `top -H` and debuggers show by `name`, of at most 15 bytes. All
    /// signals are blocked there, because the main thread handles them. Returns 0 or an `errno`.
    ///
    /// The closure must not be isolated to an actor, because it would trap on this thread.
    package static func start(named name: String, _ body: @escaping @Sendable () -> Void) -> CInt {
        var signals = sigset_t()
        var previous = sigset_t()
        sigfillset(&signals)
        // The new thread inherits the mask (pthread_create(3)), so it never receives a signal.
        pthread_sigmask(SIG_BLOCK, &signals, &previous)
        defer { pthread_sigmask(SIG_SETMASK, &previous, nil) }
        let body = Unmanaged.passRetained(Body(name, body))
        var thread = pthread_t()
        let code = pthread_create(
            &thread, nil,
            { argument in
                guard let argument else { return nil }
                let body = Unmanaged<Body>.fromOpaque(argument).takeRetainedValue()
                tminus_name_thread(body.name)
                body.run()
                return nil
            }, body.toOpaque())
        if code == 0 { pthread_detach(thread) } else { body.release() }
        return code
    }
}
