internal import Logging
internal import TminusCore
internal import TminusDaemon
internal import TminusSystem
internal import TminusTooling

/// Renders what the daemon writes to standard error besides log events, in the format of the log.
struct ProblemOutput: Sendable {
    let style: LogStyle

    /// The problems of files: with source lines and carets, or as one JSON object a line.
    func text(_ diagnostics: [Diagnostic]) -> String {
        switch style.format {
        case .text where style.isJournal:
            diagnostics.map { style.lines(DiagnosticFormat.text.render([$0]), $0.severity.level) }.joined()
        case .text: DiagnosticFormat.text.render(diagnostics)
        case .json: diagnostics.map { json($0.severity.level, $0.message, $0) }.joined()
        }
    }

    /// The reason why the daemon ends.
    func text(_ error: DaemonError) -> String { line(.critical, StandardError.shortened("\(error)")) }

    /// A report of lines that were not written.
    func text(dropped count: Int) -> String {
        line(.warning, "\(count) log lines were dropped because the reader was too slow")
    }

    private func line(_ level: Logger.Level, _ message: String) -> String {
        style.format == .text ? style.lines("tminus: \(message)\n", level) : json(level, message, nil)
    }

    private func json(_ level: Logger.Level, _ message: String, _ diagnostic: Diagnostic?) -> String {
        var line = JSONWriter()
        line.object { object in
            LogOutput.begin(&object, style.time.now, level, message)
            guard let diagnostic else { return }
            Self.place(&object, diagnostic)
            // One object a line: further places are texts.
            if !diagnostic.notes.isEmpty { object.member("notes", texts: diagnostic.notes.map(Self.note)) }
        }
        return String(decoding: line.bytes, as: UTF8.self) + "\n"
    }

    private static func place(_ object: inout JSONWriter, _ diagnostic: Diagnostic) {
        let location = diagnostic.location
        object.member("file", location.file)
        if location.line > 0 { object.member("line", location.line) }
        if location.line > 0, location.column > 0 { object.member("column", location.column) }
    }

    private static func note(_ note: Diagnostic) -> String {
        "\(note.location.file):\(note.location.line):\(note.location.column): \(note.message)"
    }
}

extension Diagnostic.Severity {
    /// The level of a log event of this severity.
    fileprivate var level: Logger.Level {
        switch self {
        case .error: .error
        case .warning: .warning
        case .note: .notice
        }
    }
}
