/// Why a daemon did not do what it was asked. The message says what to do.
package struct ControlFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// What kind of trouble; the executable makes an exit code of it.
    package enum Kind: Sendable, Hashable {
        /// No daemon is there, or it ended before it had answered.
        case noDaemon
        /// The socket is another user's.
        case permission
        /// Reading or writing failed.
        case inputOutput
        /// The daemon said no.
        case refused(Problem.Kind)
    }

    /// What kind of trouble.
    package var kind: Kind
    /// For people: one sentence.
    package var message: String

    /// A failure of that kind.
    package init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }

    /// What the daemon said.
    package init(_ problem: Problem) {
        self.init(.refused(problem.kind), problem.detail)
    }

    package var description: String { message }
}
