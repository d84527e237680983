internal import TminusCore
internal import TminusSystem
internal import TminusTooling

/// Why the daemon cannot start or continue. The message says what to do.
public struct DaemonError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What kind of error; the executable derives the exit code from it.
    public enum Kind: Sendable, Hashable {
        /// An option is wrong.
        case usage
        /// A definition is wrong and `--strict` was given.
        case badData
        /// Reading or writing failed, or another daemon has the state.
        case inputOutput
        /// Permissions are missing, or too wide.
        case permission
    }

    /// What kind of error.
    public var kind: Kind
    /// One sentence for users.
    public var message: String

    /// An error of that kind.
    public init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }

    public var description: String { message }

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

    init(_ error: SystemError) {
        self.init(error.kind == .permission ? .permission : .inputOutput, error.message)
    }

    init(_ error: StoreError) {
        self.init(error.kind == .readOnly ? .permission : .inputOutput, error.message)
    }
}
