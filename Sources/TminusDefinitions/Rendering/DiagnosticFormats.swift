package import TminusCore

/// Renders diagnostics for programs.
package enum DiagnosticFormats {
    /// A JSON array of objects with `severity`, `message`, `file`, `line`, `column`, `end-column` and `notes`.
    ///
    /// `line`, `column` and `end-column` count from 1, and `end-column` is exclusive; they are left out if the
    /// diagnostic concerns the whole file.
    package static func json(_ diagnostics: [Diagnostic]) -> String {
        diagnostics.isEmpty ? "[]\n" : "[\n" + diagnostics.map { "  " + object($0) }.joined(separator: ",\n") + "\n]\n"
    }

    /// One GitHub Actions workflow command per diagnostic: `::error file=...,line=...,col=...::message`.
    package static func github(_ diagnostics: [Diagnostic]) -> String {
        diagnostics.map { diagnostic in
            let location = diagnostic.location
            var properties = ["file=\(property(location.file))"]
            if location.line > 0 { properties.append("line=\(location.line)") }
            if location.line > 0, location.column > 0 {
                properties.append("col=\(location.column)")
                properties.append("endColumn=\(location.column + max(1, diagnostic.length))")
            }
            let notes = diagnostic.notes.map { note in
                "\n\(note.location.file):\(note.location.line):\(note.location.column): note: \(note.message)"
            }
            let command = diagnostic.severity == .note ? "notice" : diagnostic.severity.rawValue
            return "::\(command) \(properties.joined(separator: ","))::\(data(diagnostic.message + notes.joined()))\n"
        }.joined()
    }

    private static func object(_ diagnostic: Diagnostic) -> String {
        let location = diagnostic.location
        let end = location.column > 0 ? location.column + max(1, diagnostic.length) : 0
        let numbers = [("line", location.line), ("column", location.column), ("end-column", end)]
        let fields = [
            "\"severity\": \(Escaping.json(diagnostic.severity.rawValue))",
            "\"message\": \(Escaping.json(diagnostic.message))",
            "\"file\": \(Escaping.json(location.file))",
        ]
        let place = numbers.filter { $0.1 > 0 }.map { "\"\($0.0)\": \($0.1)" }
        // Notes are not nested.
        let notes = ["\"notes\": [\(diagnostic.notes.map(object).joined(separator: ", "))]"]
        return "{\((fields + place + notes).joined(separator: ", "))}"
    }

    /// Escapes a property value: `%`, line breaks, `:` and `,` are percent-encoded.
    private static func property(_ text: String) -> String {
        escape(text, also: [":": "%3A", ",": "%2C"])
    }

    /// Escapes a message: `%` and line breaks are percent-encoded.
    private static func data(_ text: String) -> String {
        escape(text, also: [:])
    }

    private static func escape(_ text: String, also: [Unicode.Scalar: String]) -> String {
        var result = ""
        VisibleText.forEach(of: text) { scalar, isHidden in
            switch scalar {
            case "%": result += "%25"
            case "\r": result += "%0D"
            case "\n": result += "%0A"
            default: result += also[scalar] ?? (isHidden ? VisibleText.escape(scalar) : String(scalar))
            }
        }
        return result
    }
}
