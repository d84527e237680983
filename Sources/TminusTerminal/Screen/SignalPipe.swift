internal import Glibc
internal import Synchronization
internal import TminusSystem

/// Delivers the signals that matter to a screen as bytes in a pipe. At most one may exist in a process, because a
/// signal has one handler.
struct SignalPipe: ~Copyable {
    /// The signals that are delivered.
    static let watched = [SIGINT, SIGTERM, SIGHUP, SIGWINCH, SIGTSTP, SIGCONT]

    private let pipe: Pipe
    private let former: [(CInt, sigaction)]

    /// Installs the handlers; the end of this value's life restores the former ones.
    init() throws(TerminalError) {
        guard let pipe = Pipe() else { throw TerminalError("a pipe", errno: errno) }
        pipe.makeNonBlocking()
        self.pipe = pipe
        signalWriter.store(self.pipe.write.number, ordering: .sequentiallyConsistent)
        var former: [(CInt, sigaction)] = []
        for number in Self.watched {
            var (action, old) = (sigaction(), sigaction())
            action.__sigaction_handler.sa_handler = { number in
                // Only calls that signal-safety(7) allows.
                let code = errno
                var byte = UInt8(truncatingIfNeeded: number)
                _ = write(signalWriter.load(ordering: .sequentiallyConsistent), &byte, 1)
                errno = code
            }
            action.sa_flags = SA_RESTART
            sigaction(number, &action, &old)
            former.append((number, old))
        }
        self.former = former
    }

    /// Readable when a signal has arrived.
    var descriptor: CInt { pipe.read.number }

    /// Removes and returns the signals that have arrived, oldest first.
    func drain() -> [CInt] { pipe.drain().map { CInt($0) } }

    deinit {
        for (number, action) in former {
            var action = action
            sigaction(number, &action, nil)
        }
        signalWriter.store(-1, ordering: .sequentiallyConsistent)
    }
}

/// The pipe the handler writes to. Global, because a signal handler takes no context.
private let signalWriter = Atomic<CInt>(-1)
