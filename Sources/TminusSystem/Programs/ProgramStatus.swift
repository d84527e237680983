/// How a process ended.
package enum ProgramStatus: Sendable, Equatable {
    /// It exited by itself, with a status from 0 to 255.
    case exited(CInt)
    /// A signal ended it.
    case signaled(CInt)

    /// The status that waitpid(2) stored.
    init(wait status: CInt) {
        self = status & 0x7F == 0 ? .exited((status >> 8) & 0xFF) : .signaled(status & 0x7F)
    }
}
