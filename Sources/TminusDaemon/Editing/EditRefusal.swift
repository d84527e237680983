package import TminusCore
internal import TminusDefinitions
internal import TminusSystem

/// Why a change of a definition file was not made. Nothing was written.
package struct EditRefusal: Error, Sendable, CustomStringConvertible {
    /// What kind of trouble, and one sentence for people.
    package var error: DaemonError
    /// What is wrong with the file, or would be.
    package var diagnostics: [Diagnostic] = []
    /// Whether the file was changed by another program while the change was made.
    package var isRace = false

    package var description: String { error.message }

    init(_ kind: DaemonError.Kind, _ message: String, _ diagnostics: [Diagnostic] = []) {
        error = DaemonError(kind, message)
        self.diagnostics = diagnostics
    }

    /// A refusal for that reason.
    package init(_ error: DaemonError) { self.error = error }

    init(_ error: SystemError) {
        self.error = DaemonError(error)
        isRace = error.kind == .changed
    }

    init(_ problem: DefinitionEdit.Problem) {
        self.init(.badData, problem.message, problem.diagnostics)
    }
}
