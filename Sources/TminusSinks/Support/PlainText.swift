import TminusCore

/// Parts of messages.
enum PlainText {
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
