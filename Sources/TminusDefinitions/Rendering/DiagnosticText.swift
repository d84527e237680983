package import TminusCore

/// Renders diagnostics for people at a terminal.
package enum DiagnosticText {
    /// The maximum number of characters shown of a source line.
    private static let width = 100

    /// `file:line:column: severity: message`, the source line with a caret, and the notes; without a final line break.
    /// Control characters are escaped, so that a hostile file cannot send commands to a terminal.
    package static func render(_ diagnostic: Diagnostic) -> String {
        var lines = [header(diagnostic)]
        lines += excerpt(of: diagnostic)
        // Notes are not nested.
        for note in diagnostic.notes {
            lines += [header(note)] + excerpt(of: note)
        }
        return lines.joined(separator: "\n")
    }

    /// All diagnostics, each followed by a line break.
    package static func render(_ diagnostics: [Diagnostic]) -> String {
        diagnostics.map { render($0) + "\n" }.joined()
    }

    private static func header(_ diagnostic: Diagnostic) -> String {
        let location = diagnostic.location
        var place = VisibleText.escaped(location.file)
        if location.line > 0 { place += ":\(location.line)" }
        if location.line > 0, location.column > 0 { place += ":\(location.column)" }
        return "\(place): \(diagnostic.severity.rawValue): \(VisibleText.escaped(diagnostic.message))"
    }

    /// The source line of a diagnostic and the line with the caret; empty if it has none.
    private static func excerpt(of diagnostic: Diagnostic) -> [String] {
        guard let source = diagnostic.sourceLine, !source.isEmpty, diagnostic.location.column > 0 else { return [] }
        return excerpt(
            of: source, column: diagnostic.caret ?? diagnostic.location.column,
            length: diagnostic.caretLength ?? diagnostic.length)
    }

    /// The source line and the line with the caret. Only the part around the caret is shown of a long line.
    private static func excerpt(of source: String, column: Int, length: Int) -> [String] {
        let all = source.unicodeScalars
        let first = column - 1 > width * 3 / 4 ? column - 1 - width / 2 : 0
        let window = all.dropFirst(first).prefix(width)
        let isCutBefore = first > 0
        let isCutBehind = window.endIndex < all.endIndex

        var text = isCutBefore ? "..." : ""
        var caret = isCutBefore ? "   " : ""
        var place = first + 1
        for scalar in window {
            // Tabs are kept in both lines, so that they align for any tab width. Joiners are escaped, because the width of
            // what they join is unknown.
            let isShown = scalar == "\t" || !VisibleText.isHidden(scalar)
            let shown = isShown ? String(scalar) : VisibleText.escape(scalar)
            text += shown
            if place < column {
                caret += scalar == "\t" ? "\t" : String(repeating: " ", count: columns(of: scalar, shown))
            } else if place < column + length {
                let count = columns(of: scalar, shown)
                caret +=
                    place == column
                    ? "^" + String(repeating: "~", count: max(0, count - 1))
                    : String(repeating: "~", count: count)
            }
            place += 1
        }
        if !caret.contains("^") { caret += "^" }
        return [text + (isCutBehind ? "..." : ""), caret]
    }

    /// The number of terminal columns of a character, for common cases only.
    private static func columns(of scalar: Unicode.Scalar, _ shown: String) -> Int {
        if shown.unicodeScalars.count > 1 { return shown.unicodeScalars.count }
        if scalar.properties.generalCategory == .nonspacingMark { return 0 }
        switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60,
            0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F900...0x1F9FF, 0x20000...0x3FFFD:
            return 2
        default: return 1
        }
    }
}
