internal import TminusCore
internal import TminusSystem

/// Why the daemon cannot start or go on. The message says what to do.
public struct DaemonError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What kind of trouble; the executable makes an exit code of it.
    public enum Kind: Sendable, Hashable {
        /// An option is wrong.
        case usage
        /// A definition is wrong and `--strict` was given.
        case badData
        /// Reading or writing failed, or another daemon has the state.
        case inputOutput
        /// Rights are missing, or too wide.
        case permission
        /// There is no state of a daemon where one is needed.
        case noState
        /// A defect of the program.
        case defect
    }

    /// What kind of trouble.
    public var kind: Kind
    /// For people.
    public var message: String

    /// An error of that kind.
    public init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }

    public var description: String { message }

    init(_ error: SystemError) {
        self.init(error.kind == .permission ? .permission : .inputOutput, error.message)
    }

    init(_ error: StoreError) {
        self.init(error.kind == .readOnly ? .permission : .inputOutput, error.message)
    }
}
