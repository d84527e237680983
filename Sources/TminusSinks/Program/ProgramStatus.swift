import Glibc

/// How a process ended.
enum ProgramStatus: Sendable, Equatable {
    /// By itself, with that status, from 0 to 255.
    case exited(CInt)
    /// By that signal.
    case signaled(CInt)

    /// What waitpid(2) has stored.
    init(wait status: CInt) {
        self = status & 0x7F == 0 ? .exited((status >> 8) & 0xFF) : .signaled(status & 0x7F)
    }

    private static let names: [CInt: String] = [
        SIGHUP: "HUP", SIGINT: "INT", SIGQUIT: "QUIT", SIGILL: "ILL", SIGTRAP: "TRAP", SIGABRT: "ABRT", SIGBUS: "BUS",
        SIGFPE: "FPE", SIGKILL: "KILL", SIGSEGV: "SEGV", SIGPIPE: "PIPE", SIGALRM: "ALRM", SIGTERM: "TERM",
        SIGXCPU: "XCPU", SIGXFSZ: "XFSZ", SIGSYS: "SYS",
    ]

    /// `exit status 3` or `ended by signal 9 (KILL)`.
    var text: String {
        switch self {
        case .exited(let code): "exit status \(code)"
        case .signaled(let signal): "ended by signal \(signal)\(Self.names[signal].map { " (\($0))" } ?? "")"
        }
    }
}
