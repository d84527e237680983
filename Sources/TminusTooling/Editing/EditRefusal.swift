package import TminusCore
internal import TminusDefinitions
internal import TminusSystem

/// Why a change of a definition file was refused. Nothing was written.
package struct EditRefusal: Error, Sendable, CustomStringConvertible {
    /// The kind of error, and one sentence for users.
    package var error: ToolError
    /// The problems that the file has or would have.
    package var diagnostics: [Diagnostic] = []
    /// Whether another program changed the file meanwhile.
    package var isRace = false

    package var description: String { error.message }

    init(_ kind: ToolError.Kind, _ message: String, _ diagnostics: [Diagnostic] = []) {
        error = ToolError(kind, message)
        self.diagnostics = diagnostics
    }

    /// A refusal for the given reason.
    package init(_ error: ToolError) { self.error = error }

    init(_ error: SystemError) {
        self.error = ToolError(error)
        isRace = error.kind == .changed
    }

    init(_ problem: DefinitionEdit.Problem) {
        self.init(.badData, problem.message, problem.diagnostics)
    }
}
