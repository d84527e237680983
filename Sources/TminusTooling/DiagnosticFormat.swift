package import TminusCore
internal import TminusDefinitions

/// How problems of definition files are written for the user.
package enum DiagnosticFormat: String, Sendable, Hashable, CaseIterable {
    /// `file:line:column: error: ...`, the line, and a caret under the place.
    case text
    /// A JSON array.
    case json
    /// Annotations of a GitHub workflow.
    case github

    /// The text of these diagnostics.
    package func render(_ diagnostics: [Diagnostic]) -> String {
        switch self {
        case .text: DiagnosticText.render(diagnostics)
        case .json: DiagnosticFormats.json(diagnostics)
        case .github: DiagnosticFormats.github(diagnostics)
        }
    }
}
