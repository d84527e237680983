/// Collects the diagnostics of one file while it is decoded. Used by one task at a time.
public final class DiagnosticBag {
    /// The path that diagnostics show.
    public let file: String
    private let lines: [Substring]
    /// In the order of reporting.
    public private(set) var diagnostics: [Diagnostic] = []

    /// A bag for the file at `path` with that text.
    public init(file path: String, text: String = "") {
        file = path
        lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
    }

    /// Whether an error was reported.
    public var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }

    /// Reports a problem at a range of the file.
    public func report(
        _ severity: Diagnostic.Severity, _ message: String, at range: SourceRange, notes: [Diagnostic] = []
    ) {
        diagnostics.append(diagnostic(severity, message, at: range, notes: notes))
    }

    /// Reports an error at a range of the file.
    public func error(_ message: String, at range: SourceRange, notes: [Diagnostic] = []) {
        report(.error, message, at: range, notes: notes)
    }

    /// A diagnostic of this file that is not reported, for use as a note.
    public func diagnostic(
        _ severity: Diagnostic.Severity, _ message: String, at range: SourceRange, notes: [Diagnostic] = []
    ) -> Diagnostic {
        let index = range.start.line - 1
        return Diagnostic(
            severity, message,
            at: SourceLocation(file: file, line: range.start.line, column: range.start.column),
            length: range.start.line == range.end.line ? max(1, range.end.column - range.start.column) : 1,
            sourceLine: lines.indices.contains(index) ? String(lines[index]) : nil, notes: notes)
    }
}
