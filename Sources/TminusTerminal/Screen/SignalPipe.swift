internal import Glibc
internal import Synchronization
internal import TminusSystem

/// The signals that concern a screen, as bytes in a pipe. A process can have only one, because signals have one handler.
struct SignalPipe: ~Copyable {
    static let watched = [SIGINT, SIGTERM, SIGHUP, SIGWINCH, SIGTSTP, SIGCONT]

    private let pipe: Pipe
    private let former: [(CInt, sigaction)]

    /// Takes the signals over until the value ends.
    init() throws(TerminalError) {
        guard let pipe = Pipe() else { throw TerminalError("a pipe", errno: errno) }
        pipe.makeNonBlocking()
        self.pipe = pipe
        signalWriter.store(self.pipe.write.number, ordering: .sequentiallyConsistent)
        var former: [(CInt, sigaction)] = []
        for number in Self.watched {
            var (action, old) = (sigaction(), sigaction())
            action.__sigaction_handler.sa_handler = { number in
                // Only what signal-safety(7) allows.
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

    /// Readable when a signal has come.
    var descriptor: CInt { pipe.read.number }

    /// The signals that have come, in order.
    func drain() -> [CInt] { pipe.drain().map { CInt($0) } }

    deinit {
        for (number, action) in former {
            var action = action
            sigaction(number, &action, nil)
        }
        signalWriter.store(-1, ordering: .sequentiallyConsistent)
    }
}

/// The descriptor that the handler writes to; a handler cannot capture anything.
private let signalWriter = Atomic<CInt>(-1)
