package import TminusCore
package import TminusSystem

/// Why a command that needs no daemon failed. The message contains the remedy.
package struct ToolError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of error, from which the executable derives the exit code.
    package enum Kind: Sendable, Hashable {
        /// An option is wrong.
        case usage
        /// A definition is wrong.
        case badData
        /// Reading or writing failed.
        case inputOutput
        /// Permissions are missing, or too wide.
        case permission
        /// There is no state of a daemon.
        case noState
        /// The program has a defect.
        case defect
    }

    /// The kind of error.
    package var kind: Kind
    /// One sentence for users.
    package var message: String

    /// An error of the given kind.
    package init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }

    package var description: String { message }

    /// The error of a request that the operating system refused.
    package init(_ error: SystemError) {
        let kind: Kind =
            switch error.kind {
            case .usage: .usage
            case .permission: .permission
            case .io, .inUse, .changed: .inputOutput
            }
        self.init(kind, error.message)
    }

    /// The error of a store. Only another version of the program can read what another version wrote.
    package init(_ error: StoreError) {
        let kind: Kind =
            switch error.kind {
            case .readOnly: .permission
            case .tooNew, .tooOld: .badData
            case .full, .locked, .damaged, .uncertain, .other: .inputOutput
            }
        self.init(kind, error.message)
    }
}
