internal import TminusTooling

/// Why the daemon cannot start or continue. The message says what to do.
public struct DaemonError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of an error; the executable derives the exit code from it.
    public enum Kind: Sendable, Hashable {
        /// An option is wrong.
        case usage
        /// A definition is wrong and `--strict` was given, or another program or version wrote the store.
        case badData
        /// Reading or writing failed, or another daemon has the state.
        case inputOutput
        /// Permissions are missing, or too wide.
        case permission
        /// The daemon that a command means stands by, so it takes no requests.
        case standsBy
    }

    /// The kind of error.
    public var kind: Kind
    /// One sentence for users.
    public var message: String

    /// An error of that kind.
    public init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }

    public var description: String { message }

    /// The error of a part that also works without a daemon.
    init(_ error: ToolError) {
        let kind: Kind =
            switch error.kind {
            case .usage: .usage
            case .badData: .badData
            case .inputOutput, .noState, .defect: .inputOutput
            case .permission: .permission
            }
        self.init(kind, error.message)
    }
}
