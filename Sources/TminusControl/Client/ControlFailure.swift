/// The reason why a request to the daemon failed. The message says what to do.
package struct ControlFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of failure. The program maps it to an exit code.
    package enum Kind: Sendable, Hashable {
        /// There is no daemon, or it stopped before it answered.
        case noDaemon
        /// The socket belongs to another user.
        case permission
        /// Reading or writing failed.
        case inputOutput
        /// The daemon refused the request.
        case refused(Problem.Kind)
    }

    /// The kind of failure.
    package var kind: Kind
    /// The message for the user, one sentence.
    package var message: String

    /// Creates a failure.
    package init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }

    /// Creates a failure from the daemon's refusal.
    package init(_ problem: Problem) {
        self.init(.refused(problem.kind), problem.detail)
    }

    /// The message.
    package var description: String { message }
}
