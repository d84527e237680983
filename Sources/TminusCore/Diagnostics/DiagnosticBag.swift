/// Collects the diagnostics of one file while it is decoded. Not thread-safe: one task at a time.
public final class DiagnosticBag {
    /// The path shown in diagnostics.
    public let file: String
    /// The maximum number of diagnostics per file. Nobody reads more, and a hostile file must not fill the memory.
    package static let limit = 1000

    /// The diagnostics in the order of reporting, at most ``limit``.
    public private(set) var diagnostics: [Diagnostic] = []
    /// The number of diagnostics beyond the limit.
    package private(set) var omitted = 0
    /// Whether an error was reported.
    public private(set) var hasErrors = false
    /// Whether the limit is reached; further diagnostics are only counted.
    package var isFull: Bool { diagnostics.count >= Self.limit }

    private let text: String
    /// Lazy, because most files have no problems.
    private lazy var lines = Self.lines(of: text)

    /// The ranges that must not be shown.
    package private(set) var concealed: [SourceRange] = []
    /// The lines that were searched for addresses.
    private var searched: Set<Int> = []

    /// What the sinks of the file need outside of it: each thing once, at its first place, and at most ``limit``.
    package private(set) var needs: [SinkNeed] = []
    private var needed: Set<SinkNeed> = []
    /// The labels of the machines that need what is recorded next.
    var needLabels: Set<MachineLabel> = []

    /// Creates a bag for the file at `path`, which contains `text`.
    public init(file path: String, text: String = "") {
        file = path
        self.text = text
    }

    /// Reports a problem at a range of the file.
    public func report(
        _ severity: Diagnostic.Severity, _ message: String, at range: SourceRange, notes: [Diagnostic] = []
    ) {
        if severity == .error { hasErrors = true }
        guard !isFull else {
            omitted += 1
            return
        }
        diagnostics.append(diagnostic(severity, message, at: range, notes: notes))
    }

    /// Reports an error at a range of the file.
    public func error(_ message: String, at range: SourceRange, notes: [Diagnostic] = []) {
        report(.error, message, at: range, notes: notes)
    }

    /// Records that a sink of the file needs something outside of it.
    package func need(_ thing: SinkNeed.Thing, at range: SourceRange) {
        // The range of the first one is kept, so it does not tell needs apart.
        let isNew = needed.insert(SinkNeed(thing, range: .none, labels: needLabels)).inserted
        guard needs.count < Self.limit, isNew else { return }
        needs.append(SinkNeed(thing, range: range, labels: needLabels))
    }

    /// Hides a range in the source lines of all diagnostics, including earlier ones. The range may hold a misplaced
    /// secret, and the output of checks ends up in logs.
    package func conceal(_ range: SourceRange) {
        concealed.append(range)
        for index in diagnostics.indices {
            show(&diagnostics[index], within: range)
            for note in diagnostics[index].notes.indices { show(&diagnostics[index].notes[note], within: range) }
        }
    }

    /// Shows the source line of a diagnostic anew if a concealed range touches it.
    private func show(_ diagnostic: inout Diagnostic, within range: SourceRange) {
        let line = diagnostic.location.line
        guard (range.start.line...range.end.line).contains(line), diagnostic.location.file == file else { return }
        show(&diagnostic)
    }

    /// Sets the source line of a diagnostic, with concealed ranges hidden, and the place of the caret in it.
    private func show(_ diagnostic: inout Diagnostic) {
        let (line, column) = (diagnostic.location.line, diagnostic.location.column)
        diagnostic.sourceLine = nil
        guard lines.indices.contains(line - 1) else { return }
        // No option is known that holds an address below a misspelt key, or in a file with broken syntax.
        if searched.insert(line).inserted { concealed += ShownLine.secrets(in: lines[line - 1], number: line) }
        let shown = ShownLine(lines[line - 1], number: line, hiding: concealed)
        diagnostic.sourceLine = shown.text
        let start = shown.column(column)
        diagnostic.caret = start == column ? nil : start
        let length = max(1, shown.column(column + diagnostic.length) - start)
        diagnostic.caretLength = length == diagnostic.length ? nil : length
    }

    /// Creates a diagnostic of this file without reporting it, for use as a note.
    public func diagnostic(
        _ severity: Diagnostic.Severity, _ message: String, at range: SourceRange, notes: [Diagnostic] = []
    ) -> Diagnostic {
        var diagnostic = Diagnostic(
            severity, message,
            at: SourceLocation(file: file, line: range.start.line, column: range.start.column),
            length: range.start.line == range.end.line ? max(1, range.end.column - range.start.column) : 1,
            notes: notes)
        show(&diagnostic)
        return diagnostic
    }

    /// The range of a part of a scalar, counted in Unicode scalars of its text. Returns the whole scalar if it is
    /// written with escapes or on several lines.
    public func place(of part: Range<Int>, in text: String, at range: SourceRange) -> SourceRange {
        let index = range.start.line - 1
        guard range.start.line == range.end.line, lines.indices.contains(index) else { return range }
        let written = Array(lines[index].unicodeScalars.dropFirst(range.start.column - 1))
            .prefix(max(0, range.end.column - range.start.column))
        let scalars = Array(text.unicodeScalars)
        for offset in 0...1 where written.dropFirst(offset).starts(with: scalars) {
            let start = range.start.column + offset
            let end = start + min(max(part.upperBound, part.lowerBound + 1), max(1, scalars.count))
            return SourceRange(
                start: SourceMark(
                    line: range.start.line, column: start + min(part.lowerBound, max(0, scalars.count - 1))),
                end: SourceMark(line: range.start.line, column: end))
        }
        return range
    }

    /// The lines without their terminators (LF or CR LF).
    private static func lines(of text: String) -> [String] {
        text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { line in
            String(Substring(line.last == UInt8(ascii: "\r") ? line.dropLast() : line))
        }
    }
}
