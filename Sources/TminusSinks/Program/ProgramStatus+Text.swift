import Glibc
import TminusSystem

extension ProgramStatus {
    private static let names: [CInt: String] = [
        SIGHUP: "HUP", SIGINT: "INT", SIGQUIT: "QUIT", SIGILL: "ILL", SIGTRAP: "TRAP", SIGABRT: "ABRT", SIGBUS: "BUS",
        SIGFPE: "FPE", SIGKILL: "KILL", SIGSEGV: "SEGV", SIGPIPE: "PIPE", SIGALRM: "ALRM", SIGTERM: "TERM",
        SIGXCPU: "XCPU", SIGXFSZ: "XFSZ", SIGSYS: "SYS",
    ]

    /// The end in words: `exit status 3` or `ended by signal 9 (KILL)`.
    var text: String {
        switch self {
        case .exited(let code): "exit status \(code)"
        case .signaled(let signal): "ended by signal \(signal)\(Self.names[signal].map { " (\($0))" } ?? "")"
        }
    }
}
