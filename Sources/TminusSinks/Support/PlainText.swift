import TminusCore

/// Texts for one line of a log or a terminal.
enum PlainText {
    /// `text` on one line, without terminal control: line ends and tabs become a space; other control characters, line and paragraph
    /// separators and marks that reorder text become U+FFFD.
    static func line(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        var previous: Unicode.Scalar = " "
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n" where previous == "\r": break
            case "\n", "\r", "\t": result.append(" ")
            case "\u{00}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}", "\u{202A}"..."\u{202E}",
                "\u{2066}"..."\u{2069}":
                result.append("\u{FFFD}")
            default: result.append(scalar)
            }
            previous = scalar
        }
        return String(result)
    }

    /// The first `limit` characters, with an ellipsis if there are more.
    static func shortened(_ text: String, to limit: Int) -> String {
        let head = text.unicodeScalars.prefix(limit)
        return head.endIndex == text.unicodeScalars.endIndex ? text : String(head) + "…"
    }

    /// A length of time for a message: `10 s`, `0.25 s`, `10 min`.
    static func duration(_ duration: Duration) -> String {
        let nanoseconds = duration.nanoseconds
        let minute: Int64 = 60_000_000_000
        return nanoseconds > 0 && nanoseconds % minute == 0
            ? "\(nanoseconds / minute) min" : "\(DecimalSeconds.text(nanoseconds)) s"
    }
}
