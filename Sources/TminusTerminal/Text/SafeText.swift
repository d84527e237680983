internal import TminusCore

/// Makes untrusted text safe for a terminal that may lack Unicode.
package enum SafeText {
    /// Returns one line as ``VisibleText/line(_:)`` does. If `unicode` is false, every non-ASCII character becomes as many
    /// question marks as it has columns.
    package static func line(_ text: String, unicode: Bool = true) -> String {
        let line = VisibleText.line(text)
        if unicode || line.utf8.allSatisfy({ $0 < 0x80 }) { return line }
        return line.map { $0.isASCII ? String($0) : String(repeating: "?", count: max(1, DisplayWidth.of($0))) }
            .joined()
    }
}
